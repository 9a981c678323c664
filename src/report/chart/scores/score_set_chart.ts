import type { DataFrame } from "nodejs-polars";
import { TEXT } from "../../../base/arguments/check_options.ts";
import { quantileOfSorted } from "../../../base/statistics/moments.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import { clipTails, countBins } from "../grammar/count_bins.ts";
import { countBars } from "../grammar/encodings.ts";
import {
  originText,
  readResultOptions,
  type ResultChartOptions,
  scoreColumnOf,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";

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
  const piles = pilesOf(values);
  const apart = new Set(piles.map(({ value }) => value));
  const { drawn, said } = clipTails(values.filter((value) => !apart.has(value)), "score");
  const subject = {
    title,
    about: "Distribution of the scores",
    sample: `${countText(values.length, "score")}, ` +
      `${countText(all.length - values.length, "row")} without a score`,
    footnote: originText(scores, options.footnote),
    widthPx,
  };
  if (values.length === 0) return layOutNothing(subject, "no row has a score");
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [sorted[0], sorted.at(-1)];
  return layOutFinding(subject, {
    finding: findingOf(sorted, piles),
    subtitle: said,
    details: [`All are from ${decimalText(low!, 3)} to ${decimalText(high!, 3)}`, ...said].join(
      ". ",
    ),
    views: [{
      width: widthPx,
      height: 200,
      layer: countBars(countBins(drawn, BINS), {
        ...{ axis: { title: column, scale: { nice: false } }, counted: "rows", format: ".3f" },
        piles,
      }),
    }],
  });
}

/** Scores that at least 2% of the rows share, ascending. */
function pilesOf(values: readonly number[]) {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const least = Math.max(2, PILE_SHARE * values.length);
  return [...counts].filter(([, count]) => count >= least).toSorted(([a], [b]) => a - b)
    .map(([value, count]) => ({ value, count }));
}

function findingOf(sorted: Float64Array, piles: ReturnType<typeof pilesOf>): string {
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((share) =>
    decimalText(quantileOfSorted(sorted, share), 3)
  );
  const shared = piles.length === 0
    ? "none is shared by 2% of them"
    : piles.map(({ value, count }) => `${count} are exactly ${value}`).join(", ");
  return `Median ${median}, interquartile range ${lower} to ${upper}, of ` +
    `${countText(sorted.length, "score")}; ${shared}`;
}
