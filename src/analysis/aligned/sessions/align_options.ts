import type { DataFrame, Expr } from "nodejs-polars";
import { GROUPS } from "../read_groups.ts";
import { COMPAT } from "../../alphalens_preset.ts";
import { CONDITION } from "../../cross_section/read_options.ts";
import { FRAME } from "../../../frames/frame/assert_frame.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { DELAY } from "../../../base/arguments/time_input.ts";

/** Rules for assigning scores to sessions. */
export interface AlignOptions {
  /** The column to analyse. @default the only column that is named like a score */
  readonly score?: string;
  /**
   * Values that are expected to earn more. `"low"` takes the scores with the other sign, so that ICs, quantiles and weights are those of a factor whose low
   * values are good; captions, the judgement and the trial log name it.
   *
   * @default "high"
   */
  readonly direction?: "high" | "low";
  /**
   * `next`: the first session that trades strictly after a score was known. `same`: a session that trades at the same
   * instant counts; for comparison with papers.
   *
   * @default "next"
   */
  readonly entry?: "next" | "same";
  /** Sessions after the one whose close makes a score that is dated by day known, before it can be used. @default 0 */
  readonly delay?: number;
  /** Milliseconds, in whole minutes, between the instant at which a score was known and the one at which it can be used. @default 0 */
  readonly delayMs?: number;
  /**
   * Groups: `ticker`, `group` and, if groups change, `from` and `to` (inclusive dates; null is open-ended). Without `to`, a group
   * holds until the next row of its ticker begins. A row without a group counts in statistics over all stocks, not in those by group, and is
   * in the loss report.
   *
   * @default none
   */
  readonly groups?: DataFrame;
  /**
   * Further numeric columns of the scores, such as size or momentum, which belong to the session of their row's score: nothing of a later session can be
   * in them. {@link famaMacBeth}, {@link doubleSort}, {@link orthogonalize} and {@link combine} read them.
   *
   * @default none
   */
  readonly columns?: readonly string[];
  /** Trading calendar: `date`, `open_at`, `close_at` of each session. @default the calendar of the returns */
  readonly calendar?: DataFrame;
  /** Statuses whose rows count. @default all */
  readonly statuses?: readonly string[];
  /**
   * Number of sessions after its publication for which a live set stays in force.
   *
   * @default until the next set; for the last one, the usual gap between sets
   */
  readonly maxAgeSessions?: number;
  /**
   * Condition on the columns of the scores for rows that count, such as `pl.col("raw").gtEq(5)`. Other rows, and those on which it is null,
   * are in the loss report as `excluded`.
   *
   * @default all rows
   */
  readonly where?: Expr;
  /**
   * `"priced"`: quantiles, weights and ICs of a session are over the stocks with a score and a price at their entry, which is known when the trade is
   * made; the others are lost as `no_entry_price`. `"scored"`: over all stocks with a score, so that capital stands idle in those that cannot be bought.
   *
   * @default "priced"
   */
  readonly universe?: "priced" | "scored";
  /** The largest share of rows that may be lost for a horizon; excluded rows are not lost. @default 1 */
  readonly maxLoss?: number;
  /** `"alphalens"`: entry in the same session; drops rows that lack the return of any horizon. @default none */
  readonly compat?: "alphalens";
}

/** A delay of instants: one in seconds is hardly a whole number of minutes in milliseconds. */
export const WHOLE_MINUTES: rules.Rule<number> = rules.ruleOf(
  "milliseconds in whole minutes, up to 31 days, such as 15 * 60_000 (86,400 seconds are a day: 86_400_000)",
  (value) => DELAY.accepts(value) && Number(value) % 60_000 === 0,
  { isKind: (value) => typeof value === "number" },
);

/** Accepted options of `align()`. */
export const ALIGN_RULES: rules.OptionRules<AlignOptions> = {
  score: rules.TEXT,
  direction: rules.oneOf("high", "low"),
  entry: rules.oneOf("next", "same"),
  delay: rules.whole(0),
  delayMs: WHOLE_MINUTES,
  groups: GROUPS,
  calendar: FRAME,
  statuses: rules.severalOf("an array of statuses", rules.TEXT.accepts),
  maxAgeSessions: rules.whole(0),
  where: CONDITION,
  columns: rules.COLUMN_NAMES,
  universe: rules.oneOf("priced", "scored"),
  maxLoss: rules.between(0, 1),
  compat: COMPAT,
};
