import pl, { type DataFrame } from "nodejs-polars";
import { type ScoreRows, scoreValues } from "../../base/contract/scores/score_rows.ts";

/** Rows of several score sets as numbers, which Polars adopts without copying. */
export interface PanelRows {
  /** Columns `entry` and `ticker_code` (Int32) and the score (Float64, null for a missing one). */
  readonly rows: DataFrame;
  /** Columns `ticker_code` and `ticker`: one row per distinct ticker. */
  readonly tickers: DataFrame;
}

/**
 * Concatenates the rows of sets. Ticker texts for each row would take half of a panel's time; sets of one universe share their
 * tickers, so rows have ticker codes.
 */
export function toPanelRows(sets: readonly ScoreRows[], score: string): PanelRows {
  const height = sets.reduce((sum, { tickers }) => sum + tickers.length, 0);
  const entries = new Int32Array(height);
  const codes = new Int32Array(height);
  const scores = new Float64Array(height);
  const codeOf = new Map<string, number>();
  const known = new Map<readonly string[], Int32Array>();
  const codesOf = (tickers: readonly string[]) => {
    const own = new Int32Array(tickers.length);
    for (const [i, ticker] of tickers.entries()) {
      own[i] = codeOf.get(ticker) ?? codeOf.size;
      codeOf.set(ticker, own[i]);
    }
    known.set(tickers, own);
    return own;
  };
  let row = 0;
  for (const [entry, set] of sets.entries()) {
    codes.set(known.get(set.tickers) ?? codesOf(set.tickers), row);
    entries.fill(entry, row, row + set.tickers.length);
    // A Float64Array has no null: NaN, which is never a score, stands for a missing one.
    scores.set(scoreValues(set), row);
    row += set.tickers.length;
  }
  const rows = pl.DataFrame([
    pl.Series("entry", entries),
    pl.Series("ticker_code", codes),
    pl.Series(score, scores),
  ]).withColumn(pl.col(score).fillNan(pl.lit(null)));
  const tickers = pl.DataFrame([
    pl.Series("ticker_code", Int32Array.from(codeOf.values())),
    pl.Series("ticker", [...codeOf.keys()], pl.Utf8),
  ]);
  return { rows, tickers };
}
