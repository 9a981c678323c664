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
  const table = new TickerTable();
  let row = 0;
  for (const [entry, set] of sets.entries()) {
    codes.set(table.codesOf(set.tickers), row);
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
  return { rows, tickers: table.toFrame() };
}

class TickerTable {
  readonly #codes = new Map<string, number>();
  readonly #known = new Map<readonly string[], Int32Array>();

  /** Code of each ticker; known arrays are cached. */
  codesOf(tickers: readonly string[]): Int32Array {
    const known = this.#known.get(tickers);
    if (known !== undefined) return known;
    const codes = new Int32Array(tickers.length);
    for (let i = 0; i < codes.length; i++) codes[i] = this.#codeOf(tickers[i]!);
    this.#known.set(tickers, codes);
    return codes;
  }

  toFrame(): DataFrame {
    return pl.DataFrame([
      pl.Series("ticker_code", Int32Array.from(this.#codes.values())),
      pl.Series("ticker", [...this.#codes.keys()], pl.Utf8),
    ]);
  }

  #codeOf(ticker: string): number {
    const known = this.#codes.get(ticker);
    if (known !== undefined) return known;
    const code = this.#codes.size;
    this.#codes.set(ticker, code);
    return code;
  }
}
