import { countText } from "../../../base/wording/number_text.ts";
import type { CloseColumn } from "./price_columns.ts";
import type { CloseState } from "./close_state.ts";
import { type FactorTrial, LARGE, largeMoves, moveText, READING_NAMES } from "./factor_readings.ts";
import type { SortedRows } from "./sorted_rows.ts";

const LOOKED_AT = 500;
const MOST_DECIMALS = 8;
const ONE_SIDED = 0.8;

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
  /** `true` if more than one event shows it, so that no single fault does. */
  isSure = false;
  odd: readonly number[] = [];
  readonly reasons: string[] = [];
  readonly #rows: SortedRows;

  constructor(rows: SortedRows, { name, claim }: CloseColumn) {
    this.name = name;
    this.claim = claim;
    // CRSP turns the sign of a mean of bid and ask.
    this.values = rows.numbers(name).map(Math.abs);
    this.#rows = rows;
  }

  /** Takes what the readings of a factor say. */
  take(factor: string, trial: FactorTrial): void {
    this.trials.set(factor, trial);
    const large = largeMoves(trial);
    if (large.length === 0 || trial.rivals.length > 0) return;
    const jumps = trial.best !== "none";
    this.isSure = true;
    if (this.jumps !== null && this.jumps !== jumps) return;
    this.jumps = jumps;
    const shown = large.slice(0, 2).map(({ row, move }) => this.#jumpText(row, move)).join(", ");
    const seen = jumps ? "a jump at each" : large.length === 1 ? "no jump" : "no jump at them";
    this.reasons.push(`${countText(large.length, "change")} of ${factor} (${shown}): ${seen}`);
    this.odd = large.filter(({ move, added }) =>
      jumps
        ? Math.abs(move + added[trial.best]) > Math.abs(move) + LARGE / 2
        : Math.max(...READING_NAMES.map((name) => Math.abs(move) - Math.abs(move + added[name]))) >
          LARGE / 2
    ).map(({ row }) => row);
  }

  #jumpText(row: number, move: number): string {
    return `${this.#rows.place(row)} ${moveText(move)}`;
  }

  /** Splits at rows, with the moves of the first ones. */
  splitsText(rows: readonly number[]): string {
    const shown = rows.slice(0, 2).map((row) =>
      this.#jumpText(row, Math.log(this.values[row]! / this.values[row - 1]!))
    );
    return `${countText(rows.length, "split")} (${shown.join(", ")})`;
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
    if (this.reasons.length > 0) return this.reasons.join("; ");
    return this.claim === "plain"
      ? "nothing in the file shows it"
      : "its name; nothing in the file shows it";
  }
}

/** Compares each column of closes with each other one: what one of them is adjusted for and the other is not. */
export function compareAll(rows: SortedRows, closes: readonly JudgedColumn[]): void {
  for (const [i, one] of closes.entries()) {
    for (const two of closes.slice(i + 1)) {
      const { splits, dividends, jumper, reinvested } = stepsOf(rows.tickers, one, two);
      for (const [column, other] of [[one, two], [two, one]] as const) {
        const jumps = column === jumper;
        if (jumper !== null) {
          column.jumps = jumps;
          column.isSure ||= splits.length > 1;
          const where = `${column.splitsText(splits)}${jumps ? "" : " no jump"}`;
          const its = `where ${other.name} ${jumps ? "does not jump" : "jumps"}`;
          column.reasons.push(`${where} ${its}`);
          // Closes as traded have no dividends in them; nor have those that move as they do on all other days.
          if (!jumps && dividends.length === 0) column.isBare = true;
        }
        if (reinvested === null) continue;
        if (column.hasDividends !== false) column.hasDividends = column === reinvested;
        const count = countText(dividends.length, "dividend");
        const has = column === reinvested ? "has" : "lacks";
        const where = `in the ratio to ${other.name} (${rows.place(dividends[0]!)})`;
        column.reasons.push(`${count} ${where}, which it ${has}`);
      }
    }
  }
}

/**
 * Steps of the ratio of two columns: the rows at which it steps as at a split, with the column that jumps there, and as at a
 * dividend, with the column that is adjusted for it; `null` for neither clearly.
 */
function stepsOf(tickers: SortedRows["tickers"], first: JudgedColumn, second: JudgedColumn) {
  const [one, two] = [first.values, second.values];
  const [unitOne, unitTwo] = [unitOf(one), unitOf(two)];
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
    splits,
    dividends,
    jumper: !isDecided ? null : jumpOne > jumpTwo ? first : second,
    reinvested: !isOneSided ? null : up > down ? first : second,
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
