import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { countCarried, type CountedLine, countLines, splitLosses } from "./count_losses.ts";
import { nearTickersText } from "./near_tickers.ts";
import type { ForwardReturns } from "./prices/forward_returns.ts";
import type { PlacedRows } from "./sessions/place_rows.ts";
import { type NOTE_COLUMNS, noteSentences } from "./prices/price_notes.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import type { ColumnsOf } from "../../frames/frame/typed/columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { lossText } from "../../base/wording/sentences/reason_text.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import type { KindsOf, RecordOf, TableOf } from "../table/columns.ts";

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

/** Makes the report of rows that were placed; sessions that the study of the scores held out are said last. */
export function reportLosses(placed: PlacedRows): LossReport {
  const { rows: { tickers, groups, height, heldOut }, returns } = placed;
  const lines = countLines(placed);
  const priced = new Set(returns.grid.tickers);
  const nearTickers = nearTickersText(tickers, "prices", returns.grid.tickers);
  const nearGroups = groups && nearTickersText(tickers, "groups", groups.tickers.names);
  const text = () => {
    const notes = [
      ...[nearTickers, nearGroups].filter((text) => text !== null),
      ...noteSentences(returns.notes).map((note) => note.text),
    ];
    const said = [describeLosses(lines, height, returns), ...notes].join("\n");
    const held = heldOut === null ? [] : [`${heldOutText(heldOut)}.`];
    return [periodText(said, returns.market.unit), ...held].join("\n");
  };
  const cells = lines.map((line) => {
    const { reason, horizon, rows, sessions, tickers, first, last, examples } = line;
    return [reason, horizon, rows, rows / height, sessions, tickers, first, last, examples];
  });
  const table = tableOfRows(cells, LOSS_COLUMNS);
  return {
    ...displayParts(text, () => ({ loss: table })),
    table,
    rows: height,
    carriedRows: countCarried(placed),
    neverPriced: tickers.filter((ticker) => !priced.has(ticker)).length,
    nearTickers,
    nearGroups,
    priceNotes: returns.notes,
    bySession: () => tableOfRows(splitLosses(placed, "session"), "session reason horizon rows"),
    byTicker: () => tableOfRows(splitLosses(placed, "ticker"), "ticker reason horizon rows"),
    byStatus: () => tableOfRows(splitLosses(placed, "status"), "status reason horizon rows"),
    toString: text,
  };
}

/** The lines that are lost for each horizon, with those before returns first, and the sum of their rows. */
function lostByHorizon<Line extends RecordOf<"reason horizon rows">>(
  lines: readonly Line[],
  kept: readonly string[],
) {
  const horizons = [...new Set(lines.flatMap(({ horizon }) => horizon ?? []))];
  return (horizons.length === 0 ? [null] : horizons).map((horizon) => {
    const all = lines.filter((line) =>
      !kept.includes(line.reason!) && (line.horizon === null || line.horizon === horizon)
    );
    return { horizon, all, sum: all.reduce((total, { rows }) => total + rows!, 0) };
  });
}

/**
 * Refuses an alignment that lost too much.
 *
 * @throws {RangeError} If a larger share of the rows is lost for a horizon; the message says why
 */
export function assertSmallLoss(loss: LossReport, maxLoss: number): void {
  const lines = loss.table.toRecords();
  const sums = lostByHorizon(lines, ["used", "ended", "excluded"]).map(({ sum }) => sum);
  const most = Math.max(...sums);
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
function describeLosses(lines: readonly CountedLine[], all: number, returns: ForwardReturns) {
  const told = lines.filter(({ reason }) => !KEPT.includes(reason))
    .map(({ reason, horizon, rows }) => {
      const at = horizon === null ? "" : `at ${countText(horizon, "session")}, `;
      return `${at}${lossText(reason, rows, all)}`;
    });
  const text = `${countText(all, "score row")}: ${told.join("; ") || "all are used"}.`;
  // A row without a group is used in statistics over all stocks; excluded rows were not requested.
  const most = lostByHorizon(lines, [...KEPT, "no_group", "excluded"])
    .toSorted((a, b) => b.sum - a.sum)[0]!;
  if (most.sum <= LARGE * all) return text;
  const first = most.all.toSorted((a, b) => b.rows - a.rows)[0]!;
  const at = most.horizon === null ? "" : ` at ${countText(most.horizon, "session")}`;
  return `${percentText(most.sum / all)} of the rows are lost${at}, mainly because ` +
    `${lossText(first.reason, first.rows)}; ${cureOf(first, returns)}.\n${text}`;
}

function cureOf(line: CountedLine, { sessions, entryLag }: ForwardReturns): string {
  const { reason } = line;
  if (reason === "beyond_prices") {
    const place = line.isLate ? sessions.length : sessions.indexOf(fromEpochDay(line.last));
    const missing = place + entryLag + (line.horizon ?? 0) + 1 - sessions.length;
    return `add the prices of ${countText(missing, "session")} after ` +
      `${sessions.at(-1)}, where yours end`;
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
