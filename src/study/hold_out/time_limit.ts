import { toEpochDay } from "../../base/calendar/civil_date.ts";
import { listSessions } from "../../base/calendar/list_sessions.ts";
import {
  type CalendarDate,
  epochMsOf,
  type Instant,
  instantOf,
} from "../../base/contract/instant.ts";
import { ScoreframeError } from "../../base/errors.ts";
import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { LockedLook, LockedPlan } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import { lookAheadError } from "../replay/refusals.ts";
import { ofKind } from "../lock/chain.ts";

/** Time through which the verbs of a study show data. */
export interface TimeLimit {
  /** The study's time. */
  readonly asOf: Instant;
  /** The study's time, or the last instant before the hold-out opens. */
  readonly through: Instant;
  /** The hold-out; `null` if no test is registered. */
  readonly heldOut: HeldOut | null;
}

// Every week has a session.
const LONGEST_GAP_DAYS = 14;

/**
 * Computes the limit of a study.
 *
 * @param lock Its lock
 * @param opened Names of the tests whose hold-outs were opened by this study
 */
export function timeLimit(lock: StudyLock, opened: ReadonlySet<string>): TimeLimit {
  const { asOf } = lock;
  const heldOut = heldOutIn(lock, opened);
  if (heldOut === null || heldOut.isOpen) return { asOf, through: asOf, heldOut };
  const last = lastBefore(heldOut.from);
  return { asOf, through: last < asOf ? last : asOf, heldOut };
}

/** The sessions from a date on that had closed at an instant. */
export function heldSessions(from: CalendarDate, asOf: Instant): readonly CalendarDate[] {
  const endMs = epochMsOf(asOf);
  return listSessions(toEpochDay(from), toEpochDay(asOf.slice(0, 10)) + 1)
    .filter(({ closeMs }) => closeMs <= endMs)
    .map(({ date }) => date);
}

/** The last instant before the first session of a hold-out opens. */
export function lastBefore(from: CalendarDate): Instant {
  const day = toEpochDay(from);
  const [first] = listSessions(day, day + LONGEST_GAP_DAYS);
  return first === undefined ? `${from}T00:00:00.000Z` : instantOf(first.openMs - 1);
}

/** The registered tests of a lock. */
export function plansOf({ registered }: StudyLock): readonly LockedPlan[] {
  return ofKind(registered, "plan");
}

/** Lists the looks at sessions from a date on. */
export function looksAt(lock: StudyLock, from: CalendarDate): readonly LockedLook[] {
  return ofKind(lock.registered, "look").filter(({ last }) => last >= from);
}

/**
 * Refuses an instant after the study's time, or in its hold-out.
 *
 * @throws {ScoreframeError} If it is later; with both times
 */
export function assertNotAhead(
  action: string,
  at: Instant,
  limit: TimeLimit,
  what = "the view at",
): void {
  const { asOf, through, heldOut } = limit;
  if (at > asOf) throw lookAheadError({ action, what, at }, asOf);
  if (at <= through || heldOut === null) return;
  throw new ScoreframeError(
    `Cannot ${action}: expected data known before the hold-out opens, by ${through}, because sessions from ` +
      `${heldOut.from} on are held out, got ${what} ${at}; use an earlier one, or open the hold-out with ` +
      "study.openHoldOut(NAME), which counts as a look",
  );
}

// The earliest hold-out that this study did not open counts for all verbs.
function heldOutIn(lock: StudyLock, opened: ReadonlySet<string>): HeldOut | null {
  const plans = plansOf(lock);
  const closed = plans.filter(({ name }) => !opened.has(name));
  const [from] = (closed.length === 0 ? plans : closed)
    .map(({ plan }) => plan.holdOutFrom).toSorted();
  if (from === undefined) return null;
  return {
    from,
    sessions: heldSessions(from, lock.asOf).length,
    looks: looksAt(lock, from).length,
    isOpen: closed.length === 0,
  };
}
