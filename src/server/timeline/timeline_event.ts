import type { Factor } from "../../base/contract/factor.ts";

/** A span of server time. */
export interface Span {
  /** First instant. */
  readonly from: string;
  /** End, exclusive. */
  readonly until: string;
}

/** An event of the service at a time of its clock. */
export type TimelineEvent =
  /** The service completes no check: stored ones of the span are hidden, and none is completed. */
  | (Span & {
    /** Discriminator. */
    readonly kind: "outage";
    /** Affected factor. @default both */
    readonly factor?: Factor;
  })
  /** No check exists before an instant, although the store has some. */
  | {
    /** Discriminator. */
    readonly kind: "no_first_set";
    /** Earliest time of the first set. */
    readonly until: string;
    /** Affected factor. @default both */
    readonly factor?: Factor;
  }
  /** Source reconciliation is delayed: the cutoff remains at the start of the span. */
  | (Span & {
    /** Discriminator. */
    readonly kind: "source_delay";
    /** Affected factor. @default both */
    readonly factor?: Factor;
  })
  /** Calls are pending or have failed. */
  | (Span & {
    /** Discriminator. */
    readonly kind: "backlog";
    /** Affected factor. @default both */
    readonly factor?: Factor;
    /** Pending calls. @default 0 */
    readonly pendingCalls?: number;
    /** Failed calls. @default 0 */
    readonly failedCalls?: number;
    /** Call records that await factor processing; shown for `ecqdi`. @default 0 */
    readonly pendingFactorCalls?: number;
  })
  /** Prices of some tracked tickers, or of the benchmark, are missing. */
  | (Span & {
    /** Discriminator. */
    readonly kind: "partial_prices";
    /** Affected factor. @default both */
    readonly factor?: Factor;
    /** Tickers whose prices are current. */
    readonly priceTickersCurrent: number | null;
  })
  /** Numbers are corrected from an instant on; the server's next check publishes them. */
  | {
    /** Discriminator. */
    readonly kind: "correction";
    /** Time of the event. */
    readonly at: string;
    /** Corrected factor. */
    readonly factor: Factor;
    /** New scores by ticker; null removes a score. */
    readonly scores: Readonly<Record<string, number | null>>;
  }
  /** A factor licence begins or ends. */
  | {
    /** Discriminator. */
    readonly kind: "licence";
    /** Time of the event. */
    readonly at: string;
    /** Name of the account. */
    readonly account: string;
    /** The factor. */
    readonly factor: Factor;
    /** True if the licence begins; otherwise it ends. */
    readonly active: boolean;
  }
  /** A key is revoked. */
  | {
    /** Discriminator. */
    readonly kind: "key_revoked";
    /** Time of the event. */
    readonly at: string;
    /** Name of the account. */
    readonly account: string;
    /** SHA-256 of the key. @default all keys of the account */
    readonly sha256?: string;
  }
  /** Another release of the store is served. */
  | {
    /** Discriminator. */
    readonly kind: "release_replaced";
    /** Time of the event. */
    readonly at: string;
    /** The factor. */
    readonly factor: Factor;
    /** `download_sha256` of the release served from then on; null if none is ready. */
    readonly downloadSha256: string | null;
  };

/** The events of some kinds. */
export type EventOf<Kind extends TimelineEvent["kind"]> = Extract<
  TimelineEvent,
  { readonly kind: Kind }
>;
