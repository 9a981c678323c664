import type { DataFrame, Expr } from "nodejs-polars";
import { DEFAULT_MIN_NAMES, isExpression, MIN_NAMES } from "../read_options.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DenseScores } from "../../dense/dense_frames.ts";
import { type IcValues, NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { rowsByLine, tableOfRows } from "../../table/frame_of_rows.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import type { Grouping } from "../partition.ts";
import type { AllOf, ColumnsOf, ColumnTable } from "../../../frames/frame/typed/columns.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import type { RenamedColumns } from "../../../frames/frame/typed/typed_frame.ts";
import { type KindsOf, kindsOf, type TableOf } from "../../table/columns.ts";

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

const BY: rules.Rule<NonNullable<InformationCoefficientOptions["by"]>> = rules.ruleOf(
  '"group", "month", "age", an expression, or an array of "month" and "group"',
  (value) =>
    ["group", "month", "age"].includes(value as string) || isExpression(value) ||
    (Array.isArray(value) && value.length > 0 &&
      value.every((key) => key === "month" || key === "group")),
  { isKind: (value) => typeof value === "string" || Array.isArray(value) },
);
const RULES: rules.OptionRules<InformationCoefficientOptions> = {
  method: rules.oneOf("spearman", "pearson"),
  by: BY,
  groupNeutral: rules.FLAG,
  minNames: MIN_NAMES,
  form: rules.oneOf("horizon", "oneSession"),
  lags: rules.severalOf("an array of whole numbers", Number.isInteger),
  compat: COMPAT,
};

/** The options of ICs with their defaults, checked. */
export type IcRules = ReturnType<typeof readIcOptions>;

/**
 * Reads the options of `informationCoefficient()`.
 *
 * @throws {TypeError} If options conflict
 * @throws {RangeError} If a number is out of range
 */
export function readIcOptions(options: InformationCoefficientOptions) {
  rules.checkOptions("call informationCoefficient()", options, RULES);
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

function readBy(
  by: InformationCoefficientOptions["by"],
): { readonly isMonthly: boolean; readonly parts: "group" | "age" | Expr | null } {
  if (by === undefined) return { isMonthly: false, parts: null };
  if (Array.isArray(by)) {
    return { isMonthly: by.includes("month"), parts: by.includes("group") ? "group" : null };
  }
  if (by === "month") return { isMonthly: true, parts: null };
  return { isMonthly: false, parts: by as "group" | "age" | Expr };
}

/** Columns of ICs by session and horizon, in order; by lag, `lag` stands for `horizon`. */
export const IC_COLUMNS = "session horizon ic n reason";

/**
 * Columns of ICs by session and lag.
 *
 * @internal
 */
export type LagColumns = RenamedColumns<
  ColumnsOf<KindsOf<typeof IC_COLUMNS>>,
  { readonly horizon: "lag" }
>;

/** Columns of the table, in order. */
export const MONTH_COLUMNS = "month horizon ic n reason";

/**
 * Columns of ICs by part, month, or both; all possible ones where only the call determines the split.
 *
 * @internal
 */
export type SplitIcColumns<Split> = AllOf<
  Split extends readonly (infer Key)[]
    ? number extends Split["length"]
      ? ColumnsOf<KindsOf<typeof MONTH_COLUMNS | typeof IC_COLUMNS | "group">>
    : "month" extends Key ? ColumnsOf<KindsOf<typeof MONTH_COLUMNS | Extract<Key, "group">>>
    : ColumnsOf<KindsOf<typeof IC_COLUMNS | "group">>
    : Split extends "month" ? ColumnsOf<KindsOf<typeof MONTH_COLUMNS>>
    : ColumnsOf<
      KindsOf<typeof IC_COLUMNS | PartEntry<Split extends string ? Split : "part">>
    >
>;

/** The entry of a column of parts in the dictionary. */
type PartEntry<Part extends string> = Part extends "age" ? "age:label" : Part;

/** The correlations of one horizon or lag, and of one part. */
export interface IcLine {
  /** The horizon or lag. */
  readonly key: number;
  /** The part; `null` for all stocks. */
  readonly part: number | null;
  /** One value per session of the scores. */
  readonly values: IcValues;
}

/** Layout of a frame of correlations. */
interface IcLayout {
  /** Scores whose sessions they are. */
  readonly dense: DenseScores;
  /** Name of the key. */
  readonly key: "horizon" | "lag";
  /** The parts; `null` for all stocks. */
  readonly partition: Grouping | null;
}

/** One row per session, key and part. */
export function toIcFrame(
  lines: readonly IcLine[],
  { dense, key, partition }: IcLayout,
): DataFrame {
  const { counts, numbers } = rowsByLine(dense.to - dense.from, lines);
  const reasons = counts(({ values }, session) => values.reasons[session]!);
  return frameOf(kindsOf(namesOf("session", key, partition?.column ?? null)) as ColumnTable, {
    session: counts((_, session) => dense.days[dense.from + session]!),
    [key]: counts((line) => line.key),
    ...(partition === null ? {} : {
      [partition.column]: textColumn(
        partition.column,
        counts((line) => line.part!),
        partition.names,
      ),
    }),
    ic: numbers(({ values }, session) => values.values[session]!),
    n: counts(({ values }, session) => values.counts[session]!),
    reason: textColumn("reason", reasons, NULL_REASONS),
  });
}

/** The columns of ICs by a time and a key, with a column of parts where there are some. */
function namesOf(time: string, key: string, part: string | null): string {
  const own = part === null ? [] : [part === "age" ? "age:label" : part];
  return [time, key, ...own, "ic n reason"].join(" ");
}

/** One row per month, horizon and part: the plain mean of the sessions that have a value. */
export function monthlyMeans(
  ic: DataFrame,
  part: string | null = null,
): TableOf<typeof MONTH_COLUMNS> {
  const action = "average correlations by month";
  const days = readDayColumn(action, ic, "session");
  const horizons = readNumbers(action, ic, "horizon");
  const values = readNumbers(action, ic, "ic");
  const parts = part === null ? [] : ic.getColumn(part).toArray() as readonly string[];
  const rows = new Map<string, { of: readonly (number | string)[]; sum: number; n: number }>();
  for (const [row, day] of days.entries()) {
    const month = fromEpochDay(day).slice(0, 7);
    const of = [month, horizons[row]!, ...part === null ? [] : [parts[row]!]];
    const found = rows.get(of.join(" ")) ?? { of, sum: 0, n: 0 };
    rows.set(of.join(" "), found);
    const value = values[row]!;
    if (value !== value) continue;
    found.sum += value;
    found.n++;
  }
  return tableOfRows(
    Array.from(
      rows.values(),
      ({ of, sum, n }) => n === 0 ? [...of, null, n, NULL_REASONS[1]!] : [...of, sum / n, n, null],
    ),
    namesOf("month", "horizon", part) as typeof MONTH_COLUMNS,
  );
}
