import { isConstant, LEVEL, meanOf } from "../../base/statistics/moments.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { familyText } from "../../base/wording/sentences/selection_text.ts";
import { SERIES_RULES, type SeriesOptions } from "../series/read_series.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import {
  type CommonVariants,
  readVariants,
  type Variants,
  type VariantSeries,
} from "./backtest_overfitting.ts";
import { studentTwoSided } from "../inference/distributions.ts";
import { stationaryBlockLength, stationaryDraws } from "../inference/bootstrap.ts";
import { LEAST_SESSIONS, toObservations } from "../inference/tested_mean.ts";
import type { Reason } from "../reason.ts";
import {
  comparedStatistic,
  criticalValue,
  drawnMaxima,
  familyDegrees,
  LEAST_COSINES,
  type MadeFamily,
  makeFamily,
  shareBeyond,
  stepwiseP,
} from "./make_family.ts";
import type { TableOf } from "../table/columns.ts";

/** Options of {@link bestOf}. */
export interface BestOfOptions extends SeriesOptions {
  /**
   * The test: `stepm` (Romano and Wolf, 2005) says which variants have an effect, `spa` (Hansen, 2005) and `reality-check` (White,
   * 2000) whether any has.
   *
   * @default "stepm"
   */
  readonly method?: "reality-check" | "spa" | "stepm";
  /**
   * Unit in which means are compared: `ewc`, their EWC standard errors; `hansen`, those of the stationary bootstrap with Hansen's (2005)
   * formula, which are too small under overlap; `false`, none, as in PyPI's `arch`.
   *
   * @default "ewc"; `false` for the reality check
   */
  readonly studentize?: "ewc" | "hansen" | false;
  /**
   * Direction of the relation: `both`, or `greater` if only a positive mean counts.
   *
   * @default "both"
   */
  readonly sides?: "both" | "greater";
  /**
   * Family-wise error rate of the critical value.
   *
   * @default 0.05
   */
  readonly level?: number;
  /**
   * Number of draws, at least 99.
   *
   * @default 2000
   */
  readonly draws?: number;
  /**
   * Seed of the draws.
   *
   * @default 1
   */
  readonly seed?: number;
  /**
   * Mean length of a block.
   *
   * @default the mean over variants of the automatic lengths (Politis and White, 2004, corrected 2009), at least twice the overlap
   */
  readonly block?: number;
}

const ACTION = "find the best of several variants";
const RULES: rules.OptionRules<BestOfOptions> = {
  ...SERIES_RULES,
  method: rules.oneOf("stepm", "spa", "reality-check"),
  studentize: rules.either(rules.oneOf("ewc", "hansen"), rules.exactly(false)),
  sides: rules.oneOf("both", "greater"),
  level: rules.between(0.0001, 0.5),
  draws: rules.whole(99),
  seed: rules.whole(0),
  block: rules.BLOCK_LENGTH,
};

/** Columns of the table, in order. */
const COLUMNS = "variant horizon group sessions mean standard_error t df p p_adjusted reason";

const TEST_COLUMNS = `method variants sessions best p p_lower p_consistent p_upper statistic
  critical draws block overlap reason`;

/**
 * Tests whether the best of several variants has an effect or is the best by chance. All variants share one set of draws of the
 * stationary bootstrap (Politis and Romano, 1994), so nearly identical variants count as nearly one.
 *
 * Statistic of a variant: mean over standard error (`studentize`). Null hypothesis: all means are zero. `p_adjusted` is the
 * probability that the largest statistic of the family exceeds that of the variant; with `stepm`, the largest among
 * variants that are no better. It is (1 + draws beyond) / (1 + draws), so it is never zero. Variants with equal
 * statistics have equal p values.
 *
 * `table` has one row per variant, horizon and group, best first: `variant`, `horizon` (Int32), `sessions` (Int32), `mean`,
 * `standard_error`, `t`, `df` (Int32), `p` (of this variant alone, two-sided), `p_adjusted`, `reason`. `test` has one row:
 * `method`, `variants`, `sessions`, `best`, `p`, Hansen's `p_lower`, `p_consistent` and `p_upper`, the largest `statistic`, its
 * `critical` value at `level` (both on the scale of a normal deviate with EWC errors, of a mean where `studentize` is `false`), `draws`,
 * `block`, `overlap`, `reason`. The p value of the reality check is `p_upper`, that of the others `p_consistent`.
 *
 * Only sessions in which all variants have a value count. A variant needs 20 of them, 18 non-overlapping windows, and
 * values in at least half of all sessions; otherwise its `reason` is `too_few_windows`, or `no_variance` if its values
 * do not vary.
 *
 * With EWC errors, the family-wise error rate of 200 variants is between 3.5 and 6.5% at the 5% level, also under
 * overlapping windows (`deno task bench calibration`); with other values of `studentize` it is higher there.
 *
 * @param variants Series of the variants by name: frames with `session` and a value such as `ic` or `return`, or analyses, of which the
 * ICs are taken
 * @param options The test, its draws, and the columns of the frames
 * @returns The test of the family (`test`), and each variant (`table`)
 * @throws {TypeError} If the variants are not an object of frames or analyses, or an option is unknown
 * @throws {RangeError} If a session occurs twice in a series, or a number is out of range
 * @see White (2000), A reality check for data snooping, Econometrica 68; Hansen (2005), A test for superior predictive ability,
 *   Journal of Business & Economic Statistics 23; Romano and Wolf (2005), Stepwise multiple testing as formalized data snooping,
 *   Econometrica 73
 *
 * @example Usage
 * ```ts
 * import { bestOf } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const days = Array.from({ length: 120 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
 * const frame = (mean: number, k: number) =>
 *   pl.DataFrame([
 *     pl.Series("session", days, pl.Date),
 *     pl.Series("ic", days.map((_, i) => mean + 0.1 * Math.sin(i * i + k * i)), pl.Float64),
 *   ]);
 * const { table } = bestOf({ none: frame(0, 1), planted: frame(0.06, 2) });
 * const [best] = table.toRecords();
 * console.assert(best?.variant === "planted" && Number(best.p_adjusted) < 0.01);
 * ```
 */
export function bestOf(variants: Variants, options: BestOfOptions = {}): StatedResult<
  TableOf<typeof COLUMNS>,
  { readonly test: TableOf<typeof TEST_COLUMNS> }
> {
  rules.checkOptions(ACTION, options, RULES);
  const plan = readFamilyOptions(options);
  const common = readVariants(ACTION, variants, options);
  const { rows, test } = testFamily(common, plan);
  const [first] = rows;
  const best = test === null ? undefined : first;
  const p = test?.[plan.method === "reality-check" ? "upper" : "consistent"] ?? null;
  const cells = rows.map(({ variant, series: { horizon, group }, adjusted, reason, ...row }) => {
    const { n, mean, standardError, t, df, p } = row;
    return [variant, horizon, group, n, mean, standardError, t, df, p, adjusted, reason];
  });
  const table = tableOfRows(cells, COLUMNS);
  const tested = tableOfRows([testRow(rows, test, plan, p)], TEST_COLUMNS);
  const found = rows.filter(({ adjusted }) => adjusted !== null && adjusted <= plan.level).length;
  const text = familyText(
    best === undefined || test === null || p === null ? null : {
      best: { ...best, horizon: best.series.horizon, mean: best.mean!, what: best.series.name },
      test,
      ...plan,
      p,
      found,
    },
    { rows: rows.length, left: common.sessions - (test?.sessions ?? 0) },
  );
  const hasGroups = rows.some(({ series }) => series.group !== null);
  return new StatedResult(text, hasGroups ? table : framed(table.drop("group")), { test: tested });
}

/** The row of the test; of a family without one, hardly more than the reason. */
function testRow(
  [best]: readonly FamilyRow[],
  test: ReturnType<typeof testFamily>["test"],
  { method, draws }: FamilyOptions,
  p: number | null,
) {
  const none = [null, null, null, null, null, null, null, null];
  if (test === null) return [method, 0, ...none, draws, null, null, best?.reason ?? null];
  const { variants, sessions, lower, consistent, upper, statistic, critical, block, overlap } =
    test;
  const found = [p, lower, consistent, upper, statistic, critical];
  return [method, variants, sessions, best!.variant, ...found, draws, block, overlap, null];
}

/** Options of {@link testFamily}, with every default stated; no block is the automatic one. */
type FamilyOptions = ReturnType<typeof readFamilyOptions>;

function readFamilyOptions(options: BestOfOptions) {
  const { method = "stepm", sides = "both", level = LEVEL, draws = 2000, seed = 1 } = options;
  const { studentize = method === "reality-check" ? false : "ewc", block } = options;
  return { method, studentize, isTwoSided: sides === "both", draws, seed, block, level };
}

/** A variant with its adjusted p value. */
type FamilyRow =
  & VariantSeries
  & Readonly<Record<"mean" | "standardError" | "t" | "df" | "p" | "adjusted", number | null>>
  & Readonly<{ n: number; reason: Reason | null }>;

/** Tests the variants of a family with one set of draws. */
export function testFamily(
  { variants, short }: Pick<CommonVariants, "variants" | "short">,
  options: FamilyOptions,
) {
  const facts = variants.map((one) => ({ ...one, ...factsOf(one) }));
  const tested = facts.filter(({ reason }) => reason === null);
  const few = short.map((one) => ({ ...one, overlap: 1, reason: "too_few_windows" as const }));
  const missing = [...facts.filter(({ reason }) => reason !== null), ...few].map(withoutTest);
  if (tested.length === 0) return { rows: missing, test: null };
  const columns = tested.map(({ series }) => series.values);
  const n = columns[0]!.length;
  const overlaps = tested.map(({ overlap }) => overlap);
  // The mean of the automatic block lengths, at least twice the largest overlap.
  const automatic = Math.max(
    1,
    meanOf(columns.map(stationaryBlockLength)),
    2 * Math.max(...overlaps),
  );
  const { draws, seed, isTwoSided, studentize, block = automatic } = options;
  const places = stationaryDraws({ n, block, draws, seed });
  const plan = { studentize, isTwoSided, block, count: draws, overlaps };
  const family = makeFamily(columns, places, plan);
  const judged = judge(family, options);
  const rows = tested.map((one, k) => ({ one, k }))
    .toSorted((a, b) => comparedStatistic(family, b.k) - comparedStatistic(family, a.k))
    .map(({ one, k }) => rowOf(one, family, k, judged.adjusted[k]!));
  const whole = { variants: tested.length, sessions: n, overlap: Math.max(...overlaps) };
  return { rows: [...rows, ...missing], test: { ...whole, block, draws, ...judged.test } };
}

function judge(family: MadeFamily, { method, level }: FamilyOptions) {
  const best = Math.max(...family.statistics.map((_, k) => comparedStatistic(family, k)));
  const [lower, consistent, upper] = (["lower", "consistent", "upper"] as const)
    .map((centring) => drawnMaxima(family, centring)) as [Float64Array, Float64Array, Float64Array];
  const usual = method === "reality-check" ? upper : consistent;
  const adjusted = method === "stepm"
    ? stepwiseP(family, "consistent")
    : family.statistics.map((_, k) => shareBeyond(usual, comparedStatistic(family, k)));
  return {
    adjusted,
    test: {
      statistic: best,
      critical: criticalValue(usual, level),
      lower: shareBeyond(lower, best),
      consistent: shareBeyond(consistent, best),
      upper: shareBeyond(upper, best),
    },
  };
}

type Facts = Readonly<{ overlap: number; reason: Reason | null }>;

function factsOf({ series }: VariantSeries): Facts {
  const { values, overlap } = toObservations(series);
  if (values.length < LEAST_SESSIONS || familyDegrees(values.length, overlap) < LEAST_COSINES) {
    return { overlap, reason: "too_few_windows" };
  }
  return { overlap, reason: isConstant(values) ? "no_variance" : null };
}

function rowOf(
  { variant, series }: VariantSeries,
  family: MadeFamily,
  k: number,
  adjusted: number,
): FamilyRow {
  const mean = meanOf(series.values);
  const standardError = family.standardErrors[k]!;
  const df = family.degrees?.[k] ?? null;
  const t = mean / standardError;
  const p = df === null ? null : studentTwoSided(t, df);
  const n = series.values.length;
  return { variant, series, n, mean, standardError, t, df, p, adjusted, reason: null };
}

function withoutTest({ variant, series, reason }: VariantSeries & Facts): FamilyRow {
  const nothing = { standardError: null, t: null, df: null, p: null, adjusted: null };
  const n = series.values.length;
  return { variant, series, n, mean: n === 0 ? null : meanOf(series.values), ...nothing, reason };
}
