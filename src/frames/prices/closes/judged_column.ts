import { countText } from "../../../base/wording/number_text.ts";
import type { CloseColumn } from "./price_columns.ts";
import type { CloseState } from "./close_state.ts";
import { compareCloses } from "./compare_closes.ts";
import { type FactorTrial, LARGE, largeMoves, moveText, READING_NAMES } from "./factor_readings.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** A column of closes with what the others and the factors say of it. */
export class JudgedColumn {
  readonly name: string;
  readonly claim: CloseColumn["claim"];
  readonly values: Float64Array;
  readonly trials = new Map<string, FactorTrial>();
  /** `true` if it jumps at splits; `null` if no split shows it. */
  jumps: boolean | null = null;
  /** `true` if dividends are in it, as another column shows; `null` if none does. */
  hasDividends: boolean | null = null;
  /** `true` if it moves as closes as traded do on all days but those of splits. */
  isBare = false;
  /** `true` if a factor shows it. */
  isTried = false;
  /** `true` if more than one event shows it, so that no single fault does. */
  isSure = false;
  odd: readonly number[] = [];
  readonly #reasons: string[] = [];
  readonly #rows: SortedRows;

  constructor(rows: SortedRows, { name, claim }: CloseColumn) {
    this.name = name;
    this.claim = claim;
    // CRSP turns the sign of a mean of bid and ask.
    this.values = rows.numbers(name).map(Math.abs);
    this.#rows = rows;
  }

  /** Takes what a comparison says of this column. */
  compared(other: string, places: readonly number[], jumps: boolean): void {
    this.jumps = jumps;
    this.isSure ||= places.length > 1;
    this.#reasons.push(
      `${splitsText(this.#rows, places, this.values)}${jumps ? "" : " no jump"} where ${other} ${
        jumps ? "does not jump" : "jumps"
      }`,
    );
  }

  /** Takes what a comparison says of its dividends. */
  reinvested(other: string, rows: readonly number[], has: boolean): void {
    if (this.hasDividends !== false) this.hasDividends = has;
    this.#reasons.push(
      `${countText(rows.length, "dividend")} in the ratio to ${other} (${
        this.#rows.place(rows[0]!)
      }), ` +
        (has ? "which it has" : "which it lacks"),
    );
  }

  /** Takes what the readings of a factor say. */
  take(factor: string, trial: FactorTrial): void {
    this.trials.set(factor, trial);
    const large = largeMoves(trial);
    if (large.length === 0 || trial.rivals.length > 0) return;
    const jumps = trial.best !== "none";
    this.isTried = this.isSure = true;
    if (this.jumps !== null && this.jumps !== jumps) return;
    this.jumps = jumps;
    this.#reasons.push(
      `${countText(large.length, "change")} of ${factor} (${
        large.slice(0, 2).map(({ row, move }) => `${this.#rows.place(row)} ${moveText(move)}`).join(
          ", ",
        )
      }): ${jumps ? "a jump at each" : large.length === 1 ? "no jump" : "no jump at them"}`,
    );
    this.odd = large.filter(({ move, added }) =>
      jumps
        ? Math.abs(move + added[trial.best]) > Math.abs(move) + LARGE / 2
        : Math.max(...READING_NAMES.map((name) => Math.abs(move) - Math.abs(move + added[name]))) >
          LARGE / 2
    ).map(({ row }) => row);
  }

  /** `true` if it moves by the size of a split. */
  get hasLargeMove(): boolean {
    const { tickers } = this.#rows;
    return this.values.some((close, row) =>
      tickers[row] === tickers[row - 1] && Math.abs(Math.log(close / this.values[row - 1]!)) > LARGE
    );
  }

  get state(): CloseState {
    if (this.jumps === true) return "none";
    if (this.hasDividends === true) return "all";
    if (this.claim === "adjusted" && this.hasDividends !== false) return "all";
    if (this.jumps === false || this.claim === "splits") return "splits";
    return this.claim === "raw" ? "none" : "unknown";
  }

  get because(): string {
    if (this.#reasons.length > 0) return this.#reasons.join("; ");
    return this.claim === "plain"
      ? "nothing in the file shows it"
      : "its name; nothing in the file shows it";
  }
}

/** Compares each column of closes with each other one. */
export function compareAll(rows: SortedRows, closes: readonly JudgedColumn[]): void {
  for (const [i, one] of closes.entries()) {
    for (const two of closes.slice(i + 1)) {
      const found = compareCloses(rows, one.values, two.values);
      const { splits, jumper, dividends, reinvested } = found;
      if (jumper !== 0) {
        one.compared(two.name, splits, jumper === 1);
        two.compared(one.name, splits, jumper === 2);
      }
      // Closes as traded have no dividends in them; nor have those that move as they do on all other days.
      if (jumper !== 0 && dividends.length === 0) (jumper === 1 ? two : one).isBare = true;
      if (reinvested !== 0) {
        one.reinvested(two.name, dividends, reinvested === 1);
        two.reinvested(one.name, dividends, reinvested === 2);
      }
    }
  }
}

function splitsText(rows: SortedRows, places: readonly number[], values: Float64Array): string {
  const shown = places.slice(0, 2).map((row) => {
    const move = Math.log(values[row]! / values[row - 1]!);
    return `${rows.place(row)} ${moveText(move)}`;
  });
  return `${countText(places.length, "split")} (${shown.join(", ")})`;
}
