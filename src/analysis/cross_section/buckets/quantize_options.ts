import { givenList } from "../../../base/arguments/given_list.ts";
import type { Expr } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
} from "../../../base/arguments/check_options.ts";
import { assertExpression } from "../read_options.ts";
import { sayCompat } from "../../say_compat.ts";

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

/** Parsed options. */
export interface BucketRules {
  /** Number of quantiles. */
  readonly count: number;
  /** Shares of the stocks, if quantiles are made from them. */
  readonly shares: number | readonly number[] | null;
  /** Number of bins or their edges, if quantiles are made from values. */
  readonly bins: number | readonly number[] | null;
  /** Treatment of equal scores; `none`: a session has no quantiles where two edges coincide. */
  readonly ties: "together" | "edges" | "first" | "raise" | "none";
  /** Stocks that share quantiles. */
  readonly by: "session" | "group";
  /** The stocks that set the edges; `null` for all. */
  readonly subset: Expr | null;
  /** Number of scored stocks below which there are no quantiles. */
  readonly minNames: number;
}

const RULES: OptionRules<QuantizeOptions> = {
  quantiles: ANY_VALUE,
  bins: ANY_VALUE,
  by: oneOf("session", "group"),
  ties: oneOf("together", "edges", "first", "raise"),
  subset: ANY_VALUE,
  minNames: ANY_VALUE,
  compat: oneOf("alphalens"),
};

/**
 * Reads the options of `quantize()`.
 *
 * @throws {TypeError} If options conflict
 * @throws {RangeError} If shares or edges do not ascend
 */
export function readQuantizeOptions(options: QuantizeOptions): BucketRules {
  checkOptions("call quantize()", options, RULES);
  const { bins, by = "session", subset = null, compat } = options;
  sayCompat(compat, "quantize(): a session where quantiles fall together has no buckets");
  if (bins !== undefined && (options.quantiles !== undefined || options.ties !== undefined)) {
    throw new TypeError(
      "Cannot quantize: expected quantiles with ties, or bins, got both; leave one out",
    );
  }
  if (subset !== null) assertExpression("quantize", "subset", subset);
  const ties = options.ties ?? (subset === null ? "together" : "edges");
  if (subset !== null && (bins !== undefined || ties !== "edges")) {
    throw new TypeError(
      'Cannot quantize: expected ties: "edges" with a subset, whose stocks set the edges for the others, got ' +
        "another; leave bins and ties out",
    );
  }
  const shares = bins === undefined ? readShares(options.quantiles ?? 5) : null;
  const edges = bins === undefined ? null : readEdges(bins);
  const size = shares ?? edges!;
  const count = typeof size === "number" ? size : size.length - 1;
  const minNames = options.minNames ?? count;
  if (!Number.isInteger(minNames) || minNames < 1) {
    throw wrong("minNames to be a whole number of at least 1", minNames);
  }
  return {
    count,
    shares,
    bins: edges,
    ties: compat === undefined ? ties : "none",
    by,
    subset,
    minNames: compat === undefined ? minNames : 1,
  };
}

function readShares(value: unknown): number | readonly number[] {
  if (isCount(value)) return value;
  if (isAscending(value) && value[0]! >= 0 && value.at(-1)! <= 1) return value;
  throw wrong("quantiles to be a number from 1 to 10,000, or ascending shares in [0, 1]", value);
}

function readEdges(value: unknown): number | readonly number[] {
  if (isCount(value) || isAscending(value)) return value;
  throw wrong("bins to be a number from 1 to 10,000, or ascending edges", value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 10_000;
}

function isAscending(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length >= 2 &&
    value.every((edge, i) => typeof edge === "number" && (i === 0 || edge > value[i - 1]));
}

function wrong(required: string, value: unknown): RangeError {
  return new RangeError(`Cannot quantize: expected ${required}, got ${givenList(value)}`);
}
