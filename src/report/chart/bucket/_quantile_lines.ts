import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { toValue } from "../grammar/values.ts";

const COLUMNS = ["session", "quantile", "wealth", "all_names", "relative"] as const;

/** Values by session. */
export type Column = readonly (number | null)[];

/** Growth of 1 by session. Rows as objects would take longer than the picture. */
export interface QuantileLines {
  /** The sessions in milliseconds, in their order. */
  readonly times: readonly number[];
  /** Growth of all stocks. */
  readonly all: Column;
  /** Growth of each quantile, the lowest first. */
  readonly wealth: readonly Column[];
  /** The same relative to all stocks. */
  readonly relative: readonly Column[];
}

/** Reads the lines of an analysis. */
export function linesOf({ detail }: FactorAnalysis, count: number): QuantileLines {
  const [days, quantiles, wealth, all, relative] = COLUMNS.map((name) =>
    detail.cumulativeQuantileReturns.getColumn(name).toArray() as readonly unknown[]
  ) as unknown as [readonly Date[], readonly number[], Column, Column, Column];
  const stamps = days.map((day) => day.getTime());
  const times = [...new Set(stamps)].toSorted((a, b) => a - b);
  const places = new Map(times.map((time, place) => [time, place]));
  const empty = () => Array<number | null>(times.length).fill(null);
  const lines = {
    times,
    all: empty(),
    wealth: Array.from({ length: count }, empty),
    relative: Array.from({ length: count }, empty),
  };
  for (const [row, stamp] of stamps.entries()) {
    const place = places.get(stamp)!;
    const line = quantiles[row]! - 1;
    lines.all[place] ??= all[row]!;
    lines.wealth[line]![place] = wealth[row]!;
    lines.relative[line]![place] = relative[row]!;
  }
  return lines;
}

/** Last value of a line, at the precision of the picture; `null` without values. */
export function lastOf(column: Column = []): number | null {
  const last = column.findLast((value) => value !== null && !Number.isNaN(value));
  return last === undefined ? null : toValue(last) as number;
}
