import type { Endpoint } from "../../base/contract/http/endpoint.ts";
import type { Factor } from "../../base/contract/factor.ts";

// Statuses of the real service before it counts a request: transport, access and quota.
const BEFORE_ADMISSION = [401, 408, 413, 414, 415, 429, 431];
// These change an answer of the data handler, which a request with an answering fault never reaches.
const OF_HANDLED_ANSWER: readonly FaultRule["kind"][] = [
  "corrupt",
  "release_swapped",
  "duplicate_row",
  "unsorted_rows",
  "missing_row",
  "score_out_of_range",
  "unknown_status",
];

/** An injected fault: the requests that it affects, its count, and its kind. */
export type FaultRule =
  & {
    /** Endpoint. @default every endpoint */
    readonly endpoint?: "factors" | "scores" | "history" | "historyFile";
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
  & (
    /** Answers with an error status or any other status. */
    | {
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
    }
    /** Answers with a foreign page, as a proxy would. */
    | {
      /** Discriminator. */
      readonly kind: "proxy_page";
      /** HTTP status. @default 502 */
      readonly status?: number;
      /** The page. @default a short HTML page */
      readonly html?: string;
    }
    /** Waits before the data handler, within the request deadline. */
    | {
      /** Discriminator. */
      readonly kind: "latency";
      /** Waiting time. */
      readonly ms: number;
    }
    /** Sends the body in small pieces. */
    | {
      /** Discriminator. */
      readonly kind: "dribble";
      /** Bytes of one piece. @default 16 */
      readonly chunkBytes?: number;
      /** Pause between pieces. @default 50 */
      readonly intervalMs?: number;
    }
    /** Resets the connection, before anything was sent or in the middle of the body. */
    | {
      /** Discriminator. */
      readonly kind: "reset";
      /** Body bytes sent before; -1 sends not even the head. @default -1 */
      readonly afterBytes?: number;
    }
    /** Ends the connection in an orderly way before the announced length is reached. */
    | {
      /** Discriminator. */
      readonly kind: "cut";
      /** Body bytes sent before. @default half of the body */
      readonly afterBytes?: number;
    }
    /** Announces a wrong length. */
    | {
      /** Discriminator. */
      readonly kind: "content_length";
      /** Amount added to the actual length. */
      readonly by: number;
    }
    /** Flips one bit of the body. */
    | {
      /** Discriminator. */
      readonly kind: "corrupt";
      /** Position of the byte. @default the middle of the body */
      readonly offset?: number;
    }
    /** Announces a release that is no longer the downloadable one. */
    | {
      /** Discriminator. */
      readonly kind: "release_swapped";
    }
    /** Breaks a rule of the rows of a score response. */
    | {
      /** Discriminator: the last row twice, the first two rows swapped, a row missing, or a score beyond 1. */
      readonly kind: "duplicate_row" | "unsorted_rows" | "missing_row" | "score_out_of_range";
    }
    /** Reports a status that the API document does not define, in body and headers. */
    | {
      /** Discriminator. */
      readonly kind: "unknown_status";
      /** The status. @default "recalculating" */
      readonly status?: string;
    }
    /** Omits or changes headers. */
    | {
      /** Discriminator. */
      readonly kind: "headers";
      /** Value by name; null omits the header. */
      readonly set: Readonly<Record<string, string | null>>;
    }
  );

/** Requests that a fault affects, and its count. */
export type FaultTarget = Pick<FaultRule, Exclude<keyof FaultRule, "kind">>;

/** Answers with an error status or any other status. */
export type StatusFault = Extract<FaultRule, { readonly kind: "status" }>;

/** Breaks a rule of the rows of a score response. */
export type RowsFault = Extract<
  FaultRule,
  { readonly kind: "duplicate_row" | "unsorted_rows" | "missing_row" | "score_out_of_range" }
>;

/**
 * A request that faults may affect.
 *
 * @internal
 */
export interface FaultCandidate {
  /** Endpoint of the request. */
  readonly endpoint: Endpoint;
  /** Method. */
  readonly method: string;
  /** Target as sent. */
  readonly target: string;
}

interface PlannedFault {
  readonly rule: FaultRule;
  readonly random: () => number;
  seen: number;
  struck: number;
}

/** Decides which faults affect a request; equal sequences of requests have equal faults. */
export class FaultPlan {
  readonly #faults: PlannedFault[] = [];
  #seed: number;

  /**
   * Creates a plan with decisions determined by its seed.
   *
   * @param rules Faults, in the order in which they apply
   * @param seed Seed of the pseudo-random decisions
   */
  constructor(rules: readonly FaultRule[], seed: number) {
    this.#seed = seed;
    for (const rule of rules) this.add(rule);
  }

  /**
   * Adds a fault after the existing ones.
   *
   * @throws {RangeError} If its probability or its status is out of range
   */
  add(rule: FaultRule): void {
    const chance = rule.probability ?? 1;
    if (!(chance >= 0 && chance <= 1)) {
      throw new RangeError(
        `Cannot add the fault "${rule.kind}": expected a probability from 0 to 1, got ${chance}`,
      );
    }
    const { status } = rule as { readonly status?: unknown };
    if (
      typeof status === "number" && !(Number.isInteger(status) && status >= 200 && status < 600)
    ) {
      throw new RangeError(
        `Cannot add the fault "${rule.kind}": expected a status from 200 to 599, got ${status}`,
      );
    }
    this.#faults.push({ rule, random: seededRandom(this.#seed++), seen: 0, struck: 0 });
  }

  /** Removes all faults. */
  clear(): void {
    this.#faults.length = 0;
  }

  /**
   * Faults that affect a request; each is counted, unless it is not yet due.
   *
   * @ignore
   */
  strike(candidate: FaultCandidate): readonly FaultRule[] {
    if (this.#faults.length === 0) return [];
    const drawn = this.#faults.filter((fault) => isDrawn(fault, candidate));
    const answer = drawn.find(({ rule }) => isAnswer(rule));
    const struck: PlannedFault[] = [];
    for (const fault of drawn) {
      if (fault.rule.count !== undefined && waits(fault, { answer, struck })) continue;
      fault.struck++;
      struck.push(fault);
    }
    return struck.map(({ rule }) => rule);
  }
}

/** True if a fault answers before a request allowance is spent, like the status that it imitates. */
export function isBeforeAdmission(rule: FaultRule): boolean {
  return rule.kind === "status" && BEFORE_ADMISSION.includes(rule.status);
}

function isAnswer(rule: FaultRule): boolean {
  return rule.kind === "status" || rule.kind === "proxy_page";
}

// Two faults with a count of one affect two requests: a fault without a visible effect is not counted.
function waits(
  { rule }: PlannedFault,
  others: { readonly answer: PlannedFault | undefined; readonly struck: readonly PlannedFault[] },
): boolean {
  const { answer, struck } = others;
  if (answer !== undefined) {
    if (OF_HANDLED_ANSWER.includes(rule.kind)) return true;
    // A delay applies to an answer that follows it in the plan, unless that answer comes before all delays.
    const isLate = isBeforeAdmission(answer.rule) || struck.includes(answer);
    if (rule.kind === "latency" && isLate) return true;
  }
  return struck.some((earlier) =>
    earlier.rule.kind === rule.kind || isAnswer(earlier.rule) && isAnswer(rule)
  );
}

function isDrawn(fault: PlannedFault, candidate: FaultCandidate): boolean {
  const { rule } = fault;
  if (rule.endpoint !== undefined && rule.endpoint !== candidate.endpoint.id) return false;
  if (rule.method !== undefined && rule.method !== candidate.method) return false;
  if (rule.contains !== undefined && !candidate.target.includes(rule.contains)) return false;
  fault.seen++;
  if (fault.seen <= (rule.after ?? 0) || fault.struck >= (rule.count ?? Infinity)) return false;
  return rule.probability === undefined || fault.random() < rule.probability;
}

// Mulberry32: 32 bits of state suffice for test requests.
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
