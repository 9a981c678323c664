import type { Endpoint } from "../../base/contract/http/endpoint.ts";
import { isBeforeAdmission } from "./early_fault.ts";
import type { FaultRule } from "./fault_rule.ts";

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
    if (this.#faults.length === 0) return NONE;
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

const NONE: readonly FaultRule[] = [];
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
