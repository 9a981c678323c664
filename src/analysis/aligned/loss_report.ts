import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { periodText } from "../../base/wording/period_text.ts";
import type { CountedLine, LossCounts } from "./count_losses.ts";
import { type NOTE_COLUMNS, noteSentences } from "./prices/price_notes.ts";
import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import type { ColumnsOf } from "../../frames/frame/typed/columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { lossText } from "../../base/wording/sentences/reason_text.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import type { KindsOf, TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
export const LOSS_COLUMNS =
  "reason horizon rows share sessions tickers first_session last_session examples";

/** Columns behind the key of losses by session, ticker or status, in order. */
const SPLIT_COLUMNS = "reason horizon rows";

/**
 * Columns of losses by a key.
 *
 * @internal
 */
export type SplitLossColumns<Key extends string> = ColumnsOf<KindsOf<Key | typeof SPLIT_COLUMNS>>;

/** Fate of every input row: the statistics that use it, and the reason why others do not. */
export interface LossReport {
  /**
   * One row per reason and horizon, in order of precedence; `used` and `ended` are in the
   * statistics, `no_group` in those over all stocks and in none by group. Columns: `reason`, `horizon` (null: before returns), `rows`, `share` of the input, `sessions`,
   * `tickers`, `first_session`, `last_session`, `examples` (up to five "session ticker"). For each horizon its rows
   * and those without a horizon add up to the input. A live set counts once, in its first session.
   */
  readonly table: TableOf<typeof LOSS_COLUMNS>;
  /** Number of input rows. */
  readonly rows: number;
  /** Number of rows of `data` that were added because a live set stays in force until the next one. */
  readonly carriedRows: number;
  /** Number of tickers of the scores that are never priced. */
  readonly neverPriced: number;
  /** Sentence on tickers that the prices spell in another way, with what joins them; `null` if there are none. */
  readonly nearTickers: string | null;
  /** Sentence on tickers that the groups spell in another way, with what joins them; `null` if there are none. */
  readonly nearGroups: string | null;
  /** Notes on the prices, as those of {@link ForwardReturns}: jumps of the size of a split, strays. */
  readonly priceNotes: TableOf<typeof NOTE_COLUMNS>;
  /** The same by session, or by date where there is none: `session`, `reason`, `horizon`, `rows`. */
  bySession(): TypedFrame<SplitLossColumns<"session">>;
  /** The same by ticker: `ticker`, `reason`, `horizon`, `rows`. */
  byTicker(): TypedFrame<SplitLossColumns<"ticker">>;
  /** The same by the status of a row's set: `status`, `reason`, `horizon`, `rows`. */
  byStatus(): TypedFrame<SplitLossColumns<"status">>;
  /** The losses in sentences: the largest one first if more than 35% are lost for a horizon, notes on the prices last. */
  toString(): string;
}

/** Makes the report of rows that were counted; sessions that the study of the scores held out are said last. */
export function reportLosses(counts: LossCounts, heldOut: HeldOut | null): LossReport {
  const { lines, rows, carriedRows, neverPriced, priceNotes, split } = counts;
  const table = toTable(lines, rows);
  const text = () => {
    const losses = describeLosses(counts);
    const notes = [
      ...[counts.nearTickers, counts.nearGroups].filter((text) => text !== null),
      ...noteSentences(priceNotes).map((note) => note.text),
    ];
    const held = heldOut === null ? [] : [heldOutText(heldOut)];
    return [periodText([losses, ...notes].join("\n"), counts.unit), ...held].join("\n");
  };
  return {
    ...displayParts(text, () => ({ loss: table })),
    table,
    rows,
    carriedRows,
    neverPriced,
    nearTickers: counts.nearTickers,
    nearGroups: counts.nearGroups,
    priceNotes,
    ...splitsOf(split),
    toString: text,
  };
}

/** The losses by session, ticker and status. */
function splitsOf(
  split: LossCounts["split"],
): Pick<LossReport, "bySession" | "byTicker" | "byStatus"> {
  const rowsBy = (by: "session" | "ticker" | "status") => {
    const { shares, names } = split(by);
    return shares.map(({ key, reason, horizon, rows }) => [
      ...[by === "session" ? key : names[key] ?? null, reason, horizon, rows],
    ]);
  };
  return {
    bySession: () => tableOfRows(rowsBy("session"), "session reason horizon rows"),
    byTicker: () => tableOfRows(rowsBy("ticker"), "ticker reason horizon rows"),
    byStatus: () => tableOfRows(rowsBy("status"), "status reason horizon rows"),
  };
}

function toTable(lines: readonly CountedLine[], all: number): TableOf<typeof LOSS_COLUMNS> {
  const rows = lines.map(({ reason, horizon, rows, sessions, tickers, first, last, examples }) => [
    ...[reason, horizon, rows, rows / all, sessions, tickers, first, last, examples.join(", ")],
  ]);
  return tableOfRows(rows, LOSS_COLUMNS);
}

/** Number of sessions by which the window of a day ends after the last session. */
function sessionsMissing(
  { sessions, entryLag }: LossCounts,
  { last, horizon, isLate }: CountedLine,
): number {
  const place = isLate ? sessions.length : sessions.indexOf(fromEpochDay(last));
  return place + entryLag + (horizon ?? 0) + 1 - sessions.length;
}

/**
 * Refuses an alignment that lost too much.
 *
 * @throws {RangeError} If a larger share of the rows is lost for a horizon; the message says why
 */
export function assertSmallLoss(loss: LossReport, maxLoss: number): void {
  const lines = loss.table.toRecords();
  const lost = lines.filter(({ reason }) => !["used", "ended", "excluded"].includes(reason!));
  const sumOf = (horizon: number | null) =>
    lost.filter((line) => line.horizon === null || line.horizon === horizon)
      .reduce((sum, { rows }) => sum + rows!, 0);
  const most = Math.max(0, ...new Set(lines.map(({ horizon }) => sumOf(horizon))));
  const asked = loss.rows -
    lines.reduce((sum, { reason, rows }) => reason === "excluded" ? sum + rows! : sum, 0);
  if (asked === 0 || most / asked <= maxLoss) return;
  throw new RangeError(
    `Cannot align scores: expected to lose at most ${maxLoss} of the rows (maxLoss), got a loss of ` +
      `${(most / asked).toFixed(3)}. ${loss}`,
  );
}

const LARGE = 0.35;
// Rows with one of these reasons are in statistics.
const KEPT = ["used", "ended"];

/** The losses in sentences: first the largest one if much is lost, then each. */
function describeLosses(counts: LossCounts): string {
  const told = counts.lines.filter(({ reason }) => !KEPT.includes(reason))
    .map(({ reason, horizon, rows }) => {
      const at = horizon === null ? "" : `at ${countText(horizon, "session")}, `;
      return `${at}${lossText(reason, rows, counts.rows)}`;
    });
  const text = `${countText(counts.rows, "score row")}: ${told.join("; ") || "all are used"}.`;
  const worst = largestLoss(counts);
  return worst === null ? text : `${worst}\n${text}`;
}

function largestLoss(counts: LossCounts): string | null {
  const { lines, rows } = counts;
  // A row without a group is used in statistics over all stocks; excluded rows were not requested.
  const lost = lines.filter(({ reason }) => ![...KEPT, "no_group", "excluded"].includes(reason));
  const always = lost.filter(({ horizon }) => horizon === null);
  const horizons = [...new Set(lines.flatMap(({ horizon }) => horizon ?? []))];
  const sums = (horizons.length === 0 ? [null] : horizons).map((horizon) => {
    const own = lost.filter((line) => horizon !== null && line.horizon === horizon);
    const all = [...always, ...own];
    return { horizon, all, sum: all.reduce((total, line) => total + line.rows, 0) };
  });
  const most = sums.toSorted((a, b) => b.sum - a.sum)[0];
  if (most === undefined || most.sum <= LARGE * rows) return null;
  const first = most.all.toSorted((a, b) => b.rows - a.rows)[0]!;
  const at = most.horizon === null ? "" : ` at ${countText(most.horizon, "session")}`;
  return `${percentText(most.sum / rows)} of the rows are lost${at}, mainly because ` +
    `${lossText(first.reason, first.rows)}; ${cureOf(first, counts)}.`;
}

function cureOf(line: CountedLine, counts: LossCounts): string {
  const { reason } = line;
  if (reason === "beyond_prices") {
    return `add the prices of ${countText(sessionsMissing(counts, line), "session")} after ` +
      `${counts.sessions.at(-1)}, where yours end`;
  }
  if (reason === "no_entry_price") {
    return "the others are the universe: analyse it by itself with scores.join(" +
      'prices.select("ticker").unique(), { on: "ticker", how: "semi" }), and look at loss.byTicker() for tickers ' +
      "that are spelled differently in the prices";
  }
  if (reason === "no_exit_price") {
    return "look at loss.byTicker() for tickers that are spelled differently in the prices";
  }
  if (reason === "no_score") return "look at loss.bySession() for sessions without scores";
  if (reason === "not_a_session") {
    return "name the sessions, or move the dates to those of the prices";
  }
  return "look at loss.bySession()";
}
