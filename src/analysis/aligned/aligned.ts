import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { AlignedColumns } from "../dense/to_data_frame.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { LossReport } from "./loss_report.ts";
import type { PriceMarket } from "./prices/price_market.ts";

/** Scores assigned to sessions and joined with forward returns: every row kept, every loss itemised. */
export interface Aligned {
  /**
   * One row per session and ticker with a row in the scores, scored or not, priced or not; by session and ticker, built
   * on first access. Columns: `session` (Date; the score was known before it trades), `ticker`, `score`, `group`
   * if groups were given, `return_h` for each horizon, `known_at` (Datetime, UTC), `age` (Int32, sessions since the
   * score was published or changed; null without a score).
   */
  readonly data: TypedFrame<AlignedColumns>;
  /** Fate of every input row. */
  readonly loss: LossReport;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** The market of the prices: their frequency, their calendar, and the periods of a year. */
  readonly market: PriceMarket;
  /** Number of tickers of the scores: of the rows that `where` keeps, if it was given. */
  readonly tickers: number;
  /** Sentence on scores of which none changes from a session to the end; `null` without such an end. */
  readonly constantScores: string | null;
  /** Number of stocks with a score that are delisted in the prices. */
  readonly delisted: number;
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /** The column of the scores that is analysed. */
  readonly score: string;
  /** `next` if a session has to trade after a score was known, `same` if it may trade at the same instant. */
  readonly entry: "next" | "same";
  /** `"alphalens"` if rows that lack a return of any horizon were dropped, as alphalens does. */
  readonly compat: "alphalens" | null;
  /** The same data as sessions × tickers, the input of every statistic. */
  readonly dense: DenseScores;
}
