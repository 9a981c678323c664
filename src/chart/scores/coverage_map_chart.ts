import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { tip } from "../grammar/encodings.ts";
import { assertHas, originText, scoreColumnOf } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { percent } from "../grammar/number_text.ts";
import { SEQUENTIAL_COLORS } from "../grammar/palette.ts";
import { readResultOptions } from "../grammar/result_options.ts";
import { type Row, toValue } from "../grammar/values.ts";
import type { ScoreSetChartOptions } from "./score_set_chart.ts";

const MOST_TICKERS = 40;
const MOST_CELLS = 1200;

/**
 * Draws which tickers have scores when: a row a ticker, a column a month (a year, if there are many), coloured by the share of
 * its rows that have a score. An empty place has no rows. Of more than 40 tickers those with the smallest share are drawn,
 * and the subtitle says so.
 *
 * @param release A frame with `date`, `ticker` and a score
 * @param options The column of the scores, title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
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
  const { score, ...rest } = options;
  const { title = "Coverage by ticker", widthPx = 640 } = readResultOptions(action, rest);
  const column = scoreColumnOf(action, release, score);
  assertHas(action, release, ["date", "ticker"]);
  const tally = count(release, column);
  const tickers = [...tally.byTicker].toSorted(([a, x], [b, y]) =>
    x.scored / x.rows - y.scored / y.rows || (a < b ? -1 : 1)
  );
  const shown = tickers.slice(0, MOST_TICKERS).map(([ticker]) => ticker);
  const months = new Set([...tally.cells.values()].map(({ month }) => month)).size;
  const isYearly = shown.length * months > MOST_CELLS;
  const cells = gather(
    [...tally.cells.values()].filter(({ ticker }) => shown.includes(ticker)),
    isYearly,
  );
  const all = totalOf([...tally.byTicker.values()]);
  const sample = `${groupThousands(all.rows)} rows of ${groupThousands(tickers.length)} tickers, ${
    percent(all.scored / all.rows)
  } with a score`;
  const cut = tickers.length > MOST_TICKERS
    ? [
      `Drawn are the ${MOST_TICKERS} tickers with the smallest share, by ${
        isYearly ? "year" : "month"
      }`,
    ]
    : [`By ${isYearly ? "year" : "month"}, tickers with the smallest share on top`];
  const least = tickers.slice(0, 5).map(([ticker, { rows, scored }]) =>
    `${ticker} ${percent(scored / rows)}`
  );
  return layOutChart({
    title,
    subtitle: [sample, ...cut],
    footnote: originText(release, options.footnote),
    widthPx,
    description: `${title}: ${sample}. The smallest shares: ${least.join(", ")}.`,
    views: [view(cells, { shown, isYearly, width: widthPx })],
  });
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
