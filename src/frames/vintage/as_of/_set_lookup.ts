import { lastNotAfter } from "../../../base/contract/scores/last_not_after.ts";

/** Key of a row: its factor (empty if there is only one), and its key within a set. */
export interface RowKey {
  /** Factor, or an empty text. */
  readonly factor: string;
  /** Ticker and further matched columns. */
  readonly row: string;
}

/** Rows of several sets, looked up in the set in force at a time. */
export class SetLookup {
  readonly #known: ReadonlyMap<string, ReturnType<typeof knownOf>>;

  /**
   * @param keys The keys of each row
   * @param timesMs Time at which each row became known, equal within a set
   */
  constructor(keys: readonly RowKey[], timesMs: ArrayLike<number>) {
    const factors = Map.groupBy(keys.keys(), (i) => keys[i]!.factor);
    this.#known = new Map(
      [...factors].map(([factor, rows]) => [factor, knownOf(rows, keys, timesMs)]),
    );
  }

  /** First known time of a factor; `null` without one. */
  firstMs(factor: string): number | null {
    return this.#known.get(factor)?.timesMs[0] ?? null;
  }

  /** Row of the set in force at a time; `null` if there was no set, or it lacks the row. */
  rowAt({ factor, row }: RowKey, atMs: number): number | null {
    const setMs = this.#setMs(factor, atMs);
    return setMs === undefined ? null : this.#known.get(factor)!.rows.get(setMs)!.get(row) ?? null;
  }

  /** Age of the set in force at a time; NaN if there was none. */
  ageMs(factor: string, atMs: number): number {
    return atMs - (this.#setMs(factor, atMs) ?? NaN);
  }

  /** `true` if any set has a row. */
  hasRow({ factor, row }: RowKey): boolean {
    return this.#known.get(factor)?.all.has(row) ?? false;
  }

  #setMs(factor: string, atMs: number): number | undefined {
    const { timesMs } = this.#known.get(factor) ?? { timesMs: [] };
    return timesMs[lastNotAfter(timesMs, atMs, (timeMs) => timeMs)];
  }
}

function knownOf(
  rows: readonly number[],
  keys: readonly RowKey[],
  timesMs: ArrayLike<number>,
) {
  const sets = Map.groupBy(rows, (i) => timesMs[i]!);
  return {
    timesMs: [...sets.keys()].sort((a, b) => a - b),
    rows: new Map(
      [...sets].map(([timeMs, own]) => [timeMs, new Map(own.map((i) => [keys[i]!.row, i]))]),
    ),
    all: new Set(rows.map((i) => keys[i]!.row)),
  };
}
