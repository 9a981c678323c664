import { countText, percentText } from "../../../base/wording/number_text.ts";
import { andText } from "../../../base/wording/words.ts";
import { FACTOR_ROLES } from "../prices_options.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** Meaning of a column of factors for the closes beside it; `none` if they are adjusted without it. */
export type Reading = Exclude<typeof FACTOR_ROLES[number], "dividend">;

type Form = "cum" | "day" | "before";

/** The readings but `none`: the sign of the factor's logarithm, its form, and what it does in words. */
export const READINGS: Readonly<
  Record<Exclude<Reading, "none">, readonly [sign: 1 | -1, form: Form, words: string]>
> = {
  multiply: [1, "cum", "multiplies the closes"],
  divide: [-1, "cum", "divides the closes"],
  split: [1, "day", "has the shares that one becomes on its day"],
  unsplit: [-1, "day", "has what earlier closes are multiplied by from its day on"],
  splitNext: [1, "before", "has the shares that one becomes on the next day"],
  unsplitNext: [-1, "before", "has what earlier closes are multiplied by from the next day on"],
};
/** Names of all readings. */
export const READING_NAMES: readonly Reading[] = FACTOR_ROLES.filter((role) => role !== "dividend");

/** Smallest step of a factor that a return of one day rarely has: below a split of 5 for 4. */
export const LARGE = Math.log(1.2);
const STEP = 1e-6;
// Fewer ex-dates than these say nothing, whatever their sizes are.
const FEWEST = 30;
// Separation of two readings in standard errors; at half of it the wrong one is met once in 20,000 files.
const SEPARATION = 8;

/** A move of a close, in logarithms, at which some reading of a factor alters it. */
interface FactorMove {
  /** The row of its end. */
  readonly row: number;
  /** The row of its begin. */
  readonly from: number;
  /** Its size. */
  readonly move: number;
  /** Logarithm that each reading adds to it. */
  readonly added: Readonly<Record<Reading, number>>;
}

/** Readings of a factor beside closes, as their moves judge them. */
export interface FactorTrial {
  /** The moves at which it changes. */
  readonly moves: readonly FactorMove[];
  /** The reading that leaves the smallest moves. */
  readonly best: Reading;
  /** The reading by which its splits are counted: the best one, or the form that it has. */
  readonly counted: Reading;
  /** Others that the numbers do not refute; empty if the best one is clear. */
  readonly rivals: readonly Reading[];
  /** Sum of what the best one takes off the moves. */
  readonly gain: number;
}

/** Adds up the logarithm of what each form of a factor makes of the closes, for each row. */
export function factorLogs(
  { tickers }: Pick<SortedRows, "tickers">,
  factor: Float64Array,
): Readonly<Record<Form, Float64Array>> {
  const of = () => new Float64Array(factor.length);
  const logs = { cum: of(), day: of(), before: of() };
  let [value, log, held, sum] = [1, 0, 0, 0];
  for (let row = 0; row < factor.length; row++) {
    if (tickers[row] !== tickers[row - 1]) [held, sum] = [0, 0];
    const next = factor[row]!;
    logs.before[row] = sum;
    if (next > 0 && next < Infinity) {
      if (next !== value) [value, log] = [next, Math.log(next)];
      held = log;
      sum += log;
    }
    [logs.cum[row], logs.day[row]] = [held, sum];
  }
  return logs;
}

/** Tries the seven readings of a factor on the moves of closes. */
export function tryFactor(
  rows: SortedRows,
  closes: Float64Array,
  factor: Float64Array,
): FactorTrial {
  const moves = movesOf(rows, closes, factor);
  const isCum = isCumulated(rows, factor);
  const names = READING_NAMES.filter((name) =>
    !isCum || name === "none" || READINGS[name][1] === "cum"
  )
    .filter((name) => isUpward(moves, name));
  const best = names.reduce((some, other) =>
    sizeOf(moves, other) < sizeOf(moves, some) - 1e-9 ? other : some
  );
  const rivals = names.filter((other) =>
    moves.some(({ added }) => Math.abs(added[best] - added[other]) > STEP) &&
    !isRefuted(moves, best, other)
  );
  const counted = best === "none" ? isCum ? "multiply" : "split" : best;
  const gain = sizeOf(moves, "none") - sizeOf(moves, best);
  return { moves, best, counted, rivals, gain };
}

/** Sum of what a reading leaves of the moves. */
function sizeOf(moves: readonly FactorMove[], reading: Reading): number {
  return moves.reduce((sum, { move, added }) => sum + Math.abs(move + added[reading]), 0);
}

/** `true` for a factor that stays where it is until it changes; one of the day is 1 on the next. */
function isCumulated({ tickers }: SortedRows, factor: Float64Array): boolean {
  let [all, same] = [0, 0];
  for (let row = 1; row < factor.length; row++) {
    if (tickers[row] !== tickers[row - 1] || factor[row] === 1 || !(factor[row]! > 0)) continue;
    all++;
    if (factor[row] === factor[row - 1]) same++;
  }
  return all > 0 && same >= all / 2;
}

// Dividends and stock dividends only ever add; splits go both ways.
function isUpward(moves: readonly FactorMove[], reading: Reading): boolean {
  let [sum, size, largest] = [0, 0, 0];
  for (const { added } of moves) {
    sum += added[reading];
    size += Math.abs(added[reading]);
    largest = Math.max(largest, Math.abs(added[reading]));
  }
  return largest >= LARGE || sum >= -0.8 * size;
}

/** The moves at which a factor is as large as a split. */
export function largeMoves({ moves, counted }: FactorTrial): FactorTrial["moves"] {
  return moves.filter(({ added }) => Math.abs(added[counted]) >= LARGE);
}

/** `true` if closes as traded are split, and the factor clearly has the splits. */
export function isSplitBy(trial: FactorTrial): boolean {
  return trial.best !== "none" && trial.rivals.length === 0 && largeMoves(trial).length > 0;
}

/** A move of closes in percent, with its sign. */
export function moveText(move: number): string {
  const text = percentText(Math.expm1(move));
  return /^[−-]/.test(text) ? text : `+${text}`;
}

function movesOf(
  { tickers }: SortedRows,
  closes: Float64Array,
  factor: Float64Array,
): readonly FactorMove[] {
  const { cum, day, before } = factorLogs({ tickers }, factor);
  const found: FactorMove[] = [];
  const stepOf = (row: number) => day[row]! - before[row]!;
  let [last, isOpen] = [-1, false];
  for (let row = 0; row < closes.length; row++) {
    if (tickers[row] !== tickers[row - 1]) [last, isOpen] = [-1, false];
    else {
      const changes = (at: number) =>
        at > 0 && tickers[at] === tickers[at - 1] &&
        (Math.abs(cum[at]! - cum[at - 1]!) > STEP || Math.abs(stepOf(at) - stepOf(at - 1)) > STEP);
      // The day after a change tells a factor of the day from one that stays.
      isOpen ||= changes(row) || changes(row - 1);
    }
    if (!(closes[row]! > 0)) continue;
    if (last !== -1 && isOpen) {
      const by = (logs: Float64Array) => logs[row]! - logs[last]!;
      const [multiply, split, splitNext] = [by(cum), by(day), by(before)];
      const added = { none: 0, multiply, divide: -multiply, split, unsplit: -split, splitNext };
      const move = Math.log(closes[row]! / closes[last]!);
      found.push({ row, from: last, move, added: { ...added, unsplitNext: -splitNext } });
    }
    [last, isOpen] = [row, false];
  }
  return found;
}

/**
 * `true` if the moves refute a reading beside another one: by splits, if the sums of sizes differ by half of what the readings
 * differ; without a split by many small steps.
 */
function isRefuted(moves: readonly FactorMove[], best: Reading, other: Reading): boolean {
  const gap = ({ added }: FactorMove) => added[best] - added[other];
  const large = moves.filter((move) => Math.abs(gap(move)) >= LARGE);
  if (large.length > 0) {
    const won = sizeOf(large, other) - sizeOf(large, best);
    return won >= large.reduce((sum, move) => sum + Math.abs(gap(move)), 0) / 2;
  }
  return moves.length >= FEWEST &&
    areApart(moves.map((move) => [move.move + move.added[best], gap(move)]));
}

/** `true` if rests are none of the differences beside them, by a regression whose slope is 0 or 1. */
function areApart(pairs: readonly (readonly [rest: number, difference: number])[]): boolean {
  const used = pairs.filter(([, difference]) => Math.abs(difference) > STEP);
  const sizes = used.map(([rest]) => Math.abs(rest)).sort((a, b) => a - b);
  const scale = 1.4826 * (sizes[Math.floor(sizes.length / 2)] ?? 0);
  const squares = used.reduce((sum, [, difference]) => sum + difference * difference, 0);
  if (scale === 0) return squares > 0;
  const cut = (rest: number) => Math.max(-3 * scale, Math.min(3 * scale, rest));
  const slope = used.reduce((sum, [rest, difference]) => sum + cut(rest) * difference, 0) / squares;
  const error = scale / Math.sqrt(squares);
  return Math.abs(slope) < 0.25 && 1 / error >= SEPARATION;
}

/** Tries whether closes lack dividends (`multiply`), or have them (`none`). */
export function tryDividends(
  rows: SortedRows,
  closes: Float64Array,
  logs: Float64Array,
): FactorTrial {
  const trial = tryFactor(rows, closes, logs.map((value) => Math.exp(value)));
  const open = [trial.best, ...trial.rivals]
    .filter((name) => name === "none" || name === "multiply");
  return {
    ...trial,
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

/** The largest of the moves at which a factor changes, without and with it. */
export function trialText(rows: SortedRows, { moves, best }: FactorTrial): string {
  const shown = largest(moves);
  const where = `${rows.place(shown.row)} ${moveText(shown.move)} as it is`;
  const without = `${countText(moves.length, "move")} beside its changes: ${where}`;
  const rest = moveText(shown.move + shown.added[best]);
  return best === "none" ? without : `${without}, ${rest} with it`;
}

/** The results of readings on one date, that of the largest step. */
export function resultsText(
  rows: SortedRows,
  closes: Float64Array,
  moves: FactorTrial["moves"],
  readings: readonly Reading[],
  isDividend: boolean,
): string {
  const { row, from, move, added } = largest(moves);
  const words = (reading: Reading) =>
    isDividend
      ? reading === "none" ? "if the closes have it" : "if they lack it"
      : reading === "none"
      ? "without it"
      : `if it ${READINGS[reading][2]}`;
  const results = readings.map((reading) => `${moveText(move + added[reading])} ${words(reading)}`);
  return `${rows.place(row)}, ${closes[from]} to ${closes[row]}: ${andText(results)}`;
}

function largest(moves: FactorTrial["moves"]): FactorMove {
  return moves.reduce((some, other) => stepOf(other) > stepOf(some) ? other : some);
}

/** The largest step of a factor at a move. */
export function stepOf({ added }: FactorMove): number {
  return Math.max(...Object.values(added).map(Math.abs));
}
