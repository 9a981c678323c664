import { assertColumns } from "../../../frames/frame/assert_columns.ts";
import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import type { BacktestOverfitting } from "../../../analysis/selection/backtest_overfitting.ts";
import type { BestOf } from "../../../analysis/selection/best_of.ts";
import { capital } from "../../../base/wording/capital.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { pPhrase, pText } from "../../../base/wording/p_text.ts";
import { tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SHAPES, TEXT_COLOR } from "../palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { inBlocks, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const FIRST = 300;
const MOST_OTHERS = 200;
const NAMED = 5;
const LABEL = { type: "text", align: "right", baseline: "bottom", dy: -3, fontSize: 10 };
const POINT = { type: "point", filled: true, size: 26, opacity: 0.85 };
const NAME = { type: "text", align: "left", dx: 7, fontSize: 9 };
const LEVEL = 0.05;
const POWERS = Array.from({ length: 9 }, (_, i) => Number(`1e-${i}`));
const LEAST = "0.00000001";
const CAUTION =
  "Variants of one factor are correlated, so the threshold for the smallest p value is conservative";
const STEPM = "p_stepm";
const NEEDED = ["variant", "horizon", "mean", "t", "p", "p_holm"];
// A p value that is rounded to zero has no place on a logarithmic axis; below this one they differ by nothing that counts.
const SMALLEST = 1e-8;

const ACTION = "draw a sweep";

/**
 * Draws the p value of every variant of a sweep, the smallest first, on an axis that is logarithmic and upside down, with two lines: 0.05,
 * which one variant in twenty of pure noise passes, and 0.05 over the number of variants, which the best one has to pass so that a
 * sweep of noise finds nothing nineteen times in twenty (Bonferroni; the first step of Holm).
 *
 * Variants without a p value are counted in the subtitle. Of more than 500 variants the first 300 and every so many of the others
 * are drawn, and the subtitle says so.
 *
 * The chart also states the test of all variants of the result at once (Romano and Wolf, 2005), which counts their dependence,
 * and the probability of backtest overfitting.
 *
 * @param sweep The result of `mergeSweep()` of `scoreframe/dataset`, or its table
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import pl from "nodejs-polars";
 * import { sweepChart } from "scoreframe/chart";
 *
 * const table = pl.DataFrame({
 *   variant: ["ecpnd--lag5", "ecpnd"],
 *   horizon: [1, 1],
 *   mean: [0.02, 0.004],
 *   t: [2.4, 0.5],
 *   p: [0.02, 0.62],
 *   p_holm: [0.04, 0.62],
 * });
 * const chart = sweepChart(table, { footnote: "made up" });
 * if (!chart.description.includes("1 of 2 variants")) throw new Error(chart.description);
 * ```
 */
export function sweepChart(
  sweep: DataFrame | DrawnSweep,
  options: ResultChartOptions = {},
): Chart {
  const { title, widthPx = 640, footnote } = readResultOptions(
    ACTION,
    options,
  );
  const table = tableOf(sweep);
  assertSweep(table);
  const more = table.columns.includes(STEPM) ? [STEPM] : [];
  const all = rowsOf(table.select(...NEEDED, ...more));
  const tested = all.filter((row) => !isNaN(numberIn(row, "p")))
    .toSorted((a, b) => numberIn(a, "p") - numberIn(b, "p"));
  const ranked = tested.map((row, i) => ({ row, rank: i + 1 }));
  const others = inBlocks(ranked.slice(FIRST), MOST_OTHERS);
  const size = others[0]?.length ?? 1;
  const points = [...ranked.slice(0, FIRST), ...others.map((block) => block[0]!)].map(pointOf);
  const subject = {
    title,
    about: "P values of all variants of the sweep",
    sample: "",
    footnote: resultFootnote(table, footnote),
    widthPx,
  };
  if (tested.length === 0) return layOutNothing(subject, "no variant has a p value");
  const found = findings(tested);
  const search = searchTexts(sweep);
  return layOutFinding(subject, {
    finding: headline(tested),
    subtitle: [
      found,
      ...search,
      noteTexts(tested, { rest: all.length - tested.length, size }).join(". "),
    ],
    details: [found, ...search, bestText(tested)].join(". "),
    views: [view(points, { count: tested.length, width: widthPx })],
  });
}

/** Notes on variants that the picture leaves out or cannot place. */
function noteTexts(
  tested: readonly Row[],
  { rest, size }: { readonly rest: number; readonly size: number },
): readonly string[] {
  const isBelow = tested.some((row) => numberIn(row, "p") < SMALLEST);
  return [
    ...rest === 0 ? [] : [`${rest} without a p value are not shown`],
    ...size === 1 ? [] : [`Shown: the first ${FIRST}, then one of every ${size}`],
    ...isBelow ? [`P values below ${LEAST} are shown at ${LEAST}`] : [],
    CAUTION,
  ];
}

/** Input of `sweepChart()`, such as the result of `mergeSweep()`. */
export interface DrawnSweep {
  /** One row per variant. */
  readonly table: DataFrame;
  /** Test of all variants at once. */
  readonly family: Pick<BestOf, "test">;
  /** Probability of backtest overfitting; `null` without enough sessions. */
  readonly overfitting: Pick<BacktestOverfitting, "table"> | null;
}

function tableOf(sweep: DataFrame | DrawnSweep): DataFrame {
  const given = sweep as Partial<DrawnSweep> | null | undefined;
  return given?.family === undefined ? sweep as DataFrame : given.table!;
}

/** Joint test of all variants and probability of overfitting, as far as the result has them. */
function searchTexts(sweep: DataFrame | DrawnSweep): readonly string[] {
  const { family, overfitting } = sweep as Partial<DrawnSweep>;
  const p = numberIn(family === undefined ? undefined : rowsOf(family.test)[0], "p");
  const pbo = numberIn(overfitting ? rowsOf(overfitting.table)[0] : undefined, "pbo");
  const all = [
    ...isNaN(p) ? [] : [`Null that no variant has an effect: ${pPhrase(p)} (Romano and Wolf)`],
    ...isNaN(pbo) ? [] : [`probability of backtest overfitting ${percentText(pbo, 0)}`],
  ];
  return all.length === 0 ? [] : [capital(all.join("; "))];
}

function headline(rows: readonly Row[]): string {
  const honest = rows.filter((row) => numberIn(row, "p_holm") < LEVEL).length;
  return `${honest} of ${
    countText(rows.length, "variant")
  } below 0.05 after Holm's adjustment; the best is ${rows[0]!["variant"]} at ${
    countText(numberIn(rows[0], "horizon"), "session")
  }, ${pPhrase(numberIn(rows[0], "p"))}`;
}

/** Variants with labels in the picture. */
function bestText(rows: readonly Row[]): string {
  const named = rows.slice(0, NAMED).map((row) =>
    `${row["variant"]} at ${countText(numberIn(row, "horizon"), "session")} (${
      pPhrase(numberIn(row, "p"))
    })`
  );
  return `Smallest p values: ${named.join(", ")}.`;
}

function assertSweep(table: DataFrame): void {
  assertColumns(ACTION, table, NEEDED, "give the table of mergeSweep()");
}

function pointOf({ row, rank }: { readonly row: Row; readonly rank: number }): Row {
  const p = numberIn(row, "p");
  const holm = numberIn(row, "p_holm");
  const stepm = numberIn(row, STEPM);
  return {
    variant: row["variant"]!,
    horizon: row["horizon"]!,
    mean: row["mean"]!,
    t: row["t"]!,
    p: pText(p),
    holm: isNaN(holm) ? null : pText(holm),
    ...isNaN(stepm) ? {} : { stepm: pText(stepm) },
    rank,
    drawn: Math.max(p, SMALLEST),
    verdict: holm < LEVEL ? "below 0.05 after Holm" : p < LEVEL ? "below 0.05 on its own" : "above",
  };
}

function findings(rows: readonly Row[]): string {
  const m = rows.length;
  const alone = rows.filter((row) => numberIn(row, "p") < LEVEL).length;
  const adjusted = rows.filter((row) => numberIn(row, "p_holm") < LEVEL).length;
  const variants = m === 1 ? "1 variant" : `${m} variants`;
  const expected = (LEVEL * m).toFixed(LEVEL * m < 10 ? 1 : 0);
  return `${alone} of ${variants} have p below 0.05 unadjusted (${expected} expected by chance), ` +
    `${adjusted} after Holm's adjustment for all of them; the adjusted threshold for the smallest p value is ` +
    `${LEVEL}/${m} = ${plainText(LEVEL / m)}`;
}

/** Two digits, without an exponent. */
function plainText(value: number): string {
  return value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(value))));
}

/** Thresholds for a single variant and for the best of all. */
function thresholds(count: number): readonly Row[] {
  const best = LEVEL / Math.max(1, count);
  return [
    { at: LEVEL, label: "0.05, for one variant" },
    { at: best, label: `0.05 / ${count}, for the best of ${count}` },
  ];
}

function view(
  rows: readonly Row[],
  { count, width }: { readonly count: number; readonly width: number },
): ChartSpec {
  const lines = thresholds(count);
  return {
    width,
    height: 240,
    layer: [
      {
        data: { values: lines },
        mark: { type: "rule", color: TEXT_COLOR, strokeDash: [4, 3] },
        encoding: { y: pAxis("at") },
      },
      {
        data: { values: lines },
        mark: { ...LABEL, x: width },
        encoding: { y: pAxis("at"), text: { field: "label" } },
      },
      {
        data: { values: rows },
        mark: POINT,
        encoding: {
          x: RANKS,
          y: pAxis("drawn"),
          color: VERDICTS,
          shape: VERDICT_SHAPES,
          tooltip: rows.some((row) => row["stepm"] !== undefined) ? [...TIPS, STEPM_TIP] : TIPS,
        },
      },
      {
        data: { values: rows.slice(0, NAMED) },
        mark: NAME,
        encoding: { x: RANKS, y: pAxis("drawn"), text: { field: "variant" } },
      },
    ],
  };
}

function pAxis(field: string): ChartSpec {
  return {
    field,
    type: "quantitative",
    title: "p value, reversed axis",
    scale: { type: "log", reverse: true, nice: true },
    axis: { format: ".8~f", values: POWERS },
  };
}

const RANKS: ChartSpec = {
  field: "rank",
  type: "quantitative",
  title: "variants, by ascending p value",
  scale: { zero: false, nice: false, padding: 8 },
  axis: { grid: false, tickMinStep: 1, format: "d" },
};

const VERDICT_NAMES = ["below 0.05 after Holm", "below 0.05 on its own", "above"];

const VERDICTS: ChartSpec = {
  field: "verdict",
  type: "nominal",
  title: null,
  scale: {
    domain: VERDICT_NAMES,
    range: [MAIN_COLOR, OTHER_COLOR, QUIET_COLOR],
  },
};

const VERDICT_SHAPES: ChartSpec = {
  ...VERDICTS,
  scale: { domain: VERDICT_NAMES, range: SHAPES.slice(0, 3) },
};

const TIPS: readonly ChartSpec[] = [
  tip("variant", "variant"),
  tip("horizon", "horizon", "d"),
  tip("mean", "mean IC", ".4f"),
  tip("t", "t", ".2f"),
  tip("p", "p"),
  tip("holm", "p after Holm"),
];
const STEPM_TIP = tip("stepm", "p after Romano and Wolf");
