import type { DataFrame } from "nodejs-polars";
import type { CalendarDate } from "../../contract/instant.ts";
import type { DenseScores } from "../dense/dense_scores.ts";

/** Scores brought to sessions and joined with forward returns: every row kept, every loss itemised. */
export interface Aligned {
  /** One row a session and ticker with a row in the scores, scored or not, priced or not; made when first asked for. */
  readonly data: DataFrame;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /** The column of the scores that is analysed. */
  readonly score: string;
  /** The same as sessions × tickers, which every statistic reads. */
  readonly dense: DenseScores;
}
