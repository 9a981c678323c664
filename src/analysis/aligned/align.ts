import type { DataFrame } from "nodejs-polars";
import {
  AMOUNT,
  ANY_VALUE,
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  TEXT,
} from "../../arguments/check_options.ts";
import { describe } from "../../contract/violation.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import { hasSynthetic } from "../../frame/provenance/synthetic_lineage.ts";
import { sayCompat } from "../alphalens/say_compat.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { toDataFrame } from "../dense/to_data_frame.ts";
import { canShare } from "../threads/shared_buffer.ts";
import { displayParts } from "../table/display_parts.ts";
import type { Aligned } from "./aligned.ts";
import type { ForwardReturns } from "./prices/forward_returns.ts";
import { type LayOutContext, layOutScores } from "./lay_out_scores.ts";
import { type LossReport, toLossReport } from "./loss_report.ts";
import { assertSmallLoss } from "./assert_small_loss.ts";
import { type Places, placeSets } from "./place_sets.ts";
import { readGroups } from "./read_groups.ts";
import { readScoreRows, type ScoreRows, timeText } from "./score_rows.ts";
import { sessionInstants } from "./trade_instants.ts";

/** How scores are brought to sessions. */
export interface AlignOptions {
  /** The column to analyse. @default the only column that is named like a score */
  readonly score?: string;
  /**
   * `next`: the first session that trades strictly after a score was known. `same`: a session that trades at that very
   * instant counts; for comparison with papers.
   *
   * @default "next"
   */
  readonly entry?: "next" | "same";
  /** Minutes between the moment a score was known and the moment it can be used. @default 0 */
  readonly delayMinutes?: number;
  /** `ticker`, `group`, and if groups change `from` and `to` (dates, both included). @default none */
  readonly groups?: DataFrame;
  /** `date`, `open_at`, `close_at` of each session. @default the US market */
  readonly calendar?: DataFrame;
  /** Statuses whose rows count. @default all */
  readonly statuses?: readonly string[];
  /** For how many sessions after its publication a live set stays in force. @default for ever */
  readonly maxAgeSessions?: number;
  /** The largest share of rows that may be lost for a horizon. @default 1 */
  readonly maxLoss?: number;
  /**
   * Whether other threads help with ranks, buckets and their means, which are the same bits with and without.
   *
   * @default from a million sessions × tickers on, where the runtime has threads
   */
  readonly workers?: boolean;
  /** `"alphalens"`: entry at the very session, and rows without a return of any horizon dropped. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<AlignOptions> = {
  score: TEXT,
  entry: oneOf("next", "same"),
  delayMinutes: AMOUNT,
  groups: ANY_VALUE,
  calendar: ANY_VALUE,
  statuses: ANY_VALUE,
  maxAgeSessions: AMOUNT,
  maxLoss: AMOUNT,
  workers: FLAG,
  compat: oneOf("alphalens"),
};

/**
 * Brings scores to the sessions in which they could be traded, and joins them with forward returns.
 *
 * A row was known at its `at`, else its `last_checked_at`, else its `calculated_at`; never at its `data_through`. It belongs to
 * the first session whose close (or open, if the returns are of opens) is strictly later. A row that bears a `date` is
 * known when that session closes. Of several sets before one close the latest is in force; a live set stays in force
 * until another one is. No horizon costs another one its rows, no price is carried, and every input row is in one
 * line of the loss report.
 *
 * @param scores A release, a panel, score sets one below the other, or any frame with a date or an instant
 * @param returns What {@link forwardReturns} gave
 * @throws {TypeError} If a column is missing, live sets are mixed with a release, or a session and ticker repeat
 * @throws {RangeError} If nothing is in common, or the prices end before the scores begin
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { align, forwardReturns } from "scoreframe/analysis";
 *
 * const prices = pl.DataFrame({
 *   date: ["2026-10-28", "2026-10-29", "2026-10-30"],
 *   ticker: ["AAA", "AAA", "AAA"],
 *   close: [100, 101, 103.02],
 * });
 * const scores = pl.DataFrame({ date: ["2026-10-28"], ticker: ["AAA"], score: [0.7] });
 * const aligned = align(scores, forwardReturns(prices, { periods: [1] }));
 * const [gain] = aligned.data.getColumn("return_1").toArray();
 * if (Math.abs(Number(gain) - 0.02) > 1e-12) throw new Error("entered at the close of the 29th");
 * ```
 */
export function align(
  scores: DataFrame,
  returns: ForwardReturns,
  options: AlignOptions = {},
): Aligned {
  checkOptions("align()", options, RULES);
  assertFrame("align scores", scores);
  assertReturns(returns);
  const { compat } = options;
  sayCompat(
    compat,
    "align(): entry at the session itself; a row without a return of any horizon is dropped",
  );
  const entry = options.entry ?? (compat === undefined ? "next" : "same");
  const rows = readScoreRows(scores, options.score ?? null);
  assertCommon(rows, returns);
  const { dense: laid, context } = layOutRows(rows, returns, { ...options, entry });
  const kept = compat === undefined ? laid : dropIncomplete(laid);
  const dense = { ...kept, isSynthetic: hasSynthetic(scores) };
  const aligned = toAligned(dense, { rows, context, entry, compat: compat ?? null });
  if (options.maxLoss !== undefined) assertSmallLoss(aligned.loss, options.maxLoss);
  return aligned;
}

/** Lays rows out on the sessions of returns, without asking whether they have anything in common. */
export function layOutRows(
  rows: ScoreRows,
  returns: ForwardReturns,
  options: EntryOptions,
): { readonly dense: DenseScores; readonly context: LayOutContext } {
  const context = placeRows(rows, returns, options);
  const { days } = returns.grid;
  const groups = options.groups === undefined
    ? null
    : readGroups(options.groups, { days, tickers: rows.tickers });
  return { dense: layOutScores(rows, context, groups), context };
}

/** Finds the sessions of rows on those of returns. */
export function placeRows(
  rows: ScoreRows,
  returns: ForwardReturns,
  options: EntryOptions,
): LayOutContext {
  const refused = refusedRows(rows, options.statuses);
  const places = findPlaces(rows, returns, { ...options, refused });
  const isShared = options.workers === true ? canShare() : options.workers;
  return { returns, places, refused, isShared };
}

type EntryOptions = AlignOptions & { readonly entry: "next" | "same" };

interface AlignedParts extends Pick<Aligned, "entry" | "compat"> {
  readonly rows: ScoreRows;
  readonly context: LayOutContext;
}

function toAligned(dense: DenseScores, { rows, context, entry, compat }: AlignedParts): Aligned {
  const { returns, places } = context;
  const { length } = returns.grid.days;
  let loss: LossReport | null = null;
  let data: DataFrame | null = null;
  const aligned: Aligned = {
    ...displayParts(
      () => String(aligned.loss),
      () => ({ loss: aligned.loss.table, data: aligned.data }),
    ),
    get data() {
      return data ??= toDataFrame(dense, { known: knownOfSessions(places, length) });
    },
    get loss() {
      return loss ??= toLossReport(rows, context);
    },
    sessions: returns.sessions,
    periods: returns.periods,
    score: rows.score,
    entry,
    compat,
    dense,
  };
  return aligned;
}

interface StorageContext extends EntryOptions {
  readonly refused: Uint8Array | null;
}

function findPlaces(rows: ScoreRows, returns: ForwardReturns, options: StorageContext): Places {
  const { entry, delayMinutes = 0, maxAgeSessions = null, calendar = null, refused } = options;
  const counted = new Uint8Array(rows.times.length).fill(refused === null ? 1 : 0);
  if (refused !== null) {
    for (let row = 0; row < rows.height; row++) {
      if (refused[row] === 0) counted[rows.timeOf[row]!] = 1;
    }
  }
  const { days } = returns.grid;
  const instants = sessionInstants(days, returns.price, calendar);
  return placeSets(rows, days, {
    instants,
    rules: { entry, delayMinutes, maxAgeSessions },
    counted,
  });
}

/** When the scores of each session were known; NaN for sessions without any. */
function knownOfSessions({ from, to, fates, known }: Places, sessions: number): Float64Array {
  const result = new Float64Array(sessions).fill(NaN);
  for (const [time, fate] of fates.entries()) {
    if (fate === null) result.fill(known[time]!, from[time]!, to[time]!);
  }
  return result;
}

function refusedRows(rows: ScoreRows, statuses: unknown): Uint8Array | null {
  if (statuses === undefined) return null;
  if (!Array.isArray(statuses) || !statuses.every((status) => typeof status === "string")) {
    throw new TypeError(
      `Cannot align scores: an array of statuses is required, got ${describe(statuses)}`,
    );
  }
  if (rows.statuses === null) {
    throw new TypeError(
      "Cannot align scores by status: a column status is required, there is none",
    );
  }
  const { names, codes } = rows.statuses;
  const allowed = names.map((name) => statuses.includes(name));
  return Uint8Array.from(codes, (code) => allowed[code] === true ? 0 : 1);
}

function dropIncomplete(dense: DenseScores): DenseScores {
  const { scores, returns, groups } = dense;
  const present = new Uint8Array(scores.length);
  const kept = scores.slice();
  for (let cell = 0; cell < scores.length; cell++) {
    const isWhole = !Number.isNaN(scores[cell]!) && groups?.codes[cell] !== -1 &&
      [...returns.values()].every((values) => !Number.isNaN(values[cell]!));
    if (isWhole) present[cell] = 1;
    else kept[cell] = NaN;
  }
  const width = dense.tickers.length;
  const [first, last] = [present.indexOf(1), present.lastIndexOf(1)];
  return {
    ...dense,
    present,
    scores: kept,
    from: first === -1 ? 0 : Math.floor(first / width),
    to: first === -1 ? 0 : Math.floor(last / width) + 1,
  };
}

function assertReturns(returns: unknown): asserts returns is ForwardReturns {
  const given = returns as Partial<ForwardReturns> | null | undefined;
  if (given?.windows instanceof Map && given.grid !== undefined) return;
  throw new TypeError(
    `Cannot align scores: expected the result of forwardReturns(), got ${describe(returns)}; ` +
      "call align(scores, forwardReturns(prices))",
  );
}

/** Refuses scores and prices that have nothing in common: every row would be lost for a trivial reason. */
function assertCommon(rows: ScoreRows, { grid, sessions }: ForwardReturns): void {
  if (rows.height === 0 || sessions.length === 0) return;
  const priced = new Set(grid.tickers);
  if (!rows.tickers.some((ticker) => priced.has(ticker))) {
    throw new RangeError(
      "Cannot align scores: tickers that are in the prices are required, none is; the scores have " +
        `${rows.tickers.slice(0, 3).join(", ")}, the prices ${grid.tickers.slice(0, 3).join(", ")}`,
    );
  }
  const first = timeText(rows, 0);
  if (first.slice(0, 10) > sessions.at(-1)!) {
    throw new RangeError(
      `Cannot align scores: prices from ${first.slice(0, 10)} on are required, they end on ` +
        `${sessions.at(-1)}`,
    );
  }
  if (rows.kind === "instant") return;
  const days = new Set(grid.days);
  if (rows.times.some((day) => days.has(day))) return;
  const some = [...rows.times.keys()].slice(0, 3).map((time) => timeText(rows, time));
  throw new RangeError(
    "Cannot align scores: dates that are sessions of the prices are required, none is; the scores " +
      `have ${some.join(", ")}, the prices ${sessions.slice(0, 3).join(", ")}`,
  );
}
