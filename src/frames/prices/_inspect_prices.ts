import pl, { type DataFrame } from "nodejs-polars";
import { type SortedRows, sortRows } from "./closes/sorted_rows.ts";
import { listSessionDays } from "../../base/calendar/list_sessions.ts";
import { isTicker } from "../../base/contract/identifier.ts";
import {
  beginPeriods,
  type Frequency,
  isRunning,
  medianGap,
  seenFrequency,
} from "./dates/frequency.ts";
import type { PriceFinding, PriceFindingKind } from "./price_report.ts";
import type { ReadPricesOptions } from "./prices_options.ts";
import { shiftOf } from "./dates/dates_to_sessions.ts";
import { checkValues } from "./values/check_values.ts";
import { assertColumns, assertFrame } from "../frame/assert_frame.ts";
import { readDays } from "../frame/times/read_days.ts";

const NEVER = 2_932_896;

/** Rows by ticker and date, with their closes and, NaN if unknown, those as traded. */
type Rows = SortedRows & Readonly<Record<"closes" | "raws", Float64Array>>;

/** Finds common faults in prices, ordered by date and ticker. Changes nothing. */
export function inspectPrices(
  frame: DataFrame,
  { frequency, calendar = "us" }: Pick<ReadPricesOptions, "frequency" | "calendar">,
  sorted: SortedRows = sortRows(frame),
): readonly PriceFinding[] {
  if (frame.height === 0) return [];
  const rows = { ...sorted, closes: sorted.numbers("close"), raws: sorted.numbers("raw") };
  const days = Int32Array.from(new Set(rows.days)).sort();
  const seen = seenFrequency(days);
  const isDaily = frequency === undefined
    ? seen === "daily" || days.length < 2
    : frequency === "daily";
  // Closes that are weeks or months apart count as consecutive dates.
  const sessions = isDaily && calendar === "us"
    ? sessionsOf(days)
    : new Map([...days].map((day, place) => [day, place]));
  const shift = isDaily && calendar === "us" ? shiftOf(days) : null;
  const findings = [
    ...(frequency === undefined && !isDaily
      ? [finding("frequency", null, seen, medianGap(days))]
      : []),
    ...rows.names.filter((ticker) => !isTicker(ticker))
      .map((ticker) => finding("ticker", null, ticker, null)),
    ...strayDates(rows, sessions),
    ...[...sessions].filter(([, place]) => place === -1)
      .map(([day]) => finding("missing_session", day, null, null)),
    ...rowFindings(rows),
    ...valueFindings(rows, sessions),
    ...labelFindings(days, frequency ?? seen),
    ...(shift === null ? [] : [finding("shift", days[0]!, null, shift)]),
  ];
  return findings.toSorted((a, b) =>
    (a.day ?? -Infinity) - (b.day ?? -Infinity) || compareTexts(a.ticker ?? "", b.ticker ?? "")
  );
}

/** Each session of the span with its index; -1 if no ticker has a row on it. */
function sessionsOf(days: Int32Array): ReadonlyMap<number, number> {
  const present = new Set(days);
  let place = 0;
  const all = listSessionDays(days[0]!, days.at(-1)! + 1);
  return new Map(all.map((day) => [day, present.has(day) ? place++ : -1]));
}

function strayDates({ days }: Rows, sessions: ReadonlyMap<number, number>): PriceFinding[] {
  const counts = new Map<number, number>();
  for (const day of days) {
    if (!sessions.has(day)) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => finding("no_session", day, null, count));
}

function rowFindings({ names, tickers, days, closes }: Rows): PriceFinding[] {
  const findings: PriceFinding[] = [];
  for (const [row, close] of closes.entries()) {
    const [day, ticker] = [days[row]!, names[tickers[row]!]!];
    if (isAgain({ tickers, days }, row)) {
      const isSame = Object.is(close, closes[row - 1]);
      findings.push(finding(isSame ? "same_row" : "repeated", day, ticker, close));
    }
    if (Number.isNaN(close)) findings.push(finding("no_close", day, ticker, null));
  }
  return findings;
}

/** `true` for a row with the date and ticker of the one before. */
function isAgain({ tickers, days }: Pick<Rows, "tickers" | "days">, row: number): boolean {
  return row > 0 && days[row - 1] === days[row] && tickers[row - 1] === tickers[row];
}

function valueFindings(rows: Rows, sessions: ReadonlyMap<number, number>): PriceFinding[] {
  const listed = [...sessions].filter(([, place]) => place !== -1).map(([day]) => day);
  const found = checkValues({
    sessions: listed.length,
    tickers: rows.names.length,
    visit: (take) => {
      for (const [row, close] of rows.closes.entries()) {
        const session = sessions.get(rows.days[row]!) ?? -1;
        if (session === -1 || close <= 0 || isAgain(rows, row)) continue;
        take(rows.tickers[row]!, session, close, rows.raws[row]!);
      }
    },
  });
  return found.map(({ what, session, ticker, value }) =>
    finding(
      what,
      session === null ? null : listed[session]!,
      ticker === null ? null : rows.names[ticker]!,
      value,
    )
  );
}

/** Dates that label the starts of periods, and a last date before the end of one that is not over. */
function labelFindings(days: Int32Array, frequency: Frequency | null): PriceFinding[] {
  if (frequency === null || frequency === "daily" || days.length < 3) return [];
  if (beginPeriods(days, frequency)) return [finding("start", days[0]!, null, null)];
  const last = days.at(-1)!;
  return isRunning(days, frequency) ? [finding("running", last, null, null)] : [];
}

function finding(
  what: PriceFindingKind,
  day: number | null,
  ticker: string | null,
  value: number | null,
): PriceFinding {
  return { what, day, ticker, value };
}

/**
 * Replaces tickers of the source by those of a table, on the dates for which it says so; others stay as they are.
 *
 * @param table `ticker`, `other` (as the source has it), and `from` and `to` (both included; null is open) if it has them
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If two rows of the table have one ticker of the source on one date
 */
export function matchTickers(rows: DataFrame, table: DataFrame): DataFrame {
  const action = "read prices with tickers";
  assertFrame(action, table);
  assertColumns(action, table, ["ticker", "other"]);
  const bound = (name: string, open: number) =>
    pl.Series(
      name,
      table.columns.includes(name)
        ? readDays(action, table, name, { open })
        : new Int32Array(table.height).fill(open),
      pl.Int32,
    );
  const known = table.select("ticker", "other").rename({ ticker: "own", other: "ticker" })
    .withColumns(bound("from", -NEVER), bound("to", NEVER));
  const day = pl.col("date").cast(pl.Int32);
  const found = rows.select("date", "ticker").unique().join(known, { on: "ticker", how: "inner" })
    .filter(pl.col("from").ltEq(day).and(pl.col("to").gtEq(day))).select("date", "ticker", "own");
  if (found.select("date", "ticker").unique().height < found.height) {
    throw new RangeError(
      `Cannot ${action}: expected one ticker on each date for one of the source, got two rows of the table; give ` +
        "from and to dates that do not overlap",
    );
  }
  return rows.join(found, { on: ["date", "ticker"], how: "left" })
    .withColumns(pl.col("own").fillNull(pl.col("ticker")).alias("ticker")).drop("own");
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
