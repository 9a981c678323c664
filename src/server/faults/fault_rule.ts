import type { EndpointId } from "../../base/contract/http/endpoint.ts";
import type { Factor } from "../../base/contract/factor.ts";

/** Requests that a fault affects, and its count. */
export interface FaultTarget {
  /** Endpoint. @default every endpoint */
  readonly endpoint?: EndpointId;
  /** Method. @default every method */
  readonly method?: "GET" | "HEAD";
  /** Text that the request target must contain, such as `format=csv`. @default any */
  readonly contains?: string;
  /** Number of matching requests before the first affected one. @default 0 */
  readonly after?: number;
  /**
   * Number of affected requests. A fault with a count waits while an earlier one of its kind applies, or while another one
   * replaces the answer that it would change, so that two faults with a count of one affect two requests.
   *
   * @default no end
   */
  readonly count?: number;
  /** Probability that a matching request is affected, by the seed. @default 1 */
  readonly probability?: number;
}

/** An injected fault. */
export type FaultRule =
  /** Answers with an error status or any other status. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "status";
    /** HTTP status. */
    readonly status: number;
    /** Error code in the body. @default the first code of the status in section 7; `request_timeout` for 408, `invalid_request` for the other transport statuses */
    readonly code?: string;
    /** `Retry-After`; 0 omits the header. @default 1 on 429 and 503, else none */
    readonly retryAfterSeconds?: number;
    /** Factor named in the body. @default none */
    readonly factor?: Factor;
    /** Further headers, such as `Location`. @default none */
    readonly headers?: Readonly<Record<string, string>>;
  })
  /** Answers with a foreign page, as a proxy would. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "proxy_page";
    /** HTTP status. @default 502 */
    readonly status?: number;
    /** The page. @default a short HTML page */
    readonly html?: string;
  })
  /** Waits before the data handler, within the request deadline. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "latency";
    /** Waiting time. */
    readonly ms: number;
  })
  /** Sends the body in small pieces. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "dribble";
    /** Bytes of one piece. @default 16 */
    readonly chunkBytes?: number;
    /** Pause between pieces. @default 50 */
    readonly intervalMs?: number;
  })
  /** Resets the connection, before anything was sent or in the middle of the body. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "reset";
    /** Body bytes sent before; -1 sends not even the head. @default -1 */
    readonly afterBytes?: number;
  })
  /** Ends the connection in an orderly way before the announced length is reached. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "cut";
    /** Body bytes sent before. @default half of the body */
    readonly afterBytes?: number;
  })
  /** Announces a wrong length. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "content_length";
    /** Amount added to the actual length. */
    readonly by: number;
  })
  /** Flips one bit of the body. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "corrupt";
    /** Position of the byte. @default the middle of the body */
    readonly offset?: number;
  })
  /** Announces a release that is no longer the downloadable one. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "release_swapped";
  })
  /** Breaks a rule of the rows of a score response. */
  | (FaultTarget & {
    /** Discriminator: the last row twice, the first two rows swapped, a row missing, or a score beyond 1. */
    readonly kind: "duplicate_row" | "unsorted_rows" | "missing_row" | "score_out_of_range";
  })
  /** Reports a status that the API document does not define, in body and headers. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "unknown_status";
    /** The status. @default "recalculating" */
    readonly status?: string;
  })
  /** Omits or changes headers. */
  | (FaultTarget & {
    /** Discriminator. */
    readonly kind: "headers";
    /** Value by name; null omits the header. */
    readonly set: Readonly<Record<string, string | null>>;
  });

/** Answers with an error status or any other status. */
export type StatusFault = Extract<FaultRule, { readonly kind: "status" }>;

/** Breaks a rule of the rows of a score response. */
export type RowsFault = Extract<
  FaultRule,
  { readonly kind: "duplicate_row" | "unsorted_rows" | "missing_row" | "score_out_of_range" }
>;
