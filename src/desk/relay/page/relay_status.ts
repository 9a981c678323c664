import type { Instant } from "../../../base/contract/instant.ts";
import type { BudgetLeft } from "../../../client/cost/allowance.ts";
import type { EndpointUse, RefusalNote } from "./activity.ts";

/** Everything that the page of a relay shows. */
export interface RelayStatus {
  /** Time by the service's clock. */
  readonly at: Instant;
  /** Address of the service. */
  readonly service: string;
  /** True if the service's numbers are synthetic. */
  readonly synthetic: boolean;
  /** The system's error about the disk; `null` if there is none. */
  readonly diskTrouble: string | null;
  /** Requests to the service that wait for their turn. */
  readonly waiting: number;
  /** Remaining budgets of the account. */
  readonly allowance: {
    readonly minute: BudgetLeft;
    readonly day: BudgetLeft;
    readonly download: BudgetLeft;
    readonly heldUntil: Instant | null;
  };
  /** Answers and requests of the UTC day, in total and by tenth of an hour. */
  readonly day: {
    readonly answered: number;
    readonly requests: number;
    readonly downloads: number;
    /** Share of answers without a request to the service; `null` without answers. */
    readonly hitRate: number | null;
    readonly spans: readonly DaySlice[];
  };
  /** Users with valid keys, with their spending in the UTC day. */
  readonly users: readonly UserStatus[];
  /** Requests by user and endpoint since the relay started. */
  readonly uses: readonly EndpointUse[];
  /** Licence of the account. */
  readonly licence: {
    readonly factors: readonly string[];
    /** Time of the service's confirmation; `null` without a valid one. */
    readonly confirmedAt: Instant | null;
    /** Time at which it has to be confirmed again. */
    readonly until: Instant | null;
  };
  /** Factors with their last known check. */
  readonly factors: readonly FactorStatus[];
  /** Releases of the store. */
  readonly releases: readonly {
    readonly factor: string;
    readonly sha256: string;
    readonly sizeBytes: number;
    readonly receivedAt: Instant;
  }[];
  /** The store. */
  readonly store: {
    readonly path: string;
    readonly sets: number;
    readonly checks: number;
    /** Free bytes of its disk; `null` if the system does not report them. */
    readonly freeBytes: number | null;
    /** Bytes of all its files; `null` until they are counted. */
    readonly bytes: number | null;
  };
  /** The last refusals, the newest first. */
  readonly refusals: readonly RefusalNote[];
}

/** A tenth of an hour of the UTC day. */
export interface DaySlice {
  /** Minutes since 00:00 UTC. */
  readonly minute: number;
  /** Answers to users. */
  readonly answered: number;
  /** Requests to the service. */
  readonly requests: number;
}

/** A user, with spending in the UTC day. */
export interface UserStatus {
  /** Name. */
  readonly name: string;
  /** Limit of requests to the service; `null` for the account's. */
  readonly requestsLimit: number | null;
  /** Limit of downloads; `null` for the account's. */
  readonly downloadsLimit: number | null;
  /** Answers. */
  readonly answered: number;
  /** Requests to the service. */
  readonly requests: number;
  /** Downloads. */
  readonly downloads: number;
}

/** A factor and its last known check. */
export interface FactorStatus {
  /** Factor. */
  readonly factor: string;
  /** Last request to the service for its latest check; `null` if there was none since the start. */
  readonly askedAt: Instant | null;
  /** Time of that check. */
  readonly lastCheckedAt: Instant | null;
  /** Its status by time. */
  readonly status: string | null;
}
