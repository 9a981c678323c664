import type { EventRow } from "../../frames/frame/event_frame.ts";

/** Receiver of log messages; every console has this interface. */
export interface Logger {
  /** Each attempt. */
  debug(message: string): void;
  /** Unusual but allowed answers, and repeated attempts. */
  warn(message: string): void;
}

const CAPACITY = 1_000;

/** The last thousand attempts, which are also passed to a logger; contains no key. */
export class EventLog {
  readonly #events: EventRow[] = [];
  readonly #redact: (text: string) => string;
  readonly #logger: Logger | undefined;

  /**
   * @param redact Removes keys from a text
   * @param logger Receives each attempt; by default the log is only kept
   */
  constructor(redact: (text: string) => string, logger?: Logger) {
    this.#redact = redact;
    this.#logger = logger;
  }

  /** Adds an attempt. */
  add(event: EventRow): void {
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

  /** Attempts, oldest first. */
  list(): readonly EventRow[] {
    return [...this.#events];
  }
}

/** A caller's logger whose errors and rejections are ignored, so that it cannot fail a load. */
export function guardLogger(logger: Logger): Logger {
  const guard = (say: (message: string) => unknown) => (message: string) => {
    try {
      Promise.resolve(say(message)).catch(() => {});
    } catch {
      // A failing log must not fail the load.
    }
  };
  return {
    debug: guard((message) => logger.debug(message)),
    warn: guard((message) => logger.warn(message)),
  };
}
