import pl, { type DataFrame } from "nodejs-polars";
import { DAY_MS, fromEpochDay } from "../../calendar/civil_date.ts";
import { newYorkDay } from "../../calendar/new_york.ts";
import { dayColumn, nullableCountColumn } from "../table/make_columns.ts";
import { type Displayed, displayParts } from "../table/display_parts.ts";
import { countLosses, type LossLine, type LossShare, splitLosses } from "./count_losses.ts";
import { columnsOf, type LayOutContext } from "./lay_out_scores.ts";
import { lossText } from "./loss_text.ts";
import { distinctDays, placesOfDays } from "../dense/days.ts";
import type { ScoreRows } from "./score_rows.ts";

/** What became of every input row: in which statistics it is used, and why not in the others. */
export interface LossReport extends Displayed {
  /**
   * One row a reason and horizon, in the order in which reasons are looked for; `used` and `ended` are in the
   * statistics. Columns: `reason`, `horizon` (null: before returns), `rows`, `share` of the input, `sessions`,
   * `tickers`, `first_session`, `last_session`, `examples` (up to five "session ticker"). For each horizon its rows
   * and those without a horizon add up to the input. A live set counts once, in its first session.
   */
  readonly table: DataFrame;
  /** How many rows the input has. */
  readonly rows: number;
  /** How many rows of `data` were added because a live set stays in force until another one is. */
  readonly carriedRows: number;
  /** How many tickers of the scores are never priced. */
  readonly neverPriced: number;
  /** The same by session, or by date where there is none: `session`, `reason`, `horizon`, `rows`. */
  bySession(): DataFrame;
  /** The same by ticker: `ticker`, `reason`, `horizon`, `rows`. */
  byTicker(): DataFrame;
  /** The same by the status of a row's set: `status`, `reason`, `horizon`, `rows`. */
  byStatus(): DataFrame;
  /** In sentences, the largest loss first if more than 35 % are lost for a horizon. */
  toString(): string;
}

/** Makes the report of scores that were laid out. */
export function toLossReport(rows: ScoreRows, context: LayOutContext): LossReport {
  const dayOfTime = Int32Array.from(rows.times, (_, time) => dayOf(rows, context, time));
  const days = distinctDays(dayOfTime.toSorted());
  const lines = countLosses(rows, context, {
    places: dayOfTime.map(placesOfDays(days)),
    count: days.length,
  });
  const { grid } = context.returns;
  const neverPriced =
    columnsOf(grid.tickers, rows.tickers).filter((column) => column === -1).length;
  const { names, codes } = rows.statuses ?? { names: [], codes: null };
  const table = toTable(lines, rows, days);
  const text = () =>
    lossText(lines, {
      rows: rows.height,
      sessions: context.returns.sessions,
      moreSessions: (line) =>
        sessionsMissing(context.returns, days[line.days.lastIndexOf(1)]!, line),
    });
  return {
    ...displayParts(text, () => ({ loss: table })),
    table,
    rows: rows.height,
    carriedRows: countCarried(rows, context),
    neverPriced,
    bySession: () => {
      const shares = splitLosses(rows, context, (row) => dayOfTime[rows.timeOf[row]!]!);
      return toSplit(dayColumn("session", Int32Array.from(shares, ({ key }) => key)), shares);
    },
    byTicker: () =>
      toTextSplit("ticker", splitLosses(rows, context, (row) => rows.tickerOf[row]!), rows.tickers),
    byStatus: () =>
      toTextSplit("status", splitLosses(rows, context, (row) => codes?.[row] ?? -1), names),
    toString: text,
  };
}

/** The session of a time; where it has none, the date that it bears or that it is in New York. */
function dayOf(rows: ScoreRows, { places, returns }: LayOutContext, time: number): number {
  const session = places.from[time]!;
  const days = returns.grid.days;
  if (session >= 0 && session < days.length) return days[session]!;
  const at = rows.times[time]!;
  return rows.kind === "date" ? at : newYorkDay(Math.max(at, DAY_MS));
}

function countCarried(rows: ScoreRows, { places, refused }: LayOutContext): number {
  let carried = 0;
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (places.fates[time] !== null || refused?.[row] === 1) continue;
    carried += places.to[time]! - places.from[time]! - 1;
  }
  return carried;
}

function toTable(lines: readonly LossLine[], rows: ScoreRows, days: Int32Array): DataFrame {
  const width = rows.tickers.length;
  const sum = (marks: Uint8Array) => marks.reduce((total, mark) => total + mark, 0);
  const example = (key: number) =>
    `${fromEpochDay(days[Math.floor(key / width)]!)} ${rows.tickers[key % width]}`;
  const day = (place: (marks: Uint8Array) => number) =>
    Int32Array.from(lines, (line) => days[place(line.days)]!);
  return pl.DataFrame([
    pl.Series("reason", lines.map(({ reason }) => reason), pl.Utf8),
    nullableCountColumn("horizon", lines.map(({ horizon }) => horizon)),
    pl.Series("rows", lines.map((line) => line.rows), pl.Int32),
    pl.Series("share", lines.map((line) => line.rows / rows.height), pl.Float64),
    pl.Series("sessions", lines.map((line) => sum(line.days)), pl.Int32),
    pl.Series("tickers", lines.map((line) => sum(line.tickers)), pl.Int32),
    dayColumn("first_session", day((marks) => marks.indexOf(1))),
    dayColumn("last_session", day((marks) => marks.lastIndexOf(1))),
    pl.Series("examples", lines.map(({ examples }) => examples.map(example).join(", ")), pl.Utf8),
  ]);
}

function toTextSplit(
  name: string,
  shares: readonly LossShare[],
  texts: readonly string[],
): DataFrame {
  return toSplit(pl.Series(name, shares.map(({ key }) => texts[key] ?? null), pl.Utf8), shares);
}

function toSplit(keys: ReturnType<typeof dayColumn>, shares: readonly LossShare[]): DataFrame {
  return pl.DataFrame([
    keys,
    pl.Series("reason", shares.map(({ reason }) => reason), pl.Utf8),
    nullableCountColumn("horizon", shares.map(({ horizon }) => horizon)),
    pl.Series("rows", shares.map(({ rows }) => rows), pl.Int32),
  ]);
}

/** How many sessions after the last one the window of a day ends. */
function sessionsMissing(
  { grid, entryLag }: LayOutContext["returns"],
  day: number,
  { horizon }: LossLine,
): number {
  const place = grid.days.indexOf(day);
  const entry = place === -1 ? grid.days.length : place + entryLag;
  return entry + (horizon ?? 0) + 1 - grid.days.length;
}
