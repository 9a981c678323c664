import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { pText } from "../../notebook/p_text.ts";
import { tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, TEXT_COLOR } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { inBlocks, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const FIRST = 300;
const MOST_OTHERS = 200;
const LEVEL = 0.05;
const POWERS = Array.from({ length: 9 }, (_, i) => Number(`1e-${i}`));
const LEAST = "0.00000001";
const CAUTION =
  "Variants of one factor are much alike, so that the line for the best is on the side of caution";
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
 * @param table The table that `mergeSweep()` of `scoreframe/dataset` gave
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
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
export function sweepChart(table: DataFrame, options: ResultChartOptions = {}): Chart {
  const { title = "All variants of the sweep", widthPx = 640, footnote } = readResultOptions(
    ACTION,
    options,
  );
  assertSweep(table);
  const all = rowsOf(table.select(...NEEDED));
  const tested = all.filter((row) => !isNaN(numberIn(row, "p")))
    .toSorted((a, b) => numberIn(a, "p") - numberIn(b, "p"));
  const ranked = tested.map((row, i) => ({ row, rank: i + 1 }));
  const others = inBlocks(ranked.slice(FIRST), MOST_OTHERS);
  const size = others[0]?.length ?? 1;
  const points = [...ranked.slice(0, FIRST), ...others.map((block) => block[0]!)].map(pointOf);
  const isBelow = tested.some((row) => numberIn(row, "p") < SMALLEST);
  const found = findings(tested);
  const rest = all.length - tested.length;
  const notes = [
    ...rest === 0 ? [] : [`${rest} without a p value are not drawn`],
    ...size === 1 ? [] : [`Drawn are the first ${FIRST}, then one of every ${size}`],
    ...isBelow ? [`P values below ${LEAST} stand there`] : [],
    CAUTION,
  ];
  return layOutChart({
    title,
    subtitle: [found, notes.join(". ")],
    footnote: resultFootnote(table, footnote),
    widthPx,
    description: `${title}: ${found}.`,
    views: [view(points, { count: tested.length, width: widthPx })],
  });
}

function assertSweep(table: DataFrame): void {
  assertFrame(ACTION, table);
  const missing = NEEDED.filter((name) => !table.columns.includes(name));
  if (missing.length === 0) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the table of mergeSweep(), got a frame without ${
      missing.join(", ")
    }`,
  );
}

function pointOf({ row, rank }: { readonly row: Row; readonly rank: number }): Row {
  const p = numberIn(row, "p");
  const holm = numberIn(row, "p_holm");
  return {
    variant: row["variant"]!,
    horizon: row["horizon"]!,
    mean: row["mean"]!,
    t: row["t"]!,
    p: pText(p),
    holm: isNaN(holm) ? null : pText(holm),
    rank,
    drawn: Math.max(p, SMALLEST),
    verdict: holm < LEVEL ? "below 0.05 after Holm" : p < LEVEL ? "below 0.05 on its own" : "above",
  };
}

function findings(rows: readonly Row[]): string {
  const m = rows.length;
  if (m === 0) return "No variant has a p value";
  const alone = rows.filter((row) => numberIn(row, "p") < LEVEL).length;
  const honest = rows.filter((row) => numberIn(row, "p_holm") < LEVEL).length;
  const variants = m === 1 ? "1 variant" : `${m} variants`;
  const expected = (LEVEL * m).toFixed(LEVEL * m < 10 ? 1 : 0);
  return `${alone} of ${variants} are below 0.05 on their own (of pure noise ${expected} would be), ` +
    `${honest} after Holm's adjustment for all of them; the honest threshold of the best one is ` +
    `${LEVEL}/${m} = ${plainText(LEVEL / m)}`;
}

/** Two digits, without an exponent. */
function plainText(value: number): string {
  return value.toFixed(Math.max(0, 1 - Math.floor(Math.log10(value))));
}

function view(
  rows: readonly Row[],
  { count, width }: { readonly count: number; readonly width: number },
): ChartSpec {
  const lines = [
    { at: LEVEL, label: "0.05, for one variant" },
    { at: LEVEL / Math.max(1, count), label: `0.05 / ${count}, for the best of ${count}` },
  ];
  const right = { align: "right", baseline: "bottom", dy: -3, x: width, fontSize: 10 };
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
        mark: { type: "text", ...right },
        encoding: { y: pAxis("at"), text: { field: "label" } },
      },
      {
        data: { values: rows },
        mark: { type: "point", filled: true, size: 26, opacity: 0.85 },
        encoding: { x: RANKS, y: pAxis("drawn"), color: VERDICTS, tooltip: TIPS },
      },
    ],
  };
}

function pAxis(field: string): ChartSpec {
  return {
    field,
    type: "quantitative",
    title: "p value, smaller is higher",
    scale: { type: "log", reverse: true, nice: true },
    axis: { format: ".8~f", values: POWERS },
  };
}

const RANKS: ChartSpec = {
  field: "rank",
  type: "quantitative",
  title: "variants, the smallest p value first",
  scale: { zero: false, nice: false, padding: 8 },
  axis: { grid: false, tickMinStep: 1, format: "d" },
};

const VERDICTS: ChartSpec = {
  field: "verdict",
  type: "nominal",
  title: null,
  scale: {
    domain: ["below 0.05 after Holm", "below 0.05 on its own", "above"],
    range: [MAIN_COLOR, OTHER_COLOR, QUIET_COLOR],
  },
};

const TIPS: readonly ChartSpec[] = [
  tip("variant", "variant"),
  tip("horizon", "horizon", "d"),
  tip("mean", "mean IC", ".4f"),
  tip("t", "t", ".2f"),
  tip("p", "p"),
  tip("holm", "p after Holm"),
];
