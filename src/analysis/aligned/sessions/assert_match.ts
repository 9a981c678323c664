import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { shiftOf } from "../../../frames/prices/dates/dates_to_sessions.ts";
import { DAY_MS, weekdayOf } from "../../../base/calendar/civil_date.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { nearTickersText } from "../near_tickers.ts";
import { areMonthEnds } from "./place_sets.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";
import { type TimedScores, timeText } from "../score_rows.ts";
import type { HeldOut } from "../../../frames/frame/provenance/held_out.ts";

const WEEKDAYS = 5;
const FEWEST_INSTANTS = 10;

/** Refuses dated scores without a common session; the last days of months count at the session before, and are said. */
function assertCommonDates(
  rows: TimedScores,
  { grid, sessions, market }: Pick<ForwardReturns, "grid" | "sessions" | "market">,
  entry: "next" | "same",
): void {
  const days = new Set(grid.days);
  if (market.calendar === "us" && market.frequency === "daily") refuseShift(rows);
  const overlaps = rows.times.some((day) => day >= grid.days[0]!);
  if (entry === "next" && overlaps && areMonthEnds(rows.times)) {
    const moved = rows.times.filter((day) => !days.has(grid.sessionOf(day))).length;
    if (moved > 0) {
      sayNotice(
        `Scores are dated by the last days of months: ${countText(moved, "date")} without a ` +
          `session ${moved === 1 ? "counts" : "count"} as the session before`,
      );
    }
    return;
  }
  if (rows.times.some((day) => days.has(grid.sessionOf(day)))) return;
  const some = [...rows.times.keys()].slice(0, 3).map((time) => timeText(rows, time));
  throw new RangeError(
    "Cannot align scores: expected dates that are sessions of the prices, got none; compare both: the scores " +
      `have ${some.join(", ")}, the prices ${sessions.slice(0, 3).join(", ")}`,
  );
}

function areDatesAsInstants({ times, published }: TimedScores): boolean {
  return published === null && times.length >= FEWEST_INSTANTS &&
    times.every((ms) => ms % DAY_MS === 0);
}

/**
 * Refuses scores and prices without a common ticker or session, and scores whose dates are a day off.
 *
 * @throws {RangeError} With three of each side, or the call that moves the dates
 */
export function assertCommon(
  rows: TimedScores,
  { grid, sessions, market }: ForwardReturns,
  { entry, priced }: { entry: "next" | "same"; priced: ReadonlySet<string> },
): void {
  if (sessions.length === 0) {
    throw new RangeError(
      "Cannot align scores: expected prices of at least one session, got none; look at the filter or the file " +
        "that they come from",
    );
  }
  if (!rows.tickers.some((ticker) => priced.has(ticker))) {
    const near = nearTickersText(rows.tickers, rows.tickers, { prices: grid.tickers });
    throw new RangeError(
      "Cannot align scores: expected tickers that are in the prices, got none; compare both: the " +
        `scores have ${rows.tickers.slice(0, 3).join(", ")}, the prices ` +
        `${grid.tickers.slice(0, 3).join(", ")}` +
        (near === null ? "" : `; ${near}`),
    );
  }
  const first = timeText(rows, 0);
  if (first.slice(0, 10) > sessions.at(-1)!) {
    throw new RangeError(
      `Cannot align scores: expected prices from ${first.slice(0, 10)} on, got prices that end ` +
        `on ${sessions.at(-1)}; load later ones`,
    );
  }
  if (rows.kind === "date") assertCommonDates(rows, { grid, sessions, market }, entry);
  else if (areDatesAsInstants(rows)) {
    sayNotice(
      "All scores were known at midnight UTC, as dates that became instants say: they are entered at the close of that day. " +
        "Name the column date if a score is known at the close of its date",
    );
  }
}

// Scores of each session whose dates are those of the calendar a day late or early; weekly scores may be dated by any day.
function refuseShift(rows: TimedScores): void {
  const days = Int32Array.from(rows.times);
  if (new Set(days.map(weekdayOf)).size < WEEKDAYS) return;
  const shift = shiftOf(days);
  if (shift === null) return;
  const moved = `pl.col("date").cast(pl.Date).cast(pl.Int32).${shift === -1 ? "sub" : "add"}(1)`;
  throw new RangeError(
    "Cannot align scores: expected dates that are sessions, got dates a day " +
      `${shift === -1 ? "later" : "earlier"} than those ` +
      `(${[...rows.times.keys()].slice(0, 3).map((time) => timeText(rows, time)).join(", ")}, ` +
      `…); use scores.withColumns(${moved}.cast(pl.Date)) to move all by a day, or give the ` +
      "instants at which scores were known in a column at",
  );
}

/**
 * Refuses prices from which an outcome in the hold-out of the scores could be computed.
 *
 * @param heldOut Hold-out of the study of the scores; `null` for none
 * @param last The last session of the prices; `undefined` without any
 * @throws {RangeError} If they reach into a hold-out that was not opened
 */
export function assertHeldOut(
  action: string,
  heldOut: HeldOut | null,
  last: string | undefined,
): void {
  if (heldOut === null || heldOut.isOpen) return;
  if (last === undefined || last < heldOut.from) return;
  throw new RangeError(
    `Cannot ${action}: expected prices that end before ${heldOut.from}, from which the study of the scores holds ` +
      `sessions out, got prices to ${last}; read them from a file in the folder of the study, or open the hold-out with ` +
      "study.openHoldOut(NAME)",
  );
}
