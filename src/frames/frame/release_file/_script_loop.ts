import { readScore, type ScoreCursor } from "./_score_cursor.ts";
import { DATE_BYTES, LOOP_STATE, type RowMemory, TICKER_ENTRY } from "./row_memory.ts";

const WORD = 4;
// The third word of the date and its comma begins at their last four bytes.
const LAST_WORD = DATE_BYTES - WORD;

/**
 * Reads rows from `line` to `end` as long as each continues the session with the expected ticker and a plain score, and returns
 * the position of the first line that does not.
 */
export function readRowsInScript(memory: RowMemory, line: number, end: number): number {
  const { bytes, view, state, days, numbers, scores, tickers } = memory;
  const cursor: ScoreCursor = { position: line };
  const date0 = view.getInt32(0, true);
  const date1 = view.getInt32(WORD, true);
  const date2 = view.getInt32(LAST_WORD, true);
  const day = state[LOOP_STATE.day]!;
  // All state is in local variables: this loop runs for nearly every row.
  let [ticker, place] = [state[LOOP_STATE.ticker]!, state[LOOP_STATE.place]!];
  let [missing, position] = [0, line];
  while (
    position < end && view.getInt32(position, true) === date0 &&
    view.getInt32(position + WORD, true) === date1 &&
    view.getInt32(position + LAST_WORD, true) === date2
  ) {
    const expected = tickers[ticker * TICKER_ENTRY.words + TICKER_ENTRY.successor]!;
    const entry = expected * TICKER_ENTRY.words;
    const text = position + DATE_BYTES;
    const length = tickers[entry + TICKER_ENTRY.length]!;
    if (length === 0 || tickers[entry + TICKER_ENTRY.lastDay] === day) break;
    if (!isTickerAt(view, text, tickers, entry)) break;
    const score = readScore(bytes, view, text + length, cursor);
    if (score < 0) break;
    if (score !== score) missing++;
    tickers[entry + TICKER_ENTRY.lastDay] = day;
    days[place] = day;
    numbers[place] = expected;
    scores[place] = score;
    place++;
    ticker = expected;
    position = cursor.position;
  }
  state[LOOP_STATE.ticker] = ticker;
  state[LOOP_STATE.place] = place;
  state[LOOP_STATE.missing] = missing;
  return position;
}

function isTickerAt(view: DataView, at: number, tickers: Int32Array, entry: number): boolean {
  const [text, mask] = [entry + TICKER_ENTRY.text, entry + TICKER_ENTRY.mask];
  return (view.getInt32(at, true) & tickers[mask]!) === tickers[text] &&
    (view.getInt32(at + WORD, true) & tickers[mask + 1]!) === tickers[text + 1];
}
