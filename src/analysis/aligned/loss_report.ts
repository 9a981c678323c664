import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { dayColumn, nullableCountColumn } from "../table/make_columns.ts";
import { type Displayed, displayParts } from "../table/display_parts.ts";
import type { LossShare } from "./count_losses.ts";
import { type CountedLine, countRows, type LossCounts, type LossSplit } from "./count_rows.ts";
import type { LayOutContext } from "./lay_out_scores.ts";
import { lossText } from "./loss_text.ts";
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
  return reportLosses(countRows(rows, { ...context, counted: null }));
}

/** Makes the report of rows that were counted. */
export function reportLosses(counts: LossCounts): LossReport {
  const { lines, rows, carriedRows, neverPriced, split } = counts;
  const table = toTable(lines, rows);
  const text = () =>
    lossText(lines, {
      rows,
      sessions: counts.sessions,
      moreSessions: (line) => sessionsMissing(counts, line),
    });
  return {
    ...displayParts(text, () => ({ loss: table })),
    table,
    rows,
    carriedRows,
    neverPriced,
    bySession: () => {
      const shares = split("session").shares;
      return toSplit(dayColumn("session", Int32Array.from(shares, ({ key }) => key)), shares);
    },
    byTicker: () => toTextSplit("ticker", split("ticker")),
    byStatus: () => toTextSplit("status", split("status")),
    toString: text,
  };
}

function toTable(lines: readonly CountedLine[], rows: number): DataFrame {
  return frameOfRows(lines, [
    { name: "reason", type: "text", read: ({ reason }) => reason },
    { name: "horizon", type: "count", read: ({ horizon }) => horizon },
    { name: "rows", type: "count", read: (line) => line.rows },
    { name: "share", type: "number", read: (line) => line.rows / rows },
    { name: "sessions", type: "count", read: ({ sessions }) => sessions },
    { name: "tickers", type: "count", read: ({ tickers }) => tickers },
    { name: "first_session", type: "day", read: ({ first }) => first },
    { name: "last_session", type: "day", read: ({ last }) => last },
    { name: "examples", type: "text", read: ({ examples }) => examples.join(", ") },
  ]);
}

function toTextSplit(name: string, { shares, names }: LossSplit): DataFrame {
  return toSplit(pl.Series(name, shares.map(({ key }) => names[key] ?? null), pl.Utf8), shares);
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
  { sessions, entryLag }: LossCounts,
  { last, horizon }: CountedLine,
): number {
  const place = sessions.indexOf(fromEpochDay(last));
  const entry = place === -1 ? sessions.length : place + entryLag;
  return entry + (horizon ?? 0) + 1 - sessions.length;
}
