import type { DataFrame } from "nodejs-polars";
import { toChangeFrame, toChangeSummary } from "../frame/compare_frame.ts";
import { DISPLAY, type MimeBundle } from "../notebook/display.ts";
import { displayLoad } from "../notebook/display_load.ts";

/** What changed between two score sets: per ticker and as a summary. A notebook shows the summary. */
export class Comparison {
  /**
   * One row per ticker of either set: `ticker`, `change` (added, removed, value_to_null, null_to_value, moved or
   * unchanged), `before`, `after`, `move`, `rank_before`, `rank_after`, `rank_shift`.
   */
  readonly changes: DataFrame;
  /**
   * One row per kind of change: `change`, `tickers`, `mean_abs_move`, `max_abs_move`, `mean_abs_rank_shift`,
   * `max_abs_rank_shift`.
   */
  readonly summary: DataFrame;

  /**
   * Summarises the changes.
   *
   * @param changes The change of each ticker
   */
  constructor(changes: DataFrame) {
    this.changes = changes;
    this.summary = toChangeSummary(changes);
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(Promise.resolve(this.summary));
  }
}

/**
 * Compares two frames of scores of one factor, such as two sets or two views.
 *
 * `move` is after minus before. Ranks count from 1 for the highest score; ties share their average rank, and a missing
 * score has none. `rank_shift` is positive for a ticker that went towards the top. A score that became null is told
 * apart from a ticker that left the set. Costs nothing.
 *
 * @param before The earlier scores: `ticker` and a score column, one row per ticker
 * @param after The later scores of the same factor
 * @throws {TypeError} If a frame has no score column, the factors differ, or a ticker repeats
 * @example
 * ```ts
 * import { compare, demo } from "scoreframe";
 *
 * const api = await demo();
 * const before = await api.scores("ecpnd", { at: "2026-11-19T15:00:00Z" });
 * const after = await api.scores("ecpnd");
 * const { changes, summary } = compare(before, after);
 * if (changes.height < after.height || summary.height !== 6) throw new Error("rows are missing");
 * await api.close();
 * ```
 */
export function compare(before: DataFrame, after: DataFrame): Comparison {
  return new Comparison(toChangeFrame(before, after));
}
