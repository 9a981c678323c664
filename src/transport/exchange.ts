import type { EndpointId } from "../contract/http/endpoint.ts";
import type { CallPatience } from "./call_patience.ts";

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
  /** Action, worded to follow "Cannot": `load the latest ecpnd scores`. */
  readonly action: string;
  /** Validator of a stored body; without it a 304 is an error. */
  readonly ifNoneMatch?: string;
}

/** Settings of one call of a verb that may differ from the connection's. */
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
   * Time for the whole call: all its requests with their attempts, and the waiting between them. The transfer of a
   * release file has the whole time again from its start, because breaking it off would cost a download.
   *
   * @default the connection's, which holds for each request of a call
   */
  readonly deadlineMs?: number;
  /**
   * Further attempts after the first; a started release file is never asked for again, because each start costs.
   *
   * @default the connection's
   */
  readonly maxRetries?: number;
  /**
   * Waiting of the whole call, for the allowance, for what the service asks, and for a free place among the concurrent
   * requests; a longer one becomes a `WaitError` that says until when.
   *
   * @default the connection's, which holds for each request of a call
   */
  readonly maxWaitMs?: number;
  /**
   * Requests of the UTC day that are left to others.
   *
   * @default the connection's
   */
  readonly reserve?: number;
}

/** Sending of one request of a verb. */
export interface SendOptions extends ExchangeOptions {
  /**
   * Limits of the whole call of the verb, shared by all its requests.
   *
   * @default each request has `deadlineMs` and `maxWaitMs` for itself
   */
  readonly patience?: CallPatience;
  /**
   * Ends the waiting for a turn or for another attempt. What was sent goes on to its end: it is spent in any case.
   *
   * @default only `signal` ends it
   */
  readonly waitSignal?: AbortSignal;
}

/** Sending of a request that may turn out not to be needed. */
export interface IfNeededOptions extends SendOptions {
  /**
   * Asked when it is the request's turn and before anything is sent: the request before it may have brought the same
   * answer. With `false` nothing is sent and nothing is spent. Must not throw.
   *
   * @default a request that is needed
   */
  readonly isNeeded?: () => Promise<boolean>;
}

/** Facts of every good answer. */
export interface AnswerHead {
  /** 200, or 304 if a validator was sent and still holds. */
  readonly status: 200 | 304;
  /** Headers of the answer. */
  readonly headers: Headers;
  /** The service's id of the request, if it sent one. */
  readonly requestId: string | null;
  /** Time of sending of the successful attempt, epoch milliseconds. */
  readonly sentAtMs: number;
  /** Arrival of the headers, epoch milliseconds. */
  readonly receivedAtMs: number;
  /** Source that answered: the embedded server names itself in the `Server` header. */
  readonly source: "live" | "embedded";
  /** True if the service declares its numbers as made up. */
  readonly synthetic: boolean;
  /** Number of times the request was sent. */
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
  /** Gives the slot back, and cancels what has not arrived; must be called, and may be called more than once. */
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
  send(request: ExchangeRequest, options?: SendOptions): Promise<Answer>;
  /** Sends a request as {@link send}; `null` if it was not needed any more when its turn came. */
  sendIfNeeded(request: ExchangeRequest, options: IfNeededOptions): Promise<Answer | null>;
  /**
   * Sends a request whose body is too large to be held; its slot is kept until it is closed, or its transfer
   * breaks. `null` if it was not needed any more when its turn came.
   */
  open(request: ExchangeRequest, options?: IfNeededOptions): Promise<StreamedAnswer | null>;
  /** Ends what is in flight and refuses later requests. */
  close(): Promise<void>;
}
