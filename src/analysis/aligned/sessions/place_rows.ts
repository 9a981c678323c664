import type { DataFrame, Expr } from "nodejs-polars";
import { GROUPS } from "../read_groups.ts";
import { COMPAT } from "../../alphalens_preset.ts";
import { CONDITION } from "../../cross_section/read_options.ts";
import { FRAME } from "../../../frames/frame/assert_frame.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { DELAY } from "../../../base/arguments/time_input.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { isKnownStatus, STATUS_PRIORITY } from "../../../base/contract/scores/status.ts";
import { describe } from "../../../base/contract/violation.ts";
import type { DenseGroups } from "../../dense/dense_frames.ts";
import { type Places, placeSets, sessionInstants } from "./place_sets.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";
import type { TimedScores } from "../score_rows.ts";

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

const ACTION = "align scores by status";

/** Reasons for leaving a row out: a status that was not requested, or a condition that does not hold. */
export const OUT = { status: 1, excluded: 2 } as const;

/** Options of {@link placeRows}: those of `align()`, with `entry` required. */
export type EntryOptions = AlignOptions & { readonly entry: "next" | "same" };

/** Rows with their sessions. */
export interface PlacedRows {
  /** The rows. */
  readonly rows: TimedScores;
  /** The returns, whose sessions are those of the result. */
  readonly returns: ForwardReturns;
  /** Sessions of the rows of each time. */
  readonly places: Places;
  /** Reason for leaving each row out, as {@link OUT} numbers it; 0 for a row that counts, `null` if all count. */
  readonly refused: Uint8Array | null;
  /** True if stocks without a price at their entry are outside of the universe. */
  readonly isPriced: boolean;
  /** The groups of sessions × tickers of the scores; `null` if there are none. */
  readonly groups: DenseGroups | null;
}

/** Finds the sessions of rows on those of returns. */
export function placeRows(
  rows: TimedScores,
  returns: ForwardReturns,
  options: EntryOptions,
  groups: DenseGroups | null = null,
): PlacedRows {
  const byStatus = refusedRows(rows, options.statuses);
  // A set still supersedes the previous one if all its rows are excluded.
  const refused =
    rows.excluded?.map((out, row) =>
      byStatus?.[row] === OUT.status ? OUT.status : out === 1 ? OUT.excluded : 0
    ) ?? byStatus;
  const instants = sessionInstants(returns, options.calendar ?? null, rows.kind === "instant");
  refuseDelay(rows, options);
  const places = placeSets(rows, returns.grid, instants, options, countedTimes(rows, byStatus));
  return { rows, returns, places, refused, groups, isPriced: options.universe !== "scored" };
}

/** Refuses a delay of instants for scores that have dates, of which it would merge two before one close, and one of sessions for instants. */
function refuseDelay({ kind }: TimedScores, { delay = 0, delayMs = 0 }: EntryOptions): void {
  const isOther = kind === "date" ? delayMs !== 0 : delay !== 0;
  if (!isOther) return;
  throw new RangeError(
    kind === "date"
      ? `Cannot align scores: expected a delay in sessions, because the scores are dated by day, got delayMs: ${delayMs}; ` +
        `write delay: ${Math.max(1, Math.round(delayMs / 86_400_000))}`
      : `Cannot align scores: expected a delay in milliseconds, because the scores have instants, got delay: ${delay}; ` +
        `write delayMs: ${delay} * 86_400_000`,
  );
}

/** 1 for each time of which a row counts. */
function countedTimes(rows: TimedScores, refused: Uint8Array | null): Uint8Array {
  const counted = new Uint8Array(rows.times.length).fill(refused === null ? 1 : 0);
  refused?.forEach((out, row) => {
    if (out === 0) counted[rows.timeOf[row]!] = 1;
  });
  return counted;
}

/**
 * 1 for each row whose status is not requested; `null` if all are.
 *
 * @throws {TypeError} If there is no column of statuses, or one is neither known nor a row's
 * @throws {RangeError} If no row has one of them
 */
function refusedRows(
  rows: TimedScores,
  statuses: readonly string[] | undefined,
): Uint8Array | null {
  if (statuses === undefined) return null;
  if (rows.statuses === null) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a column status, got none; leave the option statuses out`,
    );
  }
  const { names, codes } = rows.statuses;
  for (const status of statuses) assertStatus(status, names);
  const allowed = names.map((name) => statuses.includes(name));
  if (!allowed.includes(true)) {
    throw new RangeError(
      `Cannot ${ACTION}: expected a status that rows have, got ${statuses.join(", ") || "none"}; ` +
        `they have ${names.join(", ") || "none"}`,
    );
  }
  return Uint8Array.from(codes, (code) => allowed[code] === true ? 0 : 1);
}

function assertStatus(status: string, names: readonly string[]): void {
  if (isKnownStatus(status) || names.includes(status)) return;
  const known = [...new Set([...names, ...STATUS_PRIORITY])];
  const nearest = nearestName(status, known);
  throw new TypeError(
    `Cannot ${ACTION}: expected statuses of ${known.join(", ")}, got ${describe(status)}` +
      (nearest === null ? "" : `; did you mean "${nearest}"?`),
  );
}
