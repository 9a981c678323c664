import type { Expr } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
} from "../../../arguments/check_options.ts";
import { describe } from "../../../contract/violation.ts";
import { sayCompat } from "../../alphalens/say_compat.ts";

/** How names are put into buckets. */
export interface QuantizeOptions {
  /** How many buckets of equal size, or the ends of their shares in [0, 1]. @default 5 */
  readonly quantiles?: number | readonly number[];
  /** Instead: how many buckets of equal width, or their edges; the upper edge belongs to a bucket. @default none */
  readonly bins?: number | readonly number[];
  /** Among which names: all of a session, or those of a group. @default "session" */
  readonly by?: "session" | "group";
  /**
   * What equal scores do. `together`: all at their mean rank. `edges`: below or above linear quantiles. `first`: broken by
   * the order of tickers. `raise`: an error where quantiles fall together.
   *
   * @default "together"
   */
  readonly ties?: "together" | "edges" | "first" | "raise";
  /** The names that set the edges, as an expression over the rows of the data. @default all scored names */
  readonly subset?: Expr;
  /** Below how many scored names there are no buckets. @default the number of buckets */
  readonly minNames?: number;
  /** `"alphalens"`: a session where quantiles fall together has no buckets. @default none */
  readonly compat?: "alphalens";
}

/** Options that were read. */
export interface BucketRules {
  /** How many buckets there are. */
  readonly count: number;
  /** Shares of the names, if buckets are made from them. */
  readonly shares: number | readonly number[] | null;
  /** Number of bins or their edges, if buckets are made from values. */
  readonly bins: number | readonly number[] | null;
  /** What equal scores do; `none`: a session without buckets where quantiles fall together. */
  readonly ties: "together" | "edges" | "first" | "raise" | "none";
  /** Among which names. */
  readonly by: "session" | "group";
  /** The names that set the edges; `null` for all. */
  readonly subset: Expr | null;
  /** Below how many scored names there are no buckets. */
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
 * @throws {TypeError} If options exclude each other
 * @throws {RangeError} If shares or edges do not ascend
 */
export function readQuantizeOptions(options: QuantizeOptions): BucketRules {
  checkOptions("quantize()", options, RULES);
  const { bins, by = "session", subset = null, compat } = options;
  sayCompat(compat, "quantize(): a session where quantiles fall together has no buckets");
  if (bins !== undefined && (options.quantiles !== undefined || options.ties !== undefined)) {
    throw new TypeError("Cannot quantize: quantiles with ties or bins are required, got both");
  }
  const ties = options.ties ?? (subset === null ? "together" : "edges");
  if (subset !== null && (bins !== undefined || ties !== "edges")) {
    throw new TypeError(
      'Cannot quantize: ties: "edges" is required with a subset, whose names set the edges of others',
    );
  }
  const shares = bins === undefined ? readShares(options.quantiles ?? 5) : null;
  const edges = bins === undefined ? null : readEdges(bins);
  const size = shares ?? edges!;
  const count = typeof size === "number" ? size : size.length - 1;
  const minNames = options.minNames ?? count;
  if (!Number.isInteger(minNames) || minNames < 1) throw wrong("a whole minNames from 1", minNames);
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
  throw wrong("a number of buckets from 1, or ascending shares in [0, 1], as quantiles", value);
}

function readEdges(value: unknown): number | readonly number[] {
  if (isCount(value) || isAscending(value)) return value;
  throw wrong("a number of buckets from 1, or ascending edges, as bins", value);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 10_000;
}

function isAscending(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length >= 2 &&
    value.every((edge, i) => typeof edge === "number" && (i === 0 || edge > value[i - 1]));
}

function wrong(required: string, value: unknown): RangeError {
  return new RangeError(`Cannot quantize: ${required} is required, got ${describe(value)}`);
}
