import { oneOf, type Rule } from "../base/arguments/check_options.ts";
import { sayNotice } from "../frames/notebook/kernel/say_notice.ts";

/** The value of `compat`. */
export const COMPAT: Rule<"alphalens"> = oneOf("alphalens");

// The line that says what a function does, and its settings.
const PRESET = {
  align: {
    says: "entry at the session itself; a row without a return of any horizon is dropped",
    settings: { entry: "same", incomplete: "drop" },
  },
  alphaBeta: {
    says: "annualised from overlapping windows, without errors",
    settings: { regression: "annual" },
  },
  cumulativeReturns: {
    says:
      "a null return counts as 0, and its wealth is shown; returns have the date at which they begin",
    settings: { nullWealth: "last", dated: "begin" },
  },
  factorReturns: { says: "the same numbers as without it", settings: {} },
  factorWeights: {
    says: 'names at the median have no weight, so that weighting "equal" can be one-sided',
    settings: { isMedianOut: true },
  },
  forwardReturns: {
    says: "missing closes are padded, so a gap is 0% and then a jump",
    settings: { missing: "pad", calendar: "own" },
  },
  informationCoefficient: { says: "sessions of two stocks count", settings: { minNames: 2 } },
  meanReturnByQuantile: {
    says: "errors as if sessions were independent",
    settings: { errors: "plain" },
  },
  positions: {
    says: "sums of signals scaled to a gross exposure of 1, until the last has expired",
    settings: { overlap: "scaled sum" },
  },
  quantileSpread: {
    says: "errors as if top and bottom were independent",
    settings: { errors: "plain" },
  },
  quantileTurnover: { says: "the same numbers as without it", settings: {} },
  quantize: {
    says: "a session where quantiles fall together has no buckets",
    settings: { ties: "none", minNames: 1 },
  },
  rankAutocorrelation: {
    says: "ranks of each session among all of its own stocks",
    settings: { names: "all", minNames: 2 },
  },
} as const;

const said = new Set<string>();

/**
 * The settings that `compat: "alphalens"` stands for in a function; none without it. Says once a program what differs.
 *
 * @param compat The option that the function was given
 */
export function presetOf<Call extends keyof typeof PRESET>(
  call: Call,
  compat: "alphalens" | undefined,
): Partial<(typeof PRESET)[Call]["settings"]> {
  if (compat === undefined) return {};
  const { says, settings } = PRESET[call];
  if (!said.has(call)) sayNotice(`compat: "alphalens" in ${call}(): ${says}`);
  said.add(call);
  return settings;
}
