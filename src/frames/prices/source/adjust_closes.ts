import pl, { type DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { isSplitSize } from "../values/check_values.ts";
import { missingText } from "./read_closes.ts";
import { FACTOR_ROLES, type PriceRole } from "./vendor_names.ts";

// A close that a three-for-two split moves by a third lies near its ratio, whatever the stock does on that day.
const NEAR = Math.log(1.2);
/** Numbers that vendors write for a missing value, such as -99.99 and -999. */
export const MISSING_CODE = /^-9{2,}(\.9+)?$/;

/**
 * Makes the closes those that returns need: divided by factors, with splits and dividends, or chained from returns.
 *
 * @param frame `date`, `ticker` and the numbers of the roles
 * @param hints Columns that tell raw closes, if nothing says what the closes are
 * @returns `date`, `ticker`, `close`, and `raw` if it is known
 * @throws {TypeError} If such columns show that the closes are raw, with the option that adjusts them
 */
export function adjustCloses(
  frame: DataFrame,
  hints: Partial<Record<PriceRole, string>>,
  { title, options }: { readonly title: string; readonly options: ReadPricesOptions },
): DataFrame {
  const read = new Set(frame.columns);
  if (read.has("other")) {
    refuseOtherMoves(frame, title, [options.close ?? "close", hints.other!]);
  }
  if (options.raw !== undefined && read.has("raw")) refuseEqual(frame, title, options.raw);
  if (options.adjusted === undefined && Object.keys(hints).length > 0) {
    refuseRaw(`read ${title}`, frame, hints);
  }
  const isFactored = options.factor !== undefined;
  if (!isFactored && !read.has("returns")) {
    return frame.select("date", "ticker", "close", ...(read.has("raw") ? ["raw"] : []));
  }
  if (!isFactored) return chainedCloses(`read ${title}`, frame, options);
  const rows = sortRows(frame);
  return rows.frame.select("date", "ticker").withColumns(
    pl.Series("close", factored(rows), pl.Float64),
    rows.frame.getColumn("close").rename("raw"),
  );
}

/** Closes that have the returns of the raw ones with splits and dividends, and end at the last raw close. */
function factored({ tickers, numbers }: SortedRows): (number | null)[] {
  const orUsual = (value: number, usual: number) => Number.isNaN(value) ? usual : value;
  const [raw, divide, multiply, splits, dividends] = [
    ...["close", "divide", "multiply", "split", "dividend"],
  ].map(numbers) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const adjusted: (number | null)[] = new Array(raw.length).fill(null);
  let scale = 1;
  // The factor of the rows before a row: shares that one share becomes, and dividends that are invested again.
  for (let row = raw.length - 1; row >= 0; row--) {
    if (tickers[row] !== tickers[row + 1]) scale = 1;
    const close = raw[row]! / orUsual(divide[row]!, 1) * orUsual(multiply[row]!, 1);
    if (!Number.isNaN(close)) adjusted[row] = close * scale;
    const split = orUsual(splits[row]!, 1) || 1;
    const dividend = orUsual(dividends[row]!, 0);
    const share = Number.isNaN(raw[row]!) ? 1 : raw[row]! / (raw[row]! + dividend);
    scale *= share / split;
  }
  return adjusted;
}

/**
 * An index that has the returns of a column, with those of a delisting in its last row; it begins at 1 + the first return.
 *
 * @param frame `date`, `ticker`, `returns` and, if there are any, `delisting`
 * @param options Those of `readPrices()`
 * @param name The column of the returns, if they are of a frame that `readPrices()` has not read
 * @returns `date`, `ticker` and `close`, by ticker and date
 * @throws {RangeError} If a return is below −1
 */
export function chainedCloses(
  action: string,
  frame: DataFrame,
  options: Pick<ReadPricesOptions, "missing" | "percent">,
  name?: string,
): DataFrame {
  const { frame: sorted, names, tickers, days, numbers } = sortRows(frame);
  const [returns, last] = [numbers("returns"), numbers("delisting")];
  const unit = options.percent === true ? 100 : 1;
  const wrong = returns.findIndex((value) => value < -unit || MISSING_CODE.test(String(value)));
  if (wrong !== -1) {
    const got = `${returns[wrong]} on ${fromEpochDay(days[wrong]!)} for ${names[tickers[wrong]!]}`;
    const advice = returnsAdvice(String(returns[wrong]), options, name);
    throw new RangeError(
      `Cannot ${action}: expected returns of at least -${unit}, got ${got}; ${advice}`,
    );
  }
  let level = 1;
  const closes = Array.from(returns, (value, row) => {
    if (tickers[row] !== tickers[row - 1]) level = 1;
    const delisting = last[row]!;
    if (Number.isNaN(value) && Number.isNaN(delisting)) return null;
    level *= (1 + (Number.isNaN(value) ? 0 : value / unit)) *
      (1 + (Number.isNaN(delisting) ? 0 : delisting / unit));
    return level;
  });
  return sorted.select("date", "ticker").withColumns(pl.Series("close", closes, pl.Float64));
}

function returnsAdvice(
  value: string,
  options: Pick<ReadPricesOptions, "missing" | "percent">,
  name: string | undefined,
): string {
  if (MISSING_CODE.test(value)) {
    const missing = `use missing: ${missingText(options, value)}`;
    return `${name === undefined ? missing : "make it null"} if it stands for no return`;
  }
  if (options.percent === true) return "correct the file";
  const call = name === undefined
    ? "percent: true"
    : `readPrices(prices, { returns: ${describe(name)}, percent: true })`;
  return `use ${call} if they are in percent`;
}

/**
 * Refuses closes that move against the factors beside them as raw ones do. Beside raw ones, adjusted closes with the same return
 * on the date of a dividend lack it.
 *
 * @param frame `date`, `ticker`, `close` and the factors by their roles, and `raw` beside closes that are named as adjusted
 * @throws {TypeError} With the option that adjusts them
 */
export function refuseRaw(
  action: string,
  frame: DataFrame,
  hints: Partial<Record<PriceRole, string>>,
): void {
  const rows = sortRows(frame);
  const hasRaw = frame.columns.includes("raw");
  const [close, raw, splits, divide, dividends] = [
    ...["close", "raw", "split", "divide", "dividend"],
  ].map(rows.numbers) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  let isSplit = false;
  const moved = firstMove(rows, (row) => {
    const change = divide[row - 1]! / divide[row]!;
    const split = (splits[row]! > 0 ? splits[row]! : 1) *
      (change > 0 && change < Infinity ? change : 1);
    const dividend = dividends[row]!;
    const ratio = close[row]! / close[row - 1]!;
    isSplit = Math.abs(Math.log(split)) > NEAR / 2;
    if (isSplit) return Math.abs(Math.log(ratio * split)) < NEAR;
    if (!(dividend > 0) || split !== 1) return false;
    return !hasRaw ||
      Math.abs(ratio / (raw[row]! / raw[row - 1]!) - 1) < dividend / raw[row - 1]! / 4;
  });
  if (moved === null) return;
  const named = FACTOR_ROLES.filter((role) => hints[role] !== undefined)
    .map((role) => `${role}: ${describe(hints[role])}`).join(", ");
  const [before, after] = action.startsWith("read ") ? ["", ""] : ["readPrices(prices, { ", " })"];
  const other = before === "" && !(isSplit && !hasRaw)
    ? ", or adjusted: true if they are adjusted"
    : "";
  const beside = Object.values(hints).join(", ");
  throw new TypeError(
    `Cannot ${action}: expected closes that are adjusted for splits and dividends, got the columns ${beside} beside them ` +
      `(${moved}); use ${before}factor: { ${named} }${after} to adjust them${other}`,
  );
}

/** The first move from a row of a ticker to the next that is wrong: date, ticker and both closes; `null` without one. */
function firstMove(
  { names, tickers, days, numbers }: SortedRows,
  isWrong: (row: number) => boolean,
): string | null {
  const close = numbers("close");
  const row = close.findIndex((_, i) => i > 0 && tickers[i] === tickers[i - 1] && isWrong(i));
  if (row === -1) return null;
  return `${fromEpochDay(days[row]!)} ${names[tickers[row]!]}: ${close[row - 1]} to ${close[row]}`;
}

/** Refuses closes that move by the size of a split where another column of closes does not. */
function refuseOtherMoves(frame: DataFrame, title: string, names: readonly string[]): void {
  const rows = sortRows(frame);
  const [close, others] = [rows.numbers("close"), rows.numbers("other")];
  const isSplit = (values: Float64Array, row: number) =>
    isSplitSize(values[row]! / values[row - 1]!);
  const moved = firstMove(rows, (row) => isSplit(close, row) && !isSplit(others, row));
  if (moved === null) return;
  const [own, other] = names.map(describe);
  throw new TypeError(
    `Cannot read ${title}: expected closes that are adjusted for splits, got ${own}, which moves as in a split where ` +
      `${other} does not (${moved}); use { close: ${other} }`,
  );
}

/** Refuses adjusted closes that equal the raw ones in all rows although these move as in a split. */
function refuseEqual(frame: DataFrame, title: string, name: string): void {
  const rows = sortRows(frame);
  const [close, raw] = [rows.numbers("close"), rows.numbers("raw")];
  if (close.some((value, row) => Math.abs(value - raw[row]!) > 1e-9 * value)) return;
  const isLarge = (row: number) => Math.abs(Math.log(close[row]! / close[row - 1]!)) > NEAR;
  const moved = firstMove(rows, isLarge);
  if (moved === null) return;
  const own = describe(name);
  throw new TypeError(
    `Cannot read ${title}: expected adjusted closes beside ${own}, got the same in every row (${moved}); use ` +
      `{ close: ${own}, adjusted: false } if neither is adjusted`,
  );
}

/** Rows by ticker and date, as arrays. */
export interface SortedRows {
  /** The rows as a frame. */
  readonly frame: DataFrame;
  /** The tickers, in the order of their code units. */
  readonly names: readonly string[];
  /** Ticker of each row, as its place among the names. */
  readonly tickers: Uint32Array;
  /** Date of each row, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** A column of numbers; NaN if missing, in every row of a column that is not there. */
  numbers(name: string): Float64Array;
}

/** Sorts rows of `date`, `ticker` and numbers. */
export function sortRows(frame: DataFrame): SortedRows {
  const names = (frame.getColumn("ticker").unique().toArray() as string[])
    .sort((a, b) => a < b ? -1 : 1);
  const codes = pl.DataFrame([
    pl.Series("ticker", names, pl.Utf8),
    pl.Series("\u0000code", Uint32Array.from(names.keys())),
  ]);
  const sorted = frame.join(codes, { on: "ticker", how: "left" }).sort(["\u0000code", "date"]);
  return {
    frame: sorted.drop("\u0000code"),
    names,
    tickers: sorted.getColumn("\u0000code").toTypedArray() as unknown as Uint32Array,
    days: sorted.getColumn("date").cast(pl.Int32).toTypedArray() as unknown as Int32Array,
    numbers: (name) => {
      if (!sorted.columns.includes(name)) return new Float64Array(sorted.height).fill(NaN);
      const column = sorted.select(pl.col(name).fillNull(pl.lit(NaN))).getColumn(name);
      return column.toTypedArray() as unknown as Float64Array;
    },
  };
}
