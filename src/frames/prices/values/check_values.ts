import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { decimalText, percentText } from "../../../base/wording/number_text.ts";

/** Kinds of findings in the values of closes. */
export type ValueKind =
  | ("still_share" | "still_session" | "still" | "ends_still" | "interpolated")
  | ("unit" | "hole" | "noise" | "levels" | "adjustment");

/** A finding in the values of closes: one of them, a jump of the size of a split, or a gap before a row. */
export interface ValueFinding {
  /** Its kind. */
  readonly what: ValueKind | "jump" | "gap";
  /** The session, as its place; `null` if it is not about one. */
  readonly session: number | null;
  /** The ticker, as its place; `null` for all. */
  readonly ticker: number | null;
  /** The number that the kind describes. */
  readonly value: number;
}

/** Closes by session and ticker. */
export interface ValueSource {
  /** Number of sessions. */
  readonly sessions: number;
  /** Number of tickers. */
  readonly tickers: number;
  /** Sessions after which a gap is too long for a return of interest. @default no limit */
  readonly longestGap?: number;
  /** Visits each row, by ascending session of its ticker; its close is NaN if it has none. */
  visit(take: (ticker: number, session: number, close: number, raw: number) => void): void;
}

/** A sentence about one finding or more, with both forms of what differs between them. */
const several = (sentence: string) => (count: number) => {
  const form = count === 1 ? "$1" : "$2";
  return `${groupThousands(count)} ${sentence.replaceAll(/\{(.*?)\|(.*?)\}/g, form)}`;
};
const share = (text: string) => (_: number, value: number) => `${percentText(value)} of ${text}`;

/** Sentence of each kind about so many findings, the first with a value; without a full stop. */
export const VALUE_WORDS: Readonly<Record<ValueKind, (count: number, value: number) => string>> = {
  still_share: share(
    "the closes equal the one before; weekly or monthly closes may have been filled",
  ),
  interpolated: share(
    "the closes move by exactly as much as the one before, as interpolated ones do",
  ),
  noise: share("the tickers have closes that return at once, as returns do: 1 + r is no close"),
  levels: (_, value) =>
    `the largest close is ${decimalText(value, 2)} and moves are small: these may be logarithms ` +
    "of closes",
  still_session: several("{session repeats|sessions repeat} all closes of the one before"),
  still: several("{ticker has|tickers have} a close that does not move for long"),
  ends_still: several(
    "{ticker ends|tickers end} with a close that does not move, as if filled after a delisting",
  ),
  unit: several("{close moves|closes move} by a factor of 100, as from cents to dollars"),
  hole: several(
    "{close follows|closes follow} a gap after which another company may have the ticker",
  ),
  adjustment: several("adjusted {close moves|closes move} where the raw {one does|ones do} not"),
};

/** Smallest valid price: closes adjusted for many splits are small, but not smaller. */
export const SMALLEST_PRICE = 1e-12;
/** Largest valid price: closes adjusted for many reverse splits are large, but not larger. */
export const LARGEST_PRICE = 1e15;
// Two-for-one splits and larger ones; smaller ones cannot be distinguished from ordinary returns.
const JUMP = 1.9;

/** Fewer moves than these say little about a share. */
export const FEWEST_MOVES = 60;
// The share of closes without a move that only an error explains.
const STILL_SHARE = 0.75;
const SOME_STILL = 0.4;
const LONG_RUN = 20;
const END_RUN = 5;
const RARE = 1e-4;
const MONTH = 21;
const FEW_SESSIONS = 3;
const LARGE_MOVE = Math.log(1.5);
const SAME = 1e-9;

/**
 * Refuses closes of which only an error explains how few move. Closes of which none ever moves have no IC that could mislead.
 *
 * @param share Share of the closes that equal the one before
 */
export function refuseStill(action: string, share: number): void {
  if (share < STILL_SHARE || share === 1) return;
  throw new RangeError(
    `Cannot ${action}: expected closes that move, got ${percentText(share)} of them equal to the ` +
      "one before, as if weekly or monthly closes had been filled; use the closes before they " +
      "were filled, with their frequency, or still: true if the market moved no more",
  );
}

/** Finds values that closes of a market do not have, ordered by kind. */
export function checkValues(source: ValueSource): readonly ValueFinding[] {
  const seen = Array.from({ length: source.tickers }, newTicker);
  const moves = new Uint32Array(source.sessions);
  const zeros = new Uint32Array(source.sessions);
  const found: ValueFinding[] = [];
  const all = { pairs: 0, same: 0, largest: 0, size: 0 };
  const { longestGap = Infinity } = source;
  source.visit((t, session, close, raw) => {
    const ticker = seen[t]!;
    const of = (what: "jump" | "gap", value: number) => ({ what, session, ticker: t, value });
    const missing = session - ticker.row - 1;
    if (ticker.row !== -1 && missing > 0) found.push(of("gap", missing));
    ticker.row = session;
    if (Number.isNaN(close)) return;
    all.largest = Math.max(all.largest, close);
    const gap = session - ticker.session;
    if (gap > 1) ticker.run = 0;
    if (ticker.session !== -1 && gap <= longestGap) {
      const ratio = close / ticker.close;
      if (ratio >= JUMP || ratio <= 1 / JUMP) found.push(of("jump", ratio));
      found.push(...afterGap(ticker, t, { session, close, raw }));
      if (gap === 1) {
        step(ticker, session, close, all);
        moves[session]!++;
        if (close === ticker.close) zeros[session]!++;
      }
    }
    [ticker.session, ticker.close, ticker.raw] = [session, close, raw];
  });
  return [...sharesOf(seen, all), ...repeatedSessions(moves, zeros), ...runsOf(seen), ...found];
}

/** Facts of the closes of a ticker so far; `row` is the session of its last row, with a close or without. */
type Ticker = ReturnType<typeof newTicker>;

function newTicker() {
  return {
    row: -1,
    session: -1,
    close: NaN,
    raw: NaN,
    move: NaN,
    change: NaN,
    moves: 0,
    zeros: 0,
    run: 0,
    longest: 0,
    longestEnd: -1,
    pairs: 0,
    product: 0,
    squares: 0,
  };
}

type Totals = Record<"pairs" | "same" | "largest" | "size", number>;

function step(ticker: Ticker, session: number, close: number, all: Totals): void {
  const change = close - ticker.close;
  const move = Math.log(close / ticker.close);
  ticker.moves++;
  all.size += Math.abs(move);
  if (change === 0) {
    ticker.zeros++;
    if (++ticker.run > ticker.longest) [ticker.longest, ticker.longestEnd] = [ticker.run, session];
  } else ticker.run = 0;
  if (!Number.isNaN(ticker.move)) {
    ticker.pairs++;
    ticker.product += move * ticker.move;
    ticker.squares += move * move;
    all.pairs++;
    if (change !== 0 && Math.abs(change - ticker.change) < SAME * close) all.same++;
  }
  [ticker.move, ticker.change] = [move, change];
}

function afterGap(
  before: Ticker,
  ticker: number,
  { session, close, raw }: Readonly<Record<"session" | "close" | "raw", number>>,
): ValueFinding[] {
  const ratio = close / before.close;
  const size = Math.abs(Math.log(ratio));
  const gap = session - before.session - 1;
  const of = (what: ValueKind, value: number) => ({ what, session, ticker, value });
  if (gap >= MONTH || (gap >= FEW_SESSIONS && size > LARGE_MOVE)) return [of("hole", ratio)];
  if (Math.abs(size - Math.log(100)) < Math.log(1.15)) return [of("unit", ratio)];
  const traded = Math.abs(Math.log(raw / before.raw));
  return size > Math.log(1.25) && traded < size / 4 ? [of("adjustment", ratio)] : [];
}

function sharesOf(seen: readonly Ticker[], all: Totals): readonly ValueFinding[] {
  const sum = (field: "moves" | "zeros") => seen.reduce((total, one) => total + one[field], 0);
  const [moves, zeros] = [sum("moves"), sum("zeros")];
  const of = (what: ValueKind, value: number) => [{ what, session: null, ticker: null, value }];
  if (moves < FEWEST_MOVES) return [];
  const judged = seen.filter(({ pairs, squares }) => pairs >= FEWEST_MOVES && squares > 0);
  const noisy = judged.filter(({ product, squares }) => product < -0.4 * squares).length /
    judged.length;
  const isLog = all.largest < 12 && all.size / moves < 0.004 && zeros < moves / 10 &&
    seen.length >= 10 && all.same < all.pairs / 10;
  return [
    ...(zeros / moves >= SOME_STILL ? of("still_share", zeros / moves) : []),
    ...(all.same / all.pairs >= SOME_STILL ? of("interpolated", all.same / all.pairs) : []),
    ...(noisy >= 0.8 ? of("noise", noisy) : isLog ? of("levels", all.largest) : []),
  ];
}

/** Sessions whose closes all equal those before, if chance does not explain one. */
function repeatedSessions(moves: Uint32Array, zeros: Uint32Array): readonly ValueFinding[] {
  const whole = [...moves.keys()].filter((session) =>
    moves[session]! >= 3 && zeros[session] === moves[session]
  );
  const others = [...moves.keys()].filter((session) => zeros[session]! < moves[session]!);
  const count = (values: Uint32Array) =>
    others.reduce((total, session) => total + values[session]!, 0);
  const usual = (count(zeros) + 0.5) / (count(moves) + 1);
  return whole
    .filter((session) => usual < SOME_STILL && moves.length * usual ** moves[session]! < 0.01)
    .map((session) => ({ what: "still_session", session, ticker: null, value: moves[session]! }));
}

/** Runs of one close that are longer than the other moves of the ticker explain. */
function runsOf(seen: readonly Ticker[]): readonly ValueFinding[] {
  return seen.flatMap((ticker, place): ValueFinding[] => {
    const { moves, zeros, longest, longestEnd, run, session } = ticker;
    const isRare = (length: number) => {
      const usual = (zeros - length + 1) / (moves - length + 2);
      return moves * usual ** length < RARE;
    };
    const of = (what: ValueKind, end: number, value: number) => [
      { what, session: end, ticker: place, value },
    ];
    if (run >= END_RUN && run < moves && isRare(run)) return of("ends_still", session, run);
    return longest >= LONG_RUN && isRare(longest) ? of("still", longestEnd, longest) : [];
  });
}
