import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../frame/assert_rows.ts";
import { assertComparable } from "../vintage/assert_comparable.ts";
import { toChangeFrame, toChangeSummary } from "../vintage/compare_frame.ts";
import { hasSessions, toReleaseChanges } from "../vintage/compare_releases.ts";
import { DISPLAY, type MimeBundle } from "../notebook/display.ts";
import { displayLoad } from "../notebook/display_load.ts";
import { formatFrame } from "../notebook/frame/frame_bundle.ts";
import { checkOptions, FLAG, type OptionRules } from "../arguments/check_options.ts";

const COMPARE_RULES: OptionRules<CompareOptions> = { mixed: FLAG };

/** Changes between two score sets or two releases, and their summary. A notebook shows the summary. */
export class Comparison {
  /**
   * For sets one row per ticker of either: `ticker`, `change` (added, removed, value_to_null, null_to_value, moved or
   * unchanged), `before`, `after`, `move`, `rank_before`, `rank_after`, `rank_shift`. For releases one row per session and
   * ticker that changed: `date`, `ticker`, `change`, `before`, `after`, `move`.
   */
  readonly changes: DataFrame;
  /**
   * One row per kind of change: `change`, `tickers`, `mean_abs_move`, `max_abs_move`, `mean_abs_rank_shift`,
   * `max_abs_rank_shift`; for releases `change`, `row_count`, `sessions`, `tickers`, `mean_abs_move`, `max_abs_move`.
   */
  readonly summary: DataFrame;

  /**
   * Combines changes and their summary.
   *
   * @param changes The changes
   * @param summary Their summary; by default that of changes between two sets
   * @ignore
   */
  constructor(changes: DataFrame, summary: DataFrame = toChangeSummary(changes)) {
    this.changes = changes;
    this.summary = summary;
  }

  /** The summary as text. */
  toString(): string {
    return formatFrame(this.summary);
  }

  /** Display in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  /** Display in a notebook. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(Promise.resolve(this.summary));
  }
}

/** Options of {@link compare}. */
export interface CompareOptions {
  /**
   * Allows comparing live sets with a release, or two calculation definitions; differences then have more causes than changes
   * of scores.
   *
   * @default false
   */
  readonly mixed?: boolean;
}

/**
 * Compares two frames of scores of one factor, such as two sets, two views or two releases.
 *
 * `move` is after minus before. Ranks count from 1 for the highest score; ties share their average rank, and a missing score
 * has none. `rank_shift` is positive for a ticker that moved towards the top. A score that became null is distinguished from a
 * ticker that left the set. Costs no requests.
 *
 * @param before The earlier scores: `ticker` and a score column, one row per ticker
 * @param after The later scores of the same factor
 * @param options Limits of the comparison
 * @throws {TypeError} If a frame has no score column, the factors differ, or a ticker repeats
 * @throws {IntegrityError} If one has live sets and the other a release, or their calculation definitions differ
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
export function compare(
  before: DataFrame,
  after: DataFrame,
  options: CompareOptions = {},
): Comparison {
  checkOptions("call compare()", options, COMPARE_RULES);
  assertRows("compare scores", before, "the earlier scores");
  assertRows("compare scores", after, "the later scores");
  if (options.mixed !== true) assertComparable(before, after);
  if (hasSessions(before) && hasSessions(after)) {
    const { changes, summary } = toReleaseChanges(before, after);
    return new Comparison(changes, summary);
  }
  return new Comparison(toChangeFrame(before, after));
}
