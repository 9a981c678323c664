import { lastNotAfter } from "../contract/scores/last_not_after.ts";

/** What a row is found by: its factor, empty if there is only one, and its keys within a set. */
export interface RowKey {
  /** Factor, or an empty text. */
  readonly factor: string;
  /** Ticker, and what else a row is matched by. */
  readonly row: string;
}

interface Known {
  /** When a set or check became known, ascending, epoch milliseconds. */
  readonly timesMs: readonly number[];
  /** The rows that became known at each of these times, by their keys. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** Rows of several sets, to be found by the set that was in force at a time. */
export class SetLookup {
  readonly #known: ReadonlyMap<string, Known>;

  /**
   * @param keys The keys of each row
   * @param timesMs When each row became known; the rows of one set share it
   */
  constructor(keys: readonly RowKey[], timesMs: readonly number[]) {
    const factors = Map.groupBy(keys.keys(), (i) => keys[i]!.factor);
    this.#known = new Map(
      [...factors].map(([factor, rows]) => [factor, knownOf(rows, keys, timesMs)]),
    );
  }

  /** When anything of a factor became known for the first time; `null` if nothing did. */
  firstMs(factor: string): number | null {
    return this.#known.get(factor)?.timesMs[0] ?? null;
  }

  /** The row of the set that was in force at a time; `null` if there was none, or it does not have the row. */
  rowAt({ factor, row }: RowKey, atMs: number): number | null {
    const known = this.#known.get(factor);
    if (known === undefined) return null;
    const setMs = known.timesMs[lastNotAfter(known.timesMs, atMs, (timeMs) => timeMs)];
    return setMs === undefined ? null : known.rows.get(setMs)!.get(row) ?? null;
  }
}

function knownOf(
  rows: readonly number[],
  keys: readonly RowKey[],
  timesMs: readonly number[],
): Known {
  const sets = Map.groupBy(rows, (i) => timesMs[i]!);
  return {
    timesMs: [...sets.keys()].sort((a, b) => a - b),
    rows: new Map(
      [...sets].map(([timeMs, own]) => [timeMs, new Map(own.map((i) => [keys[i]!.row, i]))]),
    ),
  };
}
