import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, percent } from "../grammar/number_text.ts";
import { SERIES_COLORS } from "../grammar/palette.ts";
import { inBlocks, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const NET_RATES = 3;
const MOST_POINTS = 260;
const COLUMNS = ["session", "one_way_bps", "wealth", "drawdown"] as const;
const DATA = { name: "wealth" };
const KIND = {
  calculate: "datum.rate === 0 ? 'gross' : 'net of ' + datum.rate + ' bps one way'",
  as: "kind",
};

/**
 * Draws what one unit of wealth became in the portfolio that is weighted by the scores, before costs and at three rates, and
 * beneath it how far it stood below its peak. Its returns are those of one session each. Above 260 sessions each line holds
 * the last session of every few, and the subtitle says so.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { wealthChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = wealthChart(analysis);
 * if (!chart.description.includes("net of 10 bps one way")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function wealthChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "Long–short wealth, gross and net" });
  const all = rowsOf(lowestRates(analysis.detail.wealth), [...COLUMNS]);
  const rates = [...new Set(all.map((row) => numberIn(row, "one_way_bps")))]
    .toSorted((a, b) => a - b);
  const byRate = rates.map((rate) => ({
    rate,
    kind: rate === 0 ? "gross" : `net of ${rate} bps one way`,
    rows: all.filter((row) => row["one_way_bps"] === rate),
  }));
  const size = inBlocks(byRate[0]?.rows ?? [], MOST_POINTS)[0]?.length ?? 1;
  const wealth = byRate.flatMap(({ rate, rows }) =>
    inBlocks(rows, MOST_POINTS).map((block): Row => {
      const { session, wealth, drawdown } = block.at(-1)!;
      return { session: session!, rate, wealth: wealth!, below: drawdown! };
    })
  );
  const kinds = byRate.map(({ kind }) => kind);
  const note = size === 1
    ? []
    : [`Aggregated: every ${size} sessions are drawn by the last of them`];
  return layOutChart({
    title: subject.title,
    subtitle: [
      subject.sample,
      ["Weighted by scores, gross exposure 1, rebalanced each session", ...note].join(". "),
    ],
    footnote:
      `${subject.footnote}. One path of one history; costs are the rate times what was traded`,
    widthPx: subject.widthPx,
    sharesTime: true,
    description: `${subject.title}: ${subject.sample}. ${byRate.map(describe).join(" ")}${
      describeYears(byRate[0]?.rows ?? [])
    }`,
    datasets: { wealth },
    views: [wealthView(kinds, subject.widthPx), fallView(kinds, subject.widthPx)],
  });
}

/** The rows of the rates that are drawn; those of the others would take as long to read. */
function lowestRates(wealth: DataFrame): DataFrame {
  const rates = new Set(wealth.getColumn("one_way_bps").toArray() as number[]);
  const shown = [...rates].toSorted((a, b) => a - b).slice(0, NET_RATES + 1);
  return wealth.filter(pl.col("one_way_bps").ltEq(pl.lit(shown.at(-1) ?? 0)));
}

function colorOf(kinds: readonly string[]): ChartSpec {
  return {
    field: "kind",
    type: "nominal",
    title: null,
    sort: null,
    scale: { domain: kinds, range: SERIES_COLORS.slice(0, kinds.length) },
  };
}

function wealthView(kinds: readonly string[], width: number): ChartSpec {
  return {
    width,
    height: 200,
    layer: [
      ruleAt(1),
      {
        data: DATA,
        transform: [KIND],
        params: zoom("wealth_zoom"),
        mark: { type: "line", strokeWidth: 1.5 },
        encoding: {
          x: sessionAxis(),
          y: quantity("wealth", { title: "wealth", format: ".2f", fromZero: false }),
          color: colorOf(kinds),
          tooltip: [sessionTip(), tip("kind", "costs"), tip("wealth", "wealth", ".4f")],
        },
      },
    ],
  };
}

function fallView(kinds: readonly string[], width: number): ChartSpec {
  const shown = [kinds[0], kinds.at(-1)];
  return {
    width,
    height: 80,
    data: DATA,
    transform: [KIND, { filter: { field: "kind", oneOf: shown } }],
    mark: { type: "line", strokeWidth: 1.2 },
    encoding: {
      x: sessionAxis(),
      y: quantity("below", { title: "below peak", format: ".0%", axis: { tickCount: 3 } }),
      color: colorOf(kinds),
      tooltip: [sessionTip(), tip("kind", "costs"), tip("below", "below peak", ".2%")],
    },
  };
}

/** Where the line before costs stands when a year ends: what a reader of the picture sees of its path. */
function describeYears(rows: readonly Row[]): string {
  const ends = new Map<string, number>();
  for (const row of rows) {
    const wealth = numberIn(row, "wealth");
    if (!Number.isNaN(wealth)) ends.set(String(row["session"]).slice(0, 4), wealth);
  }
  if (ends.size < 2) return "";
  const said = [...ends].map(([year, wealth]) => `${decimals(wealth, 3)} (${year})`);
  return ` Before costs it stands at ${said.join(", ")} at the ends of years.`;
}

function describe(
  { kind, rows }: { readonly kind: string; readonly rows: readonly Row[] },
): string {
  const known = rows.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
  if (known.length === 0) return `There is no return (${kind}).`;
  const lowest = Math.min(...known.map((row) => numberIn(row, "drawdown")));
  return `1 becomes ${
    decimals(numberIn(known.at(-1), "wealth"), 3)
  } (${kind}), with a deepest fall of ${percent(-lowest)}.`;
}
