import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import {
  labelsAt,
  quantity,
  ruleAt,
  rulesAt,
  sessionAxis,
  sessionTip,
  tip,
} from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, percent } from "../grammar/number_text.ts";
import { bucketColors, MAIN_COLOR, OTHER_COLOR } from "../grammar/palette.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const MOST_BLOCKS = 120;

/**
 * Draws what keeping up with the scores takes: the share of each bucket's names that are new, the rank autocorrelation of
 * the scores, both as means of several sessions, and the yearly net return by cost with the cost at which nothing is left.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { turnoverChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = turnoverChart(analysis);
 * if (!chart.description.includes("breaks even at")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function turnoverChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const about = { title: "Turnover, rank autocorrelation and costs" };
  const subject = readSubject(analysis, options, about);
  const turnover = rowsOf(analysis.turnover, ["session", "quantile", "turnover"]);
  const buckets = [...new Set(turnover.map((row) => numberIn(row, "quantile")))];
  const ends = [Math.min(...buckets), Math.max(...buckets)];
  const shown = buckets.filter((bucket) => ends.includes(bucket) || buckets.length <= 5);
  const lines = shown.flatMap((bucket) => {
    const own = turnover.filter((row) => row["quantile"] === bucket);
    return blockMeans(own, "turnover").map((row): Row => ({ ...row, bucket: String(bucket) }));
  });
  const ranks = rowsOf(analysis.rankAutocorrelation, ["session", "autocorrelation"]);
  const size = inBlocks(ranks, MOST_BLOCKS)[0]?.length ?? 1;
  const costs = rowsOf(analysis.costs);
  const said = describe(turnover, ranks, costs);
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, `Lines above: means of ${size} sessions. ${said.costs}`],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${said.names} ${said.costs}.`,
    views: [
      turnoverView(lines, shown.map(String), subject.widthPx),
      rankView(blockMeans(ranks, "autocorrelation"), subject.widthPx),
      costView(costs, subject.widthPx),
    ],
  });
}

function blockMeans(rows: readonly Row[], name: string): readonly Row[] {
  return inBlocks(rows, MOST_BLOCKS).map((block) => ({
    session: block[0]!["session"]!,
    [name]: meanOf(block.map((row) => numberIn(row, name))),
  }));
}

function turnoverView(rows: readonly Row[], buckets: readonly string[], width: number): ChartSpec {
  return {
    width,
    height: 120,
    data: { values: rows },
    mark: { type: "line" },
    encoding: {
      x: sessionAxis(),
      y: quantity("turnover", { title: "new names", format: ".0%", axis: { tickCount: 4 } }),
      color: {
        field: "bucket",
        type: "nominal",
        title: "bucket",
        scale: { domain: buckets, range: bucketColors(buckets.length) },
      },
      // The ends are what is traded; five equal lines are read by nobody.
      strokeWidth: {
        condition: { test: { field: "bucket", oneOf: [buckets[0], buckets.at(-1)] }, value: 1.8 },
        value: 0.7,
      },
      tooltip: [sessionTip(), tip("bucket", "bucket"), tip("turnover", "new names", ".1%")],
    },
  };
}

function rankView(rows: readonly Row[], width: number): ChartSpec {
  return {
    width,
    height: 110,
    data: { values: rows },
    mark: { type: "line", strokeWidth: 1.4, color: MAIN_COLOR },
    encoding: {
      x: sessionAxis(),
      y: quantity("autocorrelation", {
        title: "rank corr.",
        fromZero: false,
        format: ".2f",
        axis: { tickCount: 3 },
      }),
      tooltip: [sessionTip(), tip("autocorrelation", "rank autocorrelation", ".4f")],
    },
  };
}

function costView(costs: readonly Row[], width: number): ChartSpec {
  const breakEven = costs[0]?.["break_even_one_way_bps"] ?? null;
  const marks = typeof breakEven === "number" && breakEven > 0
    ? [{ at: breakEven, text: `breaks even at ${decimals(breakEven, 1)} bps` }]
    : [];
  const x = quantity("one_way_bps", {
    title: "cost of one way, basis points",
    axis: { grid: false },
  });
  return {
    width,
    height: 110,
    layer: [
      ruleAt(0),
      {
        data: { values: costs },
        mark: { type: "line", point: { filled: true, color: MAIN_COLOR }, color: MAIN_COLOR },
        encoding: {
          x,
          y: quantity("net_annual", { title: "net a year", format: ".0%", axis: { tickCount: 4 } }),
          tooltip: [
            tip("one_way_bps", "one way, bps", ".0f"),
            tip("net_annual", "net a year", ".2%"),
            tip("net_drawdown", "deepest fall", ".2%"),
            tip("sessions", "sessions", ",d"),
          ],
        },
      },
      rulesAt(marks, "at", { color: OTHER_COLOR, strokeDash: [5, 3], strokeWidth: 1.5 }),
      labelsAt(marks, { field: "at", label: "text" }, { align: "right", dx: -4, y: 8 }),
    ],
  };
}

function byBucket(turnover: readonly Row[]): string {
  const buckets = [...new Set(turnover.map((row) => numberIn(row, "quantile")))]
    .toSorted((a, b) => a - b);
  return buckets.map((bucket) => {
    const own = turnover.filter((row) => row["quantile"] === bucket);
    const mean = meanOf(own.map((row) => numberIn(row, "turnover")));
    return mean === null ? "none" : percent(mean);
  }).join(", ");
}

/** The first row whose number is largest; rows without one do not count. */
function largest(rows: readonly Row[], numberOf: (row: Row) => number): Row | undefined {
  return rows.filter((row) => !Number.isNaN(numberOf(row)))
    .reduce<Row | undefined>(
      (a, b) => a !== undefined && numberOf(a) >= numberOf(b) ? a : b,
      undefined,
    );
}

function describe(
  turnover: readonly Row[],
  ranks: readonly Row[],
  costs: readonly Row[],
): { readonly names: string; readonly costs: string } {
  const fresh = meanOf(turnover.map((row) => numberIn(row, "turnover")));
  const rank = meanOf(ranks.map((row) => numberIn(row, "autocorrelation")));
  const most = largest(turnover, (row) => numberIn(row, "turnover"));
  const least = largest(ranks, (row) => -numberIn(row, "autocorrelation"));
  const names = fresh === null || rank === null
    ? "Nothing is traded."
    : `On average ${percent(fresh)} of a bucket's names are new each session (${
      byBucket(turnover)
    } from the lowest bucket to the highest), most in bucket ${most!["quantile"]} on ${
      most!["session"]
    } (${percent(numberIn(most, "turnover"))}). Ranks of neighbouring sessions correlate ${
      decimals(rank, 3)
    }, least on ${least!["session"]} (${decimals(numberIn(least, "autocorrelation"), 3)}).`;
  const [free] = costs;
  const [traded, even] = [numberIn(free, "traded"), numberIn(free, "break_even_one_way_bps")];
  if (Number.isNaN(traded)) return { names, costs: "No costs are stated" };
  const rate = even > 0
    ? `it breaks even at ${decimals(even, 1)} bps one way`
    : "no rate breaks even";
  return { names, costs: `${percent(traded)} of the book is traded a session; ${rate}` };
}
