import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../frames/frame/assert_frame.ts";
import type { AllOf, ColumnsOf } from "../frames/frame/typed/columns.ts";
import { framed } from "../frames/frame/typed/frame_of.ts";
import type { TypedFrame } from "../frames/frame/typed/typed_frame.ts";
import {
  assertComparable,
  type SET_CHANGE_COLUMNS,
  type SET_SUMMARY_COLUMNS,
  toChangeFrame,
  toChangeSummary,
} from "../frames/vintage/compare_frame.ts";
import {
  hasSessions,
  type RELEASE_CHANGE_COLUMNS,
  type RELEASE_SUMMARY_COLUMNS,
  toReleaseChanges,
} from "../frames/vintage/compare_releases.ts";
import { DISPLAY } from "../frames/notebook/display.ts";
import { displayAs } from "../frames/notebook/display_as.ts";
import { displayLoad } from "../frames/notebook/shown_promise.ts";
import { formatFrame } from "../frames/notebook/frame/frame_bundle.ts";
import { checkOptions, FLAG, type OptionRules } from "../base/arguments/check_options.ts";

const COMPARE_RULES: OptionRules<CompareOptions> = { mixed: FLAG };

/**
 * Columns of a comparison of sets, of releases, and of frames whose kind only the call determines.
 *
 * @internal
 */
export interface ComparisonColumns {
  /** Columns of a comparison of two sets. */
  readonly sets: {
    readonly changes: ColumnsOf<typeof SET_CHANGE_COLUMNS>;
    readonly summary: ColumnsOf<typeof SET_SUMMARY_COLUMNS>;
  };
  /** Columns of a comparison of two releases. */
  readonly releases: {
    readonly changes: ColumnsOf<typeof RELEASE_CHANGE_COLUMNS>;
    readonly summary: ColumnsOf<typeof RELEASE_SUMMARY_COLUMNS>;
  };
  /** All columns of both. */
  readonly either: {
    readonly changes: AllOf<ColumnsOf<typeof SET_CHANGE_COLUMNS | typeof RELEASE_CHANGE_COLUMNS>>;
    readonly summary: AllOf<ColumnsOf<typeof SET_SUMMARY_COLUMNS | typeof RELEASE_SUMMARY_COLUMNS>>;
  };
}

/**
 * Kind of a compared frame: a release has dates.
 *
 * @internal
 */
export type ComparedKind<Frame> = Frame extends TypedFrame<infer Columns>
  ? string extends keyof Columns ? "either"
  : "date" extends keyof Columns ? "releases"
  : "sets"
  : "either";

/** Changes between two score sets or two releases, and their summary. A notebook shows the summary. */
export class Comparison<Kind extends keyof ComparisonColumns = "either"> {
  static {
    displayAs(Comparison, (shown) => ({
      toString: () => formatFrame(shown.summary),
      [DISPLAY]: () => displayLoad(Promise.resolve(shown.summary)),
    }));
  }

  /**
   * For sets one row per ticker of either: `ticker`, `change` (added, removed, value_to_null, null_to_value, moved or
   * unchanged), `before`, `after`, `move`, `rank_before`, `rank_after`, `rank_shift`. For releases one row per session and
   * ticker that changed: `date`, `ticker`, `change`, `before`, `after`, `move`.
   */
  readonly changes: TypedFrame<ComparisonColumns[Kind]["changes"]>;
  /**
   * One row per kind of change: `change`, `tickers`, `mean_abs_move`, `max_abs_move`, `mean_abs_rank_shift`,
   * `max_abs_rank_shift`; for releases `change`, `row_count`, `sessions`, `tickers`, `mean_abs_move`, `max_abs_move`.
   */
  readonly summary: TypedFrame<ComparisonColumns[Kind]["summary"]>;

  /**
   * Combines changes and their summary.
   *
   * @ignore
   */
  constructor(changes: DataFrame, summary: DataFrame) {
    this.changes = framed<ComparisonColumns[Kind]["changes"]>(changes);
    this.summary = framed<ComparisonColumns[Kind]["summary"]>(summary);
  }
}

/**
 * Options of {@link compare}.
 *
 * @internal
 */
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
export function compare<Frame extends DataFrame>(
  before: Frame,
  after: DataFrame,
  options: CompareOptions = {},
): Comparison<ComparedKind<Frame>> {
  checkOptions("call compare()", options, COMPARE_RULES);
  assertRows("compare scores", before, "the earlier scores");
  assertRows("compare scores", after, "the later scores");
  if (options.mixed !== true) assertComparable(before, after);
  if (hasSessions(before) && hasSessions(after)) {
    const { changes, summary } = toReleaseChanges(before, after);
    return new Comparison<ComparedKind<Frame>>(changes, summary);
  }
  const changes = toChangeFrame(before, after);
  return new Comparison<ComparedKind<Frame>>(changes, toChangeSummary(changes));
}
