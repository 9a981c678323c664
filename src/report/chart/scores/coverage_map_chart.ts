import pl, { type DataFrame } from "nodejs-polars";
import { TEXT } from "../../../base/arguments/check_options.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  rowOrigin,
  scoreColumnOf,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { columnSum, numberIn, rowsOf } from "../grammar/values.ts";
import { SEQUENTIAL_COLORS } from "../palette.ts";

const ACTION = "draw the coverage by ticker";
const MOST_TICKERS = 40;
const MOST_CELLS = 1200;
const CUT = `Shown: ${MOST_TICKERS} tickers, the largest changes in share at the top`;

/**
 * Draws the coverage of each ticker over time: one row per ticker, one column per month (per year, if there are many),
 * coloured by the share of rows that have a score. An empty cell has no rows. Of more than 40 tickers those whose
 * share changes most are drawn, then those
 * with the smallest share, and the subtitle says so.
 *
 * @param release A frame with `date`, `ticker` and a score
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { coverageMapChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const chart = coverageMapChart(await api.history("ecpnd"));
 * if (!chart.description.includes("67 tickers")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function coverageMapChart(
  release: DataFrame,
  options: ResultChartOptions & { readonly score?: string } = {},
): Chart {
  const { score, title, widthPx = 640 } = readResultOptions(ACTION, options, { score: TEXT });
  const column = scoreColumnOf(ACTION, release, score);
  assertColumns(ACTION, release, ["date", "ticker"]);
  const monthly = countCells(release, column, "month");
  const tickers = [...Map.groupBy(monthly, ({ ticker }) => ticker)]
    .map(([ticker, cells]) => (
      { ticker, cells, share: columnSum(cells, "scored") / columnSum(cells, "rows") }
    ))
    .toSorted((a, b) => a.share - b.share || (a.ticker < b.ticker ? -1 : 1));
  const months = [...new Set(monthly.map(({ month }) => month))].toSorted();
  const changing = changingTickers(tickers, months);
  const isCut = tickers.length > MOST_TICKERS;
  const shown = [...new Set([...isCut ? changing : [], ...tickers.map(({ ticker }) => ticker)])]
    .slice(0, MOST_TICKERS);
  const by = shown.length * months.length > MOST_CELLS ? "year" : "month";
  const subject = {
    title,
    about: `Coverage by ticker and ${by}`,
    sample: months.length === 0 ? "no row" : `${months[0]} to ${months.at(-1)}`,
    ...rowOrigin(release, options.footnote),
    widthPx,
  };
  const rows = columnSum(monthly, "rows");
  if (rows === 0) return layOutNothing(subject, "the frame has no rows");
  const cells = by === "month" ? monthly : countCells(release, column, by);
  const least = tickers.slice(0, 5).map(({ ticker, share }) => `${ticker} ${percentText(share)}`);
  const [all, some] = [tickers, changing].map(({ length }) => countText(length, "ticker"));
  const share = percentText(columnSum(monthly, "scored") / rows);
  return layOutFinding(subject, {
    finding: `${share} of ${countText(rows, "row")} of ${all} have a score; the share of ${some} ` +
      "changes over time",
    subtitle: [isCut ? CUT : "Tickers with the smallest share on top"],
    details: `The smallest shares: ${least.join(", ")}`,
    views: [{ width: widthPx, ...view(cells, shown, by) }],
  });
}

type Cell = ReturnType<typeof countCells>[number];

/** Rows by month or year and ticker, and those of them with a score. */
function countCells(release: DataFrame, column: string, by: "month" | "year") {
  const counted = release.select(
    pl.col("date").cast(pl.Utf8).str.slice(0, by === "month" ? 7 : 4).alias("month"),
    pl.col("ticker").cast(pl.Utf8),
    pl.col(column).isNotNull().cast(pl.Int32).alias("scored"),
  ).groupBy("month", "ticker")
    .agg(pl.col("scored").sum(), pl.col("scored").count().alias("rows"))
    .sort(["month", "ticker"]);
  return rowsOf(counted).map((row) => {
    const [rows, scored] = [numberIn(row, "rows"), numberIn(row, "scored")];
    const share = Number((scored / rows).toFixed(3));
    return { month: String(row["month"]), ticker: String(row["ticker"]), rows, scored, share };
  });
}

/** Tickers whose share with a score changes from month to month, the largest sum of changes first; a month without rows has none. */
function changingTickers(
  tickers: readonly { readonly ticker: string; readonly cells: readonly Cell[] }[],
  months: readonly string[],
): readonly string[] {
  const changes = tickers.map(({ ticker, cells }) => {
    const shares = new Map(cells.map(({ month, rows, scored }) => [month, scored / rows]));
    const line = months.map((month) => shares.get(month) ?? 0);
    const sum = line.slice(1).reduce((total, share, i) => total + Math.abs(share - line[i]!), 0);
    return { ticker, sum };
  });
  return changes.filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum || (a.ticker < b.ticker ? -1 : 1))
    .map(({ ticker }) => ticker);
}

function view(cells: readonly Cell[], shown: readonly string[], by: string): ChartSpec {
  const drawn = mark("rect", {
    rows: cells.filter(({ ticker }) => shown.includes(ticker))
      .map(({ scored: _, ...cell }) => cell),
    x: { field: "month", type: "ordinal", title: null, axis: { labelOverlap: true } },
    y: { field: "ticker", type: "nominal", sort: shown, title: null },
    color: {
      field: "share",
      type: "quantitative",
      title: "share with a score",
      scale: { domain: [0, 1], range: [...SEQUENTIAL_COLORS] },
      legend: { format: ".0%", values: [0, 0.25, 0.5, 0.75, 1] },
    },
    tooltip: [
      tip("ticker", "ticker"),
      tip("month", by),
      tip("share", "share with a score", ".1%"),
      tip("rows", "rows", ",d"),
    ],
  });
  return { height: Math.max(40, 12 * shown.length), ...drawn };
}
