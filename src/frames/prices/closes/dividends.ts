import { type FactorTrial, tryFactor } from "./factor_readings.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** Tries whether closes lack dividends (`multiply`), or have them (`none`). */
export function tryDividends(
  rows: SortedRows,
  closes: Float64Array,
  logs: Float64Array,
): FactorTrial {
  const growth = logs.map((value) => Math.exp(value));
  const { moves, best, rivals } = tryFactor(rows, closes, growth);
  const open = [best, ...rivals].filter((name) => name === "none" || name === "multiply");
  return {
    moves,
    best: open.includes("none") ? "none" : "multiply",
    counted: "multiply",
    rivals: open.length > 1 ? ["multiply"] : [],
  };
}

/** The logarithm of what dividends that are invested again make of the closes; 0 at the end of a ticker. */
export function dividendLogs(
  { tickers }: SortedRows,
  closes: Float64Array,
  dividends: Float64Array,
): Float64Array {
  const logs = new Float64Array(closes.length);
  let sum = 0;
  for (let row = closes.length - 1; row >= 0; row--) {
    if (tickers[row] !== tickers[row + 1]) sum = 0;
    logs[row] = sum;
    if (dividends[row]! > 0 && closes[row]! > 0) sum -= Math.log1p(dividends[row]! / closes[row]!);
  }
  return logs;
}
