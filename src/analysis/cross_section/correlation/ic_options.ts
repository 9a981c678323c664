import { givenList } from "../../../base/arguments/given_list.ts";
import type { Expr } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
} from "../../../base/arguments/check_options.ts";
import { sayCompat } from "../../say_compat.ts";
import { assertExpression, readMinNames } from "../read_options.ts";

/** Options of the correlation of scores with returns. */
export interface InformationCoefficientOptions {
  /** Correlation of ranks, or of values. @default "spearman" */
  readonly method?: "spearman" | "pearson";
  /**
   * One correlation per group; the mean of each month; both; one per age bin ([0, 5), [5, 21), [21, 63), [63, ∞)
   * sessions); or one per value of an expression over the rows of the data.
   *
   * @default one per session
   */
  readonly by?: "group" | "month" | "age" | readonly ("month" | "group")[] | Expr;
  /** Subtracts the mean by session and group from the returns. @default false */
  readonly groupNeutral?: boolean;
  /** Minimum number of stocks with a score and a return; below it there is no correlation. @default 10 */
  readonly minNames?: number;
  /**
   * `horizon`: today's rank with the return of h sessions. `oneSession`: the mean rank of the last h sessions with the
   * return of one, whose windows do not overlap (Hodrick 1992).
   *
   * @default "horizon"
   */
  readonly form?: "horizon" | "oneSession";
  /** Instead of horizons: the one-session return that ends k sessions after entry, for each k. @default none */
  readonly lags?: readonly number[];
  /** `"alphalens"`: any two stocks are enough. @default none */
  readonly compat?: "alphalens";
}

/** Ways of splitting correlations by part and month. */
export type IcSplit = NonNullable<InformationCoefficientOptions["by"]>;

/** Parsed options. */
export interface IcRules {
  readonly method: "spearman" | "pearson";
  readonly isMonthly: boolean;
  readonly parts: "group" | "age" | Expr | null;
  readonly groupNeutral: boolean;
  readonly minNames: number;
  readonly form: "horizon" | "oneSession";
  readonly lags: readonly number[] | null;
}

const RULES: OptionRules<InformationCoefficientOptions> = {
  method: oneOf("spearman", "pearson"),
  by: ANY_VALUE,
  groupNeutral: FLAG,
  minNames: ANY_VALUE,
  form: oneOf("horizon", "oneSession"),
  lags: ANY_VALUE,
  compat: oneOf("alphalens"),
};

/**
 * Reads the options of `informationCoefficient()`.
 *
 * @throws {TypeError} If options conflict
 * @throws {RangeError} If a number is out of range
 */
export function readIcOptions(options: InformationCoefficientOptions): IcRules {
  checkOptions("call informationCoefficient()", options, RULES);
  sayCompat(options.compat, "informationCoefficient(): sessions of two stocks count");
  const { method = "spearman", groupNeutral = false, form = "horizon", lags = null } = options;
  const least = options.compat === undefined ? 10 : 2;
  const minNames = readMinNames("correlate scores", options.minNames ?? least);
  const { isMonthly, parts } = readBy(options.by);
  if (lags !== null && !areLags(lags)) {
    throw wrong("lags to be an array of whole numbers of at least 1", lags);
  }
  const isSpecial = lags !== null || form === "oneSession";
  if (isSpecial && (parts !== null || groupNeutral || method === "pearson")) {
    throw new TypeError(
      "Cannot correlate scores: expected lags or the one-session form without by, groupNeutral or " +
        "pearson, got both; leave one out",
    );
  }
  if (lags !== null && form === "oneSession") {
    throw new TypeError(
      'Cannot correlate scores: expected lags or form: "oneSession", got both; leave one out',
    );
  }
  return { method, isMonthly, parts, groupNeutral, minNames, form, lags };
}

function readBy(by: InformationCoefficientOptions["by"]): Pick<IcRules, "isMonthly" | "parts"> {
  if (by === undefined) return { isMonthly: false, parts: null };
  if (Array.isArray(by)) {
    if (by.length === 0 || !by.every((key) => key === "month" || key === "group")) {
      throw wrong('by to hold "month" or "group"', by);
    }
    return { isMonthly: by.includes("month"), parts: by.includes("group") ? "group" : null };
  }
  if (by === "month") return { isMonthly: true, parts: null };
  if (typeof by === "string" && by !== "group" && by !== "age") {
    throw wrong('by to be "group", "month", "age" or an expression', by);
  }
  if (typeof by !== "string") assertExpression("correlate scores", "by", by);
  return { isMonthly: false, parts: by as "group" | "age" | Expr };
}

function areLags(lags: unknown): boolean {
  return Array.isArray(lags) && lags.length > 0 &&
    lags.every((lag) => Number.isInteger(lag) && lag >= 1);
}

function wrong(required: string, value: unknown): RangeError {
  return new RangeError(`Cannot correlate scores: expected ${required}, got ${givenList(value)}`);
}
