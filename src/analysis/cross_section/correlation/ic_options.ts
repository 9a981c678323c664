import type { Expr } from "nodejs-polars";
import { DEFAULT_MIN_NAMES, isExpression, MIN_NAMES } from "../read_options.ts";
import {
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  type Rule,
  ruleOf,
  severalOf,
} from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";

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
  /** Instead of horizons: the one-session return that ends k sessions after entry, for each k; at 0 and below it was earned before. @default none */
  readonly lags?: readonly number[];
  /** `"alphalens"`: any two stocks are enough. @default none */
  readonly compat?: "alphalens";
}

/**
 * Ways of splitting correlations by part and month.
 *
 * @internal
 */
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

const BY: Rule<NonNullable<InformationCoefficientOptions["by"]>> = ruleOf(
  '"group", "month", "age", an expression, or an array of "month" and "group"',
  (value) =>
    ["group", "month", "age"].includes(value as string) || isExpression(value) ||
    (Array.isArray(value) && value.length > 0 &&
      value.every((key) => key === "month" || key === "group")),
  { isKind: (value) => typeof value === "string" || Array.isArray(value) },
);
const RULES: OptionRules<InformationCoefficientOptions> = {
  method: oneOf("spearman", "pearson"),
  by: BY,
  groupNeutral: FLAG,
  minNames: MIN_NAMES,
  form: oneOf("horizon", "oneSession"),
  lags: severalOf("an array of whole numbers", Number.isInteger),
  compat: COMPAT,
};

/**
 * Reads the options of `informationCoefficient()`.
 *
 * @throws {TypeError} If options conflict
 * @throws {RangeError} If a number is out of range
 */
export function readIcOptions(options: InformationCoefficientOptions): IcRules {
  checkOptions("call informationCoefficient()", options, RULES);
  const { method = "spearman", groupNeutral = false, form = "horizon", lags = null } = options;
  const { minNames: usual = DEFAULT_MIN_NAMES } = presetOf(
    "informationCoefficient",
    options.compat,
  );
  const { minNames = usual } = options;
  const { isMonthly, parts } = readBy(options.by);
  const isSpecial = lags !== null || form === "oneSession";
  if (isSpecial && (parts !== null || groupNeutral || method === "pearson")) {
    throw new TypeError(
      "Cannot correlate scores: expected lags, or the one-session form, without by, groupNeutral and " +
        'method: "pearson", got one of these with it; leave one of the two out',
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
    return { isMonthly: by.includes("month"), parts: by.includes("group") ? "group" : null };
  }
  if (by === "month") return { isMonthly: true, parts: null };
  return { isMonthly: false, parts: by as "group" | "age" | Expr };
}
