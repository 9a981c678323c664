import type { EndpointId } from "../contract/endpoint.ts";

/** One request to the service, as a verb of the client describes it. */
export interface ExchangeRequest {
  /** Only reads exist; HEAD is for the release file. */
  readonly method: "GET" | "HEAD";
  /** Endpoint, which says what the request spends. */
  readonly endpoint: EndpointId;
  /** Path with its query, below the base address. */
  readonly path: string;
  /** Media type of a good answer; another one is not the API's. */
  readonly accept: "application/json" | "text/csv" | "application/gzip";
  /** What is being tried, to stand behind "Cannot": `load the latest ecpnd scores`. */
  readonly action: string;
  /** Validator of a stored body; without it a 304 is an error. */
  readonly ifNoneMatch?: string;
}

/** How one exchange may differ from the connection's settings. */
export interface ExchangeOptions {
  /** Cancels waiting, sending and receiving. */
  readonly signal?: AbortSignal;
  /**
   * Time for one attempt, from sending to the end of the body; for a release file the time between two parts of it.
   *
   * @default the connection's
   */
  readonly timeoutMs?: number;
  /**
   * Time for all attempts and the waiting between them.
   *
   * @default the connection's
   */
  readonly deadlineMs?: number;
  /**
   * Further attempts after the first; a started release file is never asked for again, because each start costs.
   *
   * @default the connection's
   */
  readonly maxRetries?: number;
  /**
   * Waiting in total; a longer one becomes a `WaitError` that says until when.
   *
   * @default the connection's
   */
  readonly maxWaitMs?: number;
  /**
   * Requests of the UTC day that are left to others.
   *
   * @default the connection's
   */
  readonly reserve?: number;
}

/** What is known of every good answer. */
export interface AnswerHead {
  /** 200, or 304 if a validator was sent and still holds. */
  readonly status: 200 | 304;
  /** Headers of the answer. */
  readonly headers: Headers;
  /** The service's id of the request, if it sent one. */
  readonly requestId: string | null;
  /** When the headers arrived, epoch milliseconds. */
  readonly receivedAtMs: number;
  /** Who answered: the embedded server names itself in the `Server` header. */
  readonly source: "live" | "embedded";
  /** Whether the service declares its numbers as made up. */
  readonly synthetic: boolean;
  /** How often the request was sent. */
  readonly attempts: number;
}

/** A good answer with its whole body. */
export interface Answer extends AnswerHead {
  /** The body; empty for 304 and HEAD. */
  readonly body: Uint8Array;
}

/** A good answer whose body is still arriving. */
export interface StreamedAnswer extends AnswerHead {
  /**
   * The body in parts, to be read once. A broken transfer, a passed deadline or an announced length that is not
   * reached throws a `TransportError`. Leaving the loop early cancels the transfer.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Cancels what has not arrived; needed only if `chunks` is never read. */
  close(): Promise<void>;
}

/**
 * Sends requests for one account: key, gates, allowance ledger, deadline, retry and typed errors are behind it.
 *
 * Every failure is thrown as an error of `errors.ts`; what is returned is a 200, or a 304 that was asked for.
 */
export interface Exchange {
  /** Base address without a trailing slash; what is written to a store as the origin. */
  readonly origin: string;
  /** Sends a request and receives its whole body, which is bounded. */
  send(request: ExchangeRequest, options?: ExchangeOptions): Promise<Answer>;
  /** Sends a request whose body is too large to be held; its slot is kept until the body ends. */
  open(request: ExchangeRequest, options?: ExchangeOptions): Promise<StreamedAnswer>;
}
