import { LARGE } from "./factor_readings.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** Steps of the ratio of two columns of closes: what one of them is adjusted for and the other is not. */
export interface CloseComparison {
  /** Rows at which the ratio steps as at a split. */
  readonly splits: readonly number[];
  /** The one that jumps there: the first (1), the second (2), or neither clearly (0). */
  readonly jumper: 0 | 1 | 2;
  /** Rows at which it steps as at a dividend. */
  readonly dividends: readonly number[];
  /** The one that is adjusted for these: the first (1), the second (2), or neither clearly (0). */
  readonly reinvested: 0 | 1 | 2;
}

const LOOKED_AT = 500;
const MOST_DECIMALS = 8;
const ONE_SIDED = 0.8;

/** Compares two columns of closes. */
export function compareCloses(
  { tickers }: SortedRows,
  one: Float64Array,
  two: Float64Array,
): CloseComparison {
  const [unitOne, unitTwo] = [one, two].map(unitOf) as [number, number];
  const splits: number[] = [];
  const dividends: number[] = [];
  let [jumpOne, jumpTwo, size, up, down, last] = [0, 0, 0, 0, 0, -1];
  for (let row = 0; row < one.length; row++) {
    if (tickers[row] !== tickers[row - 1]) last = -1;
    if (!(one[row]! > 0 && two[row]! > 0)) continue;
    const before = last;
    last = row;
    if (before === -1) continue;
    const ratio = one[row]! * two[before]! / (two[row]! * one[before]!);
    const off = unitOne / one[row]! + unitOne / one[before]! + unitTwo / two[row]! +
      unitTwo / two[before]!;
    if (Math.abs(ratio - 1) <= 1e-7 + 1.5 * off) continue;
    const step = Math.log(ratio);
    if (Math.abs(step) < LARGE) {
      dividends.push(row);
      if (step > 0) up += step;
      else down -= step;
      continue;
    }
    splits.push(row);
    size += Math.abs(step);
    jumpOne += Math.abs(Math.log(one[row]! / one[before]!));
    jumpTwo += Math.abs(Math.log(two[row]! / two[before]!));
  }
  const isDecided = splits.length > 0 && Math.abs(jumpOne - jumpTwo) >= size / 2;
  const isOneSided = Math.max(up, down) >= ONE_SIDED * (up + down) && up + down > 0;
  return {
    ...{ splits, dividends },
    jumper: !isDecided ? 0 : jumpOne > jumpTwo ? 1 : 2,
    reinvested: !isOneSided ? 0 : up > down ? 1 : 2,
  };
}

/** Half of the last digit that a column has. */
function unitOf(values: Float64Array): number {
  let decimals = 0;
  let seen = 0;
  for (const value of values) {
    if (!(value > 0)) continue;
    while (
      decimals < MOST_DECIMALS &&
      Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) > 1e-4
    ) decimals++;
    if (++seen === LOOKED_AT || decimals === MOST_DECIMALS) break;
  }
  return 0.5 * 10 ** -decimals;
}
