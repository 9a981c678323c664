import { listingsOf } from "../../../analysis/aligned/prices/listings.ts";
import type { DataFrame } from "nodejs-polars";
import { columnsOf, moveMarks } from "../../../analysis/aligned/sessions/lay_out_scores.ts";
import type { PriceGrid } from "../../../analysis/aligned/prices/price_grid.ts";
import { priceMarks } from "../../../analysis/aligned/prices/price_marks.ts";
import type { WindowRules } from "../../../analysis/aligned/prices/window_returns.ts";
import { quantize } from "../../../analysis/cross_section/buckets/quantize.ts";
import { placeFrom, placesOfDays } from "../../../analysis/dense/days.ts";
import type { DenseScores, Marks } from "../../../analysis/dense/dense_scores.ts";
import type { AnalysisPlan } from "../../../analysis/factor/analysis_options.ts";
import { type HeldTables, heldTables } from "../../../analysis/factor/session_tables.ts";
import { tableOfRows } from "../../../analysis/table/frame_of_rows.ts";
import { readDayColumn, readNumbers } from "../../../analysis/table/read_columns.ts";
import { freeFrames } from "../../../base/runtime/free_frames.ts";
import type { DaySpan } from "./part_tables.ts";

const ACTION = "merge parts";
// A row for each stock would be a thousand times as many rows as the other tables of a part have, with all their columns.
const COLUMNS = {
  session: "date",
  tickers: "text",
  scores: "text",
  closes: "text",
  signal: "count",
} as const;

/** Closes as sessions × tickers. */
export type CloseGrid = Pick<PriceGrid, "days" | "tickers" | "prices">;

/**
 * Scores and closes of the sessions of a part, for an account: it holds stocks from all earlier sessions, so that no part can run
 * one. One row per session, with lists in JSON; `signal` is 1 where a live set came into force, null for scores by date.
 */
export function accountTable(
  { days, tickers, scores, signals = null }: DenseScores,
  grid: CloseGrid,
  own: DaySpan,
): DataFrame {
  const names = [...new Set([...tickers, ...grid.tickers])].toSorted((a, b) => a < b ? -1 : 1);
  const valueOf = (values: Float64Array, of: readonly string[]) => {
    const columns = columnsOf(of, names);
    return (d: number, name: number) =>
      columns[name] === -1 ? NaN : values[d * of.length + columns[name]!]!;
  };
  const [scoreOf, closeOf] = [valueOf(scores, tickers), valueOf(grid.prices, grid.tickers)];
  const [from, to] = [placeFrom(days, own.from), placeFrom(days, own.to + 1)];
  const rows = Array.from({ length: to - from }, (_, i) => {
    const d = from + i;
    const known = [...names.keys()].filter((name) =>
      !Number.isNaN(scoreOf(d, name)) || !Number.isNaN(closeOf(d, name))
    );
    return {
      session: days[d]!,
      tickers: JSON.stringify(known.map((name) => names[name])),
      // NaN becomes null.
      scores: JSON.stringify(known.map((name) => scoreOf(d, name))),
      closes: JSON.stringify(known.map((name) => closeOf(d, name))),
      signal: signals === null ? null : signals[d]!,
    };
  });
  return tableOfRows(rows, COLUMNS, {});
}

/** Scores and closes of a whole sample, from the rows of its parts. */
export interface AccountGrids {
  /** Scores as sessions × the tickers with scores. */
  readonly scores: Float64Array;
  /** Closes as sessions × the tickers with prices. */
  readonly closes: CloseGrid;
  /** 1 for sessions in which a live set came into force; `null` for scores by date. */
  readonly signals: Uint8Array | null;
}

/** Sessions and tickers of a sample. */
export interface SampleAxes {
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The tickers with scores. */
  readonly scored: readonly string[];
  /** The tickers with prices. */
  readonly priced: readonly string[];
}

type Values = readonly (number | null)[];

/** Lays out the rows of the accounts of all parts, those of one part in memory at a time. */
export async function layOutAccounts(
  accounts: Iterable<DataFrame> | AsyncIterable<DataFrame>,
  { days, scored, priced }: SampleAxes,
): Promise<AccountGrids> {
  const [ofScores, ofCloses] = [scored, priced].map((tickers) => gridOf(days.length, tickers));
  const signals = new Uint8Array(days.length);
  let isLive = false;
  const placeOf = placesOfDays(days);
  for await (const rows of accounts) {
    const places = readDayColumn(ACTION, rows, "session").map(placeOf);
    const marks = readNumbers(ACTION, rows, "signal");
    const texts = ["tickers", "scores", "closes"].map((name) => rows.getColumn(name));
    for (const [row, place] of places.entries()) {
      const lists: unknown = texts.map((column) => JSON.parse(String(column.get(row))));
      const [names, scores, closes] = lists as [string[], Values, Values];
      ofScores!.put(place, names, scores);
      ofCloses!.put(place, names, closes);
      if (!Number.isNaN(marks[row])) isLive = true;
      if (marks[row] === 1) signals[place] = 1;
    }
    // Texts of some 40 bytes for each stock and session.
    freeFrames(3 * rows.height * priced.length);
  }
  return {
    scores: ofScores!.values,
    closes: { days, tickers: priced, prices: ofCloses!.values },
    signals: isLive ? signals : null,
  };
}

function gridOf(sessions: number, tickers: readonly string[]) {
  const columns = new Map(tickers.map((ticker, column) => [ticker, column]));
  const grid = new Float64Array(sessions * tickers.length).fill(NaN);
  const put = (place: number, names: readonly string[], values: Values) => {
    for (const [i, name] of names.entries()) {
      const column = columns.get(name);
      if (column !== undefined) grid[place * tickers.length + column] = values[i] ?? NaN;
    }
  };
  return { values: grid, put };
}

/** Marks of a whole sample, for the tickers of its scores. */
export function accountMarks(
  { closes }: AccountGrids,
  tickers: readonly string[],
  { entryLag, ended }: Pick<WindowRules, "entryLag" | "ended">,
): Marks {
  const width = closes.tickers.length;
  const listings = listingsOf(closes, null, new Uint8Array(width));
  const rules = { entryLag, missing: "null", ended, listings } as const;
  return moveMarks(priceMarks(closes, rules), columnsOf(closes.tickers, tickers), width);
}

/** The sample in which accounts are run. */
interface AccountSample extends Pick<DenseScores, "days" | "tickers" | "from" | "to"> {
  readonly marks: () => Marks;
}

/** Runs the accounts of an analysis over a whole sample. */
export function heldTablesOf(
  { scores, signals }: AccountGrids,
  { days, tickers, from, to, marks }: AccountSample,
  plan: AnalysisPlan,
): HeldTables {
  const { quantiles, periods } = plan;
  let kept: Marks | null = null;
  const dense: DenseScores = {
    ...{ days, tickers, from, to, scores, periods, returns: new Map() },
    present: new Uint8Array(scores.length),
    ...{ groups: null, ages: null, signals },
    marks: () => kept ??= marks(),
  };
  return heldTables(quantize({ dense }, { quantiles }), plan);
}
