import type { Expr } from "nodejs-polars";
import { CONDITION } from "../read_options.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";

/** Options of the quantiles of scores. */
export interface QuantizeOptions {
  /** Number of quantiles of equal size, or their boundaries as shares from 0 to 1. @default 5 */
  readonly quantiles?: number | readonly number[];
  /** Alternative to quantiles: number of equal-width bins, or their edges; a bin includes its upper edge. @default none */
  readonly bins?: number | readonly number[];
  /** Stocks that are sorted together: all of a session, or those of a group. @default "session" */
  readonly by?: "session" | "group";
  /**
   * Treatment of equal scores. `together`: all at their mean rank. `edges`: below or above linear quantiles. `first`: broken by
   * the order of tickers. `raise`: an error where edges coincide.
   *
   * @default "together"
   */
  readonly ties?: "together" | "edges" | "first" | "raise";
  /** The stocks that set the edges, as an expression over the rows of the data. @default all scored stocks */
  readonly subset?: Expr;
  /** Number of scored stocks below which there are no quantiles. @default the number of quantiles */
  readonly minNames?: number;
  /** `"alphalens"`: a session where two edges coincide has no quantiles. @default none */
  readonly compat?: "alphalens";
}

/** Number of quantiles if none is given. */
export const USUAL_QUANTILES = 5;

/** A number of buckets, or their edges. */
function sizes(
  required: string,
  areRight: (edges: readonly number[]) => boolean = () => true,
): rules.Rule<number | readonly number[]> {
  return rules.ruleOf(
    required,
    (value) => rules.whole(1, 10_000).accepts(value) || (isAscending(value) && areRight(value)),
    { isKind: () => true },
  );
}

const RULES: rules.OptionRules<QuantizeOptions> = {
  quantiles: sizes(
    "a number from 1 to 10,000, or ascending shares in [0, 1]",
    (edges) => edges[0]! >= 0 && edges.at(-1)! <= 1,
  ),
  bins: sizes("a number from 1 to 10,000, or ascending edges"),
  by: rules.oneOf("session", "group"),
  ties: rules.oneOf("together", "edges", "first", "raise"),
  subset: CONDITION,
  minNames: rules.whole(1),
  compat: COMPAT,
};

/** The options of quantiles with their defaults, checked. */
export type BucketRules = ReturnType<typeof readQuantizeOptions>;

/**
 * Reads the options of `quantize()`.
 *
 * @throws {TypeError} If options conflict
 * @throws {RangeError} If shares or edges do not ascend
 */
export function readQuantizeOptions(options: QuantizeOptions) {
  rules.checkOptions("call quantize()", options, RULES);
  const { bins, by = "session", subset = null } = options;
  const preset = presetOf("quantize", options.compat);
  if (bins !== undefined && (options.quantiles !== undefined || options.ties !== undefined)) {
    throw new TypeError(
      "Cannot quantize: expected quantiles with ties, or bins, got both; leave one out",
    );
  }
  const ties = options.ties ?? (subset === null ? "together" : "edges");
  if (subset !== null && (bins !== undefined || ties !== "edges")) {
    throw new TypeError(
      'Cannot quantize: expected ties: "edges" with a subset, whose stocks set the edges for the others, got ' +
        "another; leave bins and ties out",
    );
  }
  const shares = bins === undefined ? options.quantiles ?? USUAL_QUANTILES : null;
  const edges = bins ?? null;
  const size = shares ?? edges!;
  const count = typeof size === "number" ? size : size.length - 1;
  const { minNames = count } = options;
  return { count, shares, bins: edges, ties, by, subset, minNames, ...preset };
}

function isAscending(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length >= 2 &&
    value.every((edge, i) => typeof edge === "number" && (i === 0 || edge > value[i - 1]));
}
