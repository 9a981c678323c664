import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { type Instant, parseInstant } from "../../base/contract/instant.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { CheckInput } from "../../base/store/checks/complete_check.ts";
import {
  isKnownStatus,
  type KnownStatus,
  STATUS_PRIORITY,
} from "../../base/contract/scores/status.ts";

/** An event of the service at a time of its clock. */
export type TimelineEvent =
  | (
    & {
      /** First instant. */
      readonly from: string;
      /** End, exclusive. */
      readonly until: string;
    }
    & (
      /** The service completes no check: stored ones of the span are hidden, and none is completed. */
      | {
        /** Discriminator. */
        readonly kind: "outage";
        /** Affected factor. @default both */
        readonly factor?: Factor;
      }
      /** Source reconciliation is delayed: the cutoff remains at the start of the span. */
      | {
        /** Discriminator. */
        readonly kind: "source_delay";
        /** Affected factor. @default both */
        readonly factor?: Factor;
      }
      /** Calls are pending or have failed. */
      | {
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
      }
      /** Prices of some tracked tickers, or of the benchmark, are missing. */
      | {
        /** Discriminator. */
        readonly kind: "partial_prices";
        /** Affected factor. @default both */
        readonly factor?: Factor;
        /** Tickers whose prices are current. */
        readonly priceTickersCurrent: number | null;
      }
    )
  )
  /** No check exists before an instant, although the store has some. */
  | {
    /** Discriminator. */
    readonly kind: "no_first_set";
    /** Earliest time of the first set. */
    readonly until: string;
    /** Affected factor. @default both */
    readonly factor?: Factor;
  }
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

/** Events of the service, by its clock. Every query has a time, so that a clock that is set back sees the past unchanged. */
export class Timeline {
  readonly #events: readonly TimelineEvent[];

  /**
   * @param events Events, in any order
   * @throws {ContractViolation} If a time is not an RFC 3339 date-time
   */
  constructor(events: readonly TimelineEvent[]) {
    this.#events = events.map(canonical);
  }

  /** True if a check of this time is hidden from clients. */
  hides(factor: Factor, checkedAt: Instant): boolean {
    return this.#events.some((event) => {
      if (event.kind === "no_first_set") return concerns(event, factor) && checkedAt < event.until;
      return event.kind === "outage" && concerns(event, factor) && covers(event, checkedAt);
    });
  }

  /** True if any check may be hidden. */
  get hidesChecks(): boolean {
    return this.#events.some(({ kind }) => kind === "outage" || kind === "no_first_set");
  }

  /** True if an instant is before the first set, so that no check is visible, even if the store has one. */
  precedesFirstSet(factor: Factor, at: Instant): boolean {
    return this.#events.some((event) =>
      event.kind === "no_first_set" && concerns(event, factor) && at < event.until
    );
  }

  /** A check as visible to clients, with the delays and gaps of its time. */
  shape(check: Check): Check {
    const { factor, lastCheckedAt } = check;
    return this.#events.reduce(
      (shaped, event) =>
        "from" in event && concerns(event, factor) && covers(event, lastCheckedAt)
          ? shapeCheck(shaped, event)
          : shaped,
      check,
    );
  }

  /** Findings of a check, with the corrections up to its time. */
  correct(input: CheckInput): CheckInput {
    return this.#events.reduce(
      (corrected, event) =>
        event.kind === "correction" && event.factor === input.factor && event.at <= input.checkedAt
          ? { ...corrected, rows: correctRows(corrected.rows, event.scores) }
          : corrected,
      input,
    );
  }

  /** Release set by an event up to a time: its digest, `null` if none is ready, `undefined` without an event. */
  releaseAt(factor: Factor, now: Instant): string | null | undefined {
    let found: { at: Instant; downloadSha256: string | null } | undefined;
    for (const event of this.#events) {
      if (event.kind !== "release_replaced" || event.factor !== factor || event.at > now) continue;
      if (found === undefined || event.at >= found.at) found = event;
    }
    return found === undefined ? undefined : found.downloadSha256;
  }

  /** Events of an account. */
  changesOf(accountId: string): readonly EventOf<"licence" | "key_revoked">[] {
    const changes = this.#events.filter((event) =>
      event.kind === "licence" || event.kind === "key_revoked"
    );
    return changes.filter((event) => event.account === accountId)
      .sort((a, b) => a.at < b.at ? -1 : 1);
  }
}

function correctRows(rows: ScoreRows, scores: Readonly<Record<string, number | null>>): ScoreRows {
  const corrected = rows.tickers.map((ticker, i) =>
    Object.hasOwn(scores, ticker) ? scores[ticker] ?? null : rows.scores[i] ?? null
  );
  return { tickers: rows.tickers, scores: corrected };
}

function concerns(event: { readonly factor?: Factor }, factor: Factor): boolean {
  return event.factor === undefined || event.factor === factor;
}

function covers(span: { readonly from: Instant; readonly until: Instant }, at: Instant): boolean {
  return span.from <= at && at < span.until;
}

function canonical(event: TimelineEvent): TimelineEvent {
  const times: Record<string, string> = {};
  for (const name of ["from", "until", "at"] as const) {
    const value = (event as unknown as Record<string, unknown>)[name];
    if (value !== undefined) times[name] = parseInstant(value, `timeline ${event.kind} ${name}`);
  }
  return { ...event, ...times };
}

/** Applies an event to a check; the status remains the first one that applies (section 3). */
export function shapeCheck(check: Check, event: TimelineEvent): Check {
  switch (event.kind) {
    case "source_delay":
      return delaySource(check, event);
    case "backlog":
      return holdBacklog(check, event);
    case "partial_prices":
      return missPrices(check, event);
    default:
      return check;
  }
}

function delaySource(check: Check, { from }: EventOf<"source_delay">): Check {
  const dataThrough = from < check.dataThrough ? from : check.dataThrough;
  return { ...check, dataThrough, status: firstOf(check.status, "call_source_delayed") };
}

function holdBacklog(check: Check, event: EventOf<"backlog">): Check {
  const { pendingCalls = 0, failedCalls = 0 } = event;
  const pendingFactorCalls = check.factor === "ecqdi" ? event.pendingFactorCalls ?? 0 : null;
  const waiting = pendingCalls + failedCalls + (pendingFactorCalls ?? 0);
  return {
    ...check,
    coverage: { ...check.coverage, pendingCalls, failedCalls, pendingFactorCalls },
    status: waiting > 0 ? firstOf(check.status, "call_updates_pending") : check.status,
  };
}

function missPrices(check: Check, { priceTickersCurrent }: EventOf<"partial_prices">): Check {
  const { priceTickersTracked } = check.coverage;
  // A panel of unknown size cannot count as current.
  const isCurrent = priceTickersCurrent !== null && priceTickersTracked !== null &&
    priceTickersCurrent >= priceTickersTracked;
  return {
    ...check,
    coverage: { ...check.coverage, priceTickersCurrent },
    status: isCurrent ? check.status : firstOf(check.status, "partial_market_data"),
  };
}

// A status of a later edition of the API document is kept: its priority is unknown.
function firstOf(recorded: string, condition: KnownStatus): string {
  if (!isKnownStatus(recorded)) return recorded;
  return STATUS_PRIORITY.find((status) => status === recorded || status === condition) ?? recorded;
}
