import { type EndpointId, ENDPOINTS } from "../../base/contract/http/endpoint.ts";
import type { CallPatience } from "./call_patience.ts";
import { AMOUNT, type OptionRules, SIGNAL } from "../../base/arguments/check_options.ts";

/** Accepted options of every verb. */
export const EXCHANGE_RULES: OptionRules<ExchangeOptions> = {
  signal: SIGNAL,
  timeoutMs: AMOUNT,
  deadlineMs: AMOUNT,
  maxRetries: AMOUNT,
  maxWaitMs: AMOUNT,
  reserve: AMOUNT,
};

/** One request of a verb to the service. */
export interface ExchangeRequest {
  /** Method; HEAD is for the release file. */
  readonly method: "GET" | "HEAD";
  /** Endpoint, which determines the cost. */
  readonly endpoint: EndpointId;
  /** Path with its query, below the base address. */
  readonly path: string;
  /** Media type of a good answer; any other is not from the API. */
  readonly accept: "application/json" | "text/csv" | "application/gzip";
  /** Action, worded to follow "Cannot": `load the latest ecpnd scores`. */
  readonly action: string;
  /** Validator of a stored body; without it a 304 is an error. */
  readonly ifNoneMatch?: string;
}

/** Settings of one call that may differ from those of the connection. */
export interface ExchangeOptions {
  /** Cancels waiting, sending and receiving. */
  readonly signal?: AbortSignal;
  /**
   * Time for one attempt, from sending to the end of the body; for a release file, the time between two chunks.
   *
   * @default the connection's
   */
  readonly timeoutMs?: number;
  /**
   * Time for the whole call: all its requests with their attempts, and the waits between them. The transfer of a release file
   * gets the whole time again from its start, because ending it early would cost a download.
   *
   * @default the connection's, which holds for each request of a call
   */
  readonly deadlineMs?: number;
  /**
   * Further attempts after the first; a started release file is never requested again, because each start costs a download.
   *
   * @default the connection's
   */
  readonly maxRetries?: number;
  /**
   * Total waiting of the call: for the allowance, for waits that the service requires, and for a free slot among the concurrent
   * requests. A longer wait becomes a `WaitError` with its end.
   *
   * @default the connection's, which holds for each request of a call
   */
  readonly maxWaitMs?: number;
  /**
   * Requests of the UTC day left for others.
   *
   * @default the connection's
   */
  readonly reserve?: number;
}

/** Options of sending one request of a verb. */
export interface SendOptions extends ExchangeOptions {
  /**
   * Limits of the whole call of the verb, shared by all its requests.
   *
   * @default each request has `deadlineMs` and `maxWaitMs` for itself
   */
  readonly patience?: CallPatience;
  /**
   * Ends the waiting for a turn or for another attempt. A sent request continues, because it is already spent.
   *
   * @default only `signal` ends it
   */
  readonly waitSignal?: AbortSignal;
}

/** Options of sending a request that may become unnecessary. */
export interface IfNeededOptions extends SendOptions {
  /**
   * Called when it is the request's turn, before anything is sent: a preceding request may have brought the same answer. If it
   * returns `false`, nothing is sent or spent. Must not throw.
   *
   * @default a request that is needed
   */
  readonly isNeeded?: () => Promise<boolean>;
  /**
   * Called after an attempt that was needed and never reached the service, so that nothing was spent. Must not throw.
   *
   * @default nothing
   */
  readonly onUnsent?: () => void;
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
  /** Source of the answer: the embedded server names itself in the `Server` header. */
  readonly source: "live" | "embedded";
  /** True if the service declares its numbers as synthetic. */
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
   * The body in chunks, to be read once. An interrupted transfer, a passed deadline or too few bytes throw a `TransportError`.
   * Leaving the loop early cancels the transfer.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Frees the slot, and cancels an unfinished transfer; must be called, and may be called more than once. */
  close(): Promise<void>;
}

/**
 * Sends requests for one account, with key, gates, allowance ledger, deadlines, retries and typed errors.
 *
 * Every failure is thrown as an error of `errors.ts`; the returned answer is a 200, or a 304 to a validator.
 */
export interface Exchange {
  /** Base address without a trailing slash; stores record it as the origin. */
  readonly origin: string;
  /** Sends a request and receives its whole body, up to a limit. */
  send(request: ExchangeRequest, options?: SendOptions): Promise<Answer>;
  /** Sends a request as {@link send}; `null` if it was no longer needed when its turn came. */
  sendIfNeeded(request: ExchangeRequest, options: IfNeededOptions): Promise<Answer | null>;
  /**
   * Sends a request whose body is too large for memory; its slot is kept until it is closed, or its transfer fails. `null` if
   * it was no longer needed when its turn came.
   */
  open(request: ExchangeRequest, options?: IfNeededOptions): Promise<StreamedAnswer | null>;
  /** Ends requests in flight and refuses later ones. */
  close(): Promise<void>;
}

/** True if starting the request spends a download: a GET of the file, not its HEAD (section 8). */
export function isFileGet(request: Pick<ExchangeRequest, "method" | "endpoint">): boolean {
  return request.method === "GET" && ENDPOINTS[request.endpoint].spendsDownload;
}
