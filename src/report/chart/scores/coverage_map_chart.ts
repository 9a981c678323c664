import { TEXT } from "../../../base/arguments/check_options.ts";
import { assertColumns } from "../../../frames/frame/assert_columns.ts";
import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { tip } from "../grammar/encodings.ts";
import { originText, scoreColumnOf } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { SEQUENTIAL_COLORS } from "../palette.ts";
import { readResultOptions } from "../grammar/result_options.ts";
import { type Row, toValue } from "../grammar/values.ts";
import type { ScoreSetChartOptions } from "./score_set_chart.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";

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
export function coverageMapChart(release: DataFrame, options: ScoreSetChartOptions = {}): Chart {
  const action = "draw the coverage by ticker";
  const { score, title, widthPx = 640 } = readResultOptions(action, options, { score: TEXT });
  const column = scoreColumnOf(action, release, score);
  assertColumns(action, release, ["date", "ticker"]);
  const tally = count(release, column);
  const tickers = [...tally.byTicker].toSorted(([a, x], [b, y]) =>
    x.scored / x.rows - y.scored / y.rows || (a < b ? -1 : 1)
  );
  const months = [...new Set([...tally.cells.values()].map(({ month }) => month))].toSorted();
  const changing = changingTickers(tally.cells, months);
  const isCut = tickers.length > MOST_TICKERS;
  const shown = [...new Set([...isCut ? changing : [], ...tickers.map(([ticker]) => ticker)])]
    .slice(0, MOST_TICKERS);
  const isYearly = shown.length * months.length > MOST_CELLS;
  const by = isYearly ? "year" : "month";
  const all = totalOf([...tally.byTicker.values()]);
  const subject = {
    title,
    about: `Coverage by ticker and ${by}`,
    sample: months.length === 0 ? "no row" : `${months[0]} to ${months.at(-1)}`,
    footnote: originText(release, options.footnote),
    widthPx,
  };
  if (all.rows === 0) return layOutNothing(subject, "the frame has no rows");
  const cells = gather(
    [...tally.cells.values()].filter(({ ticker }) => shown.includes(ticker)),
    isYearly,
  );
  return layOutFinding(subject, {
    finding: `${percentText(all.scored / all.rows)} of ${countText(all.rows, "row")} of ${
      countText(tickers.length, "ticker")
    } have a score; the share of ${countText(changing.length, "ticker")} changes over time`,
    subtitle: [isCut ? CUT : "Tickers with the smallest share on top"],
    details: leastText(tickers),
    views: [view(cells, { shown, isYearly, width: widthPx })],
  });
}

function leastText(tickers: readonly (readonly [string, Tally])[]): string {
  const least = tickers.slice(0, 5).map(([ticker, { rows, scored }]) =>
    `${ticker} ${percentText(scored / rows)}`
  );
  return `The smallest shares: ${least.join(", ")}`;
}

/** Tickers whose share with a score changes from month to month, the largest sum of changes first; a month without rows has none. */
function changingTickers(
  cells: ReadonlyMap<string, Cell>,
  months: readonly string[],
): readonly string[] {
  const byTicker = Map.groupBy(cells.values(), ({ ticker }) => ticker);
  const changes = [...byTicker].map(([ticker, own]) => {
    const shares = new Map(own.map(({ month, rows, scored }) => [month, scored / rows]));
    const line = months.map((month) => shares.get(month) ?? 0);
    const sum = line.slice(1).reduce((total, share, i) => total + Math.abs(share - line[i]!), 0);
    return { ticker, sum };
  });
  return changes.filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum || (a.ticker < b.ticker ? -1 : 1))
    .map(({ ticker }) => ticker);
}

interface Cell {
  readonly ticker: string;
  readonly month: string;
  rows: number;
  scored: number;
}

function count(release: DataFrame, column: string) {
  const [dates, tickers, scores] = ["date", "ticker", column]
    .map((name) => release.getColumn(name).toArray() as readonly unknown[]) as [
      readonly unknown[],
      readonly unknown[],
      readonly unknown[],
    ];
  const cells = new Map<string, Cell>();
  const byTicker = new Map<string, { rows: number; scored: number }>();
  for (let i = 0; i < dates.length; i++) {
    const ticker = String(tickers[i]);
    const month = String(toValue(dates[i])).slice(0, 7);
    const key = `${month} ${ticker}`;
    const cell = cells.get(key) ?? { ticker, month, rows: 0, scored: 0 };
    const total = byTicker.get(ticker) ?? { rows: 0, scored: 0 };
    const scored = typeof scores[i] === "number" ? 1 : 0;
    cell.rows++;
    total.rows++;
    cell.scored += scored;
    total.scored += scored;
    cells.set(key, cell);
    byTicker.set(ticker, total);
  }
  return { cells, byTicker };
}

function gather(cells: readonly Cell[], isYearly: boolean): readonly Row[] {
  const found = new Map<string, Cell>();
  for (const { ticker, month, rows, scored } of cells) {
    const when = isYearly ? month.slice(0, 4) : month;
    const cell = found.get(`${when} ${ticker}`) ?? { ticker, month: when, rows: 0, scored: 0 };
    cell.rows += rows;
    cell.scored += scored;
    found.set(`${when} ${ticker}`, cell);
  }
  return [...found.values()].map(({ ticker, month, rows, scored }) => ({
    ticker,
    month,
    rows,
    share: toValue(Number((scored / rows).toFixed(3))),
  })).toSorted((a, b) =>
    a.month < b.month ? -1 : a.month > b.month ? 1 : a.ticker < b.ticker ? -1 : 1
  );
}

function view(
  cells: readonly Row[],
  { shown, isYearly, width }: {
    readonly shown: readonly string[];
    readonly isYearly: boolean;
    readonly width: number;
  },
): ChartSpec {
  return {
    width,
    height: Math.max(40, 12 * shown.length),
    data: { values: cells },
    mark: { type: "rect" },
    encoding: {
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
        tip("month", isYearly ? "year" : "month"),
        tip("share", "share with a score", ".1%"),
        tip("rows", "rows", ",d"),
      ],
    },
  };
}

interface Tally {
  readonly rows: number;
  readonly scored: number;
}

function totalOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { rows, scored }) => ({ rows: sum.rows + rows, scored: sum.scored + scored }),
    { rows: 0, scored: 0 },
  );
}
