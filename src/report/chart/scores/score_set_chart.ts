import { TEXT } from "../../../base/arguments/check_options.ts";
import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { countBins, type CountedBin } from "../grammar/count_bins.ts";
import { countBars, quantity, tip } from "../grammar/encodings.ts";
import { originText, scoreColumnOf } from "../grammar/subject/frame_subject.ts";
import { clipTails } from "../grammar/clip_tails.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { quantileOfSorted } from "../../../base/statistics/moments.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import type { Row } from "../grammar/values.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";

/** Options of {@link scoreSetChart}. */
export interface ScoreSetChartOptions extends ResultChartOptions {
  /**
   * The column of the scores.
   *
   * @default the only one called `score` or `…_score`
   */
  readonly score?: string;
}

const BINS = 40;
const PILE_SHARE = 0.02;

/**
 * Draws the distribution of the scores of a frame: a histogram, with separate bars for scores that at least 2% of the rows
 * share. Rows without a score are counted in the subtitle, never drawn as zero.
 *
 * @param scores A score set, or any frame with scores
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If there is no column of scores, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { scoreSetChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const chart = scoreSetChart(await api.scores("ecpnd"));
 * if (!chart.description.includes("rows without a score")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function scoreSetChart(scores: DataFrame, options: ScoreSetChartOptions = {}): Chart {
  const action = "draw scores";
  const { score, title, widthPx = 640 } = readResultOptions(action, options, { score: TEXT });
  const column = scoreColumnOf(action, scores, score);
  const all: readonly unknown[] = scores.getColumn(column).toArray();
  const values = all.filter((value): value is number => Number.isFinite(value));
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const least = Math.max(2, PILE_SHARE * values.length);
  const piles = [...counts].filter(([, n]) => n >= least).toSorted(([a], [b]) => a - b)
    .map(([value, n]): Row => ({ value, count: n }));
  const apart = new Set(piles.map((row) => row["value"]));
  const { drawn, said } = clipTails(values.filter((value) => !apart.has(value)), "score");
  const subject = {
    title,
    about: "Distribution of the scores",
    sample: `${countText(values.length, "score")}, ${
      countText(all.length - values.length, "row")
    } without a score`,
    footnote: originText(scores, options.footnote),
    widthPx,
  };
  if (values.length === 0) return layOutNothing(subject, "no row has a score");
  return layOutFinding(subject, {
    finding: findingOf(values, piles),
    subtitle: said,
    details: [rangeText(values), ...said].join(". "),
    views: [view(countBins(drawn, BINS), piles, { width: widthPx, name: column })],
  });
}

function findingOf(values: readonly number[], piles: readonly Row[]): string {
  const sorted = Float64Array.from(values).sort();
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((share) =>
    decimalText(quantileOfSorted(sorted, share), 3)
  );
  const shared = piles.length === 0
    ? "none is shared by 2% of them"
    : piles.map((row) => `${row["count"]} are exactly ${row["value"]}`).join(", ");
  return `Median ${median}, interquartile range ${lower} to ${upper}, of ${
    countText(values.length, "score")
  }; ${shared}`;
}

function rangeText(values: readonly number[]): string {
  const [low, high] = [
    values.reduce((a, b) => Math.min(a, b)),
    values.reduce((a, b) => Math.max(a, b)),
  ];
  return `All are from ${decimalText(low, 3)} to ${decimalText(high, 3)}`;
}

function view(
  bins: readonly CountedBin[],
  piles: readonly Row[],
  { width, name }: { readonly width: number; readonly name: string },
): ChartSpec {
  const y = quantity("count", { title: "rows", format: ",d" });
  const x = { title: name, scale: { nice: false } };
  return {
    width,
    height: 200,
    layer: [
      countBars(bins, { axis: x, counted: "rows", format: ".3f", color: MAIN_COLOR }),
      {
        data: { values: piles },
        mark: { type: "bar", color: OTHER_COLOR, size: 4 },
        encoding: {
          x: { ...quantity("value", x), title: name },
          y,
          tooltip: [tip("value", "exactly", ".4f"), tip("count", "rows", ",d")],
        },
      },
    ],
  };
}
