import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { countBins } from "../grammar/count_bins.ts";
import { binned, quantity, tip } from "../grammar/encodings.ts";
import { originText, scoreColumnOf } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import type { Row } from "../grammar/values.ts";

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
 * Draws how the scores of a frame are distributed: a histogram, and scores that at least 2 % of the rows share as bars of their
 * own. Rows without a score are counted in the subtitle, never drawn as zero.
 *
 * @param scores A score set, or any frame with scores
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If there is no column of scores, or an option unknown
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
  const { score, ...rest } = options;
  const { title = "Distribution of the scores", widthPx = 640 } = readResultOptions(action, rest);
  const column = scoreColumnOf(action, scores, score);
  const all: readonly unknown[] = scores.getColumn(column).toArray();
  const values = all.filter((value): value is number => Number.isFinite(value));
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const least = Math.max(2, PILE_SHARE * values.length);
  const piles = [...counts].filter(([, n]) => n >= least).toSorted(([a], [b]) => a - b)
    .map(([value, n]): Row => ({ value, count: n }));
  const apart = new Set(piles.map((row) => row["value"]));
  const bins = countBins(values.filter((value) => !apart.has(value)), BINS);
  const sorted = values.toSorted((a, b) => a - b);
  const sample = `${groupThousands(values.length)} scores, ${
    groupThousands(all.length - values.length)
  } rows without a score`;
  const shared = piles.length === 0
    ? "no score is shared by 2 % of them"
    : piles.map((row) => `${row["count"]} are exactly ${row["value"]}`).join(", ");
  const spread = sorted.length === 0
    ? "There is nothing to draw"
    : `Median ${decimals(sorted[sorted.length >> 1]!, 3)}, from ${decimals(sorted[0]!, 3)} to ${
      decimals(sorted.at(-1)!, 3)
    }; ${shared}`;
  return layOutChart({
    title,
    subtitle: [sample, spread],
    footnote: originText(scores, options.footnote),
    widthPx,
    description: `${title}: ${sample}. ${spread}.`,
    views: [view(bins, piles, { width: widthPx, name: column })],
  });
}

function view(
  bins: readonly object[],
  piles: readonly Row[],
  { width, name }: { readonly width: number; readonly name: string },
): ChartSpec {
  const y = quantity("count", { title: "rows", format: ",d", axis: { tickMinStep: 1 } });
  const x = { title: name, scale: { nice: false } };
  return {
    width,
    height: 200,
    layer: [
      {
        data: { values: bins },
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.75 },
        encoding: {
          ...binned(x),
          y,
          tooltip: [
            tip("low", "from", ".3f"),
            tip("high", "to", ".3f"),
            tip("count", "rows", ",d"),
          ],
        },
      },
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
