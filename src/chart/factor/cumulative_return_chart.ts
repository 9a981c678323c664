import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { logAxis } from "../grammar/log_axis.ts";
import { DASHES, SERIES_COLORS } from "../palette.ts";
import { thinnedText, thinRows } from "../grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, type Value } from "../grammar/values.ts";
import { rebalancedText } from "./rebalanced_text.ts";
import { countText, decimalText, percentText } from "../../wording/number_text.ts";
import { weightsLabel } from "../../wording/sentences/weighting_text.ts";

const NET_RATES = 3;
// Lines of which the title states end and drawdown: before costs and at the first rate.
const STATED = 2;
const MOST_ROWS = 420;
const COLUMNS = ["session", "one_way_bps", "wealth", "drawdown"] as const;
const DATA = { name: "wealth" };

/**
 * Draws the cumulative return of the portfolio that is weighted by the scores as growth of 1, before costs and at three rates, and
 * beneath it the drawdown before costs and at the first rate. Its returns are those of one session each. Of many sessions, the first, lowest,
 * highest and last of every few are drawn, so that no drawdown is lost; the subtitle says of how many.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { cumulativeReturnChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = cumulativeReturnChart(analysis);
 * if (!chart.description.includes("net of 10 bps one way")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function cumulativeReturnChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, {
    about: "Long–short cumulative return before and after costs",
  });
  const all = rowsOf(lowestRates(analysis.detail.cumulativeNetReturns), [...COLUMNS]);
  const byRate = linesOf(all);
  const kinds = byRate.map(({ kind }) => kind);
  const stated = kinds.slice(0, STATED).join(" and ");
  const sessions = bySession(byRate.map(({ rows }) => rows));
  const drawn = thinRows(sessions, {
    fields: Object.keys(sessions[0] ?? {}).filter((name) => name !== "session"),
    most: MOST_ROWS,
  });
  const [free] = rowsOf(analysis.costs, ["traded"]);
  if (!(numberIn(free, "traded") > 0) || !all.some((row) => numberIn(row, "wealth") >= 0)) {
    return layOutNothing(subject, analysis.detail.whyNoIc.get(1) ?? "the portfolio holds nothing");
  }
  return layOutFinding(subject, {
    finding: findingOf(byRate),
    subtitle: [
      [
        `${weightsLabel(analysis.plan.weighting)}, gross exposure 100%, ${
          rebalancedText(analysis)
        }`,
        ...thinnedText(drawn.size),
      ].join(". "),
      `Below: drawdown ${stated}`,
    ],
    caution: "One path of one history; costs are the rate times what was traded",
    details: `${byRate.map(describe).join(" ")}${describeYears(byRate[0]?.rows ?? [])}`,
    sharesTime: true,
    datasets: { wealth: drawn.rows },
    views: [wealthView(kinds, drawn.rows, subject.widthPx), fallView(kinds, subject.widthPx)],
  });
}

interface Line {
  readonly kind: string;
  readonly rows: readonly Row[];
}

/** A line a rate of costs, the lowest first. */
function linesOf(rows: readonly Row[]): readonly Line[] {
  const rates = [...new Set(rows.map((row) => numberIn(row, "one_way_bps")))]
    .toSorted((a, b) => a - b);
  return rates.map((rate) => ({
    kind: rate === 0 ? "gross" : `net of ${rate} bps one way`,
    rows: rows.filter((row) => row["one_way_bps"] === rate),
  }));
}

/** End and maximum drawdown before costs and at the first rate. */
function findingOf(lines: readonly Line[]): string {
  const said = lines.slice(0, STATED).map(({ kind, rows }, i) => {
    const known = rows.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
    const lowest = Math.min(...known.map((row) => numberIn(row, "drawdown")));
    const label = i === 0 ? "before costs" : kind;
    return `${decimalText(numberIn(known.at(-1), "wealth"), 2)} ${label} (maximum drawdown ${
      percentText(-lowest)
    })`;
  });
  const sessions = lines[0]!.rows.filter((row) => !Number.isNaN(numberIn(row, "wealth"))).length;
  return `Growth of 1: ${said.join(", ")} over ${countText(sessions, "session")}`;
}

/** The rows of the rates that are drawn; those of the others would take as long to read. */
function lowestRates(wealth: DataFrame): DataFrame {
  const rates = new Set(wealth.getColumn("one_way_bps").toArray() as number[]);
  const shown = [...rates].toSorted((a, b) => a - b).slice(0, NET_RATES + 1);
  return wealth.filter(pl.col("one_way_bps").ltEq(pl.lit(shown.at(-1) ?? 0)));
}

/** One row per session: wealth at the second rate in `w1`, and how far it stands below its peak in `d1`. */
function bySession(lines: readonly (readonly Row[])[]): readonly Row[] {
  return (lines[0] ?? []).map((first, at): Row => {
    const row: Record<string, Value> = { session: first["session"]! };
    for (const [i, line] of lines.entries()) {
      row[`w${i}`] = line[at]!["wealth"]!;
      if (i < STATED) row[`d${i}`] = line[at]!["drawdown"]!;
    }
    return row;
  });
}

/** Lines put below each other, with the name of each. */
function fold(letter: "w" | "d", kinds: readonly string[], value: string): readonly ChartSpec[] {
  const fields = [...kinds.keys()].filter((i) => letter === "w" || i < STATED);
  return [
    { fold: fields.map((i) => `${letter}${i}`), as: ["key", value] },
    // A logarithm needs something left.
    ...letter === "w"
      ? [{ calculate: `datum.${value} > 0 ? datum.${value} : null`, as: value }]
      : [],
    { calculate: `${JSON.stringify(kinds)}[toNumber(slice(datum.key, 1))]`, as: "kind" },
  ];
}

/** Costs by colour. */
function colorOf(kinds: readonly string[]): ChartSpec {
  return {
    field: "kind",
    type: "nominal",
    title: null,
    sort: null,
    scale: { domain: kinds, range: SERIES_COLORS.slice(0, kinds.length) },
  };
}

/** Lines by form as well as by colour. */
function dashOf(kinds: readonly string[]): ChartSpec {
  return {
    field: "kind",
    type: "nominal",
    title: null,
    sort: null,
    scale: { domain: kinds, range: DASHES.slice(0, kinds.length) },
  };
}

function wealthView(kinds: readonly string[], rows: readonly Row[], width: number): ChartSpec {
  const values = rows.flatMap((row) => kinds.map((_, i) => numberIn(row, `w${i}`)))
    .filter((value) => value > 0);
  const [low, high] = [Math.min(1, ...values), Math.max(1, ...values)];
  return {
    width,
    height: 200,
    layer: [
      ruleAt(1),
      {
        data: DATA,
        transform: fold("w", kinds, "wealth"),
        params: zoom("wealth_zoom"),
        mark: { type: "line", strokeWidth: 1.5 },
        encoding: {
          x: sessionAxis(),
          y: {
            field: "wealth",
            type: "quantitative",
            title: "growth of 1, log scale",
            scale: { type: "log", nice: false, padding: 6 },
            axis: logAxis(low, high),
          },
          color: colorOf(kinds),
          strokeDash: dashOf(kinds),
          tooltip: [sessionTip(), tip("kind", "costs"), tip("wealth", "growth of 1", ".4f")],
        },
      },
    ],
  };
}

function fallView(kinds: readonly string[], width: number): ChartSpec {
  return {
    width,
    height: 80,
    data: DATA,
    transform: fold("d", kinds, "below"),
    mark: { type: "line", strokeWidth: 1.2 },
    encoding: {
      x: sessionAxis(),
      y: quantity("below", { title: "below peak", format: "%", axis: { tickCount: 3 } }),
      color: colorOf(kinds),
      strokeDash: dashOf(kinds),
      tooltip: [sessionTip(), tip("kind", "costs"), tip("below", "below peak", ".2%")],
    },
  };
}

/** Values of the line before costs at the end of each year, as a reader of the picture sees them. */
function describeYears(rows: readonly Row[]): string {
  const ends = new Map<string, number>();
  for (const row of rows) {
    const wealth = numberIn(row, "wealth");
    if (!Number.isNaN(wealth)) ends.set(String(row["session"]).slice(0, 4), wealth);
  }
  if (ends.size < 2) return "";
  const said = [...ends].map(([year, wealth]) => `${decimalText(wealth, 3)} (${year})`);
  return ` Before costs it stands at ${said.join(", ")} at the ends of years.`;
}

function describe({ kind, rows }: Line): string {
  const known = rows.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
  if (known.length === 0) return `There is no return (${kind}).`;
  const lowest = Math.min(...known.map((row) => numberIn(row, "drawdown")));
  return `Growth of 1: ${
    decimalText(numberIn(known.at(-1), "wealth"), 3)
  } (${kind}), maximum drawdown ${percentText(-lowest)}.`;
}
