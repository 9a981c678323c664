/** One attempt of an exchange, as the log keeps it. */
export interface ExchangeEvent {
  /** Time of sending, epoch milliseconds. */
  readonly atMs: number;
  /** Method. */
  readonly method: "GET" | "HEAD";
  /** Path with its query. */
  readonly path: string;
  /** Number of the attempt within its exchange, from 1 on. */
  readonly attempt: number;
  /** HTTP status; `null` if no answer arrived. */
  readonly status: number | null;
  /** Error code, or a short text of what went wrong; `null` after a good answer. */
  readonly problem: string | null;
  /** The service's id of the request. */
  readonly requestId: string | null;
  /** From sending to the end of the body. */
  readonly durationMs: number;
  /** Received bytes of the body; `null` if there was no answer, or a refusal. */
  readonly bodyBytes: number | null;
}

/** Output of notes about exchanges; any console has this form. */
export interface Logger {
  /** Each attempt. */
  debug(message: string): void;
  /** Unusual answers that are allowed, and attempts that are repeated. */
  warn(message: string): void;
}

const CAPACITY = 1_000;

/** The last thousand attempts, and a logger that is told of each; none of them holds a key. */
export class EventLog {
  readonly #events: ExchangeEvent[] = [];
  readonly #redact: (text: string) => string;
  readonly #logger: Logger | undefined;

  /**
   * @param redact Takes keys out of a text
   * @param logger Is told of each attempt; without one the log is only kept
   */
  constructor(redact: (text: string) => string, logger?: Logger) {
    this.#redact = redact;
    this.#logger = logger;
  }

  /** Adds an attempt. */
  add(event: ExchangeEvent): void {
    if (this.#events.length === CAPACITY) this.#events.shift();
    const { path, problem, requestId } = event;
    const kept = {
      ...event,
      path: this.#redact(path),
      problem: problem && this.#redact(problem),
      requestId: requestId && this.#redact(requestId),
    };
    this.#events.push(kept);
    this.#logger?.debug(
      `${kept.method} ${kept.path} ${kept.status ?? "no answer"} ` +
        `${kept.problem === null ? "" : `${kept.problem} `}in ${Math.round(kept.durationMs)} ms`,
    );
  }

  /** The kept attempts, oldest first. */
  list(): readonly ExchangeEvent[] {
    return [...this.#events];
  }
}

/** A caller's logger that cannot fail a load: what it throws, or rejects later, is of no interest to the load. */
export function guardLogger(logger: Logger): Logger {
  const guard = (say: (message: string) => unknown) => (message: string) => {
    try {
      Promise.resolve(say(message)).catch(() => {});
    } catch {
      // A log that cannot be written is no reason to lose what was loaded.
    }
  };
  return {
    debug: guard((message) => logger.debug(message)),
    warn: guard((message) => logger.warn(message)),
  };
}
