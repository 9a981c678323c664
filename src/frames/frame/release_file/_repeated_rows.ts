import type { HistoryKeys } from "./history_columns.ts";

/**
 * Finds rows that repeat the date and ticker of an earlier row, among unordered rows, by sorting two numbers per row.
 *
 * @param keys Sessions and tickers of the rows
 * @param tickers Number of distinct tickers
 */
export function findRepeatedRows(
  { days, numbers }: HistoryKeys,
  tickers: number,
): readonly number[] {
  // Exact: days of four-digit years take 22 bits, and there are fewer tickers than rows.
  const keys = Float64Array.from(days, (day, row) => day * tickers + numbers[row]!);
  const sorted = keys.toSorted();
  const repeated = new Set(sorted.filter((key, i) => i > 0 && key === sorted[i - 1]));
  if (repeated.size === 0) return [];
  const seen = new Set<number>();
  const rows: number[] = [];
  for (const [row, key] of keys.entries()) {
    if (!repeated.has(key)) continue;
    if (seen.has(key)) rows.push(row);
    seen.add(key);
  }
  return rows;
}
