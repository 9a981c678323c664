import { LIMITS } from "../../contract/limits.ts";
import {
  type AccountState,
  type BudgetKind,
  depart,
  type Flight,
  type Hold,
  localResetMs,
  spentBy,
  windowAt,
} from "./account_state.ts";

/** A request that wants to be sent. */
export interface Departure {
  /** The request as it will be in flight. */
  readonly flight: Flight;
  /** Scopes of holds that concern it. */
  readonly scopes: readonly string[];
  /** Requests of the day that are left to others. */
  readonly reserve: number;
}

/** All slots are taken; nobody knows when one becomes free. */
export interface SlotObstacle {
  /** Which slots: those of requests, or the one of downloads. */
  readonly kind: "slot" | "download-slot";
}

/** The service asked to wait. */
export interface HoldObstacle {
  /** A hold. */
  readonly kind: "hold";
  /** When it ends, epoch milliseconds of this machine. */
  readonly untilMs: number;
  /** The hold. */
  readonly hold: Hold;
}

/** A budget is spent, or what is left of it is reserved. */
export interface BudgetObstacle {
  /** The budget, or what is left of the day to others. */
  readonly kind: BudgetKind | "reserve";
  /** When the next window begins, epoch milliseconds of this machine. */
  readonly untilMs: number;
  /** Size of the budget. */
  readonly limit: number;
  /** What is left of it. */
  readonly remaining: number;
}

/** Why a request may not be sent now. */
export type Obstacle = SlotObstacle | HoldObstacle | BudgetObstacle;

/** Whether an obstacle is a lack of slots, whose end nobody knows. */
export function isSlotObstacle(obstacle: Obstacle): obstacle is SlotObstacle {
  return obstacle.kind === "slot" || obstacle.kind === "download-slot";
}

/** The decision about a departure, and the state after it. */
export interface Admission {
  /** The state, in which an admitted request is counted and in flight. */
  readonly state: AccountState;
  /** What stands in the way; `null` if the request may be sent. */
  readonly obstacle: Obstacle | null;
}

// Daily budgets come first: what cannot be waited for should be said at once.
const ORDER: readonly BudgetKind[] = ["download", "day", "minute"];

/**
 * Decides whether a request may be sent now: holds of the service, the budgets with what is reserved for others,
 * five requests and one download at once.
 *
 * @see API document, section 8
 */
export function admit(state: AccountState, departure: Departure, nowMs: number): Admission {
  const obstacle = findHold(state, departure, nowMs) ?? findSpentBudget(state, departure, nowMs) ??
    findFullSlot(state, departure);
  if (obstacle !== null) return { state, obstacle };
  return { state: depart(state, departure.flight, nowMs), obstacle };
}

function findHold(state: AccountState, departure: Departure, nowMs: number): Obstacle | null {
  const holds = state.holds.filter((hold) =>
    hold.untilMs > nowMs && departure.scopes.includes(hold.scope)
  );
  if (holds.length === 0) return null;
  const hold = holds.reduce((last, other) => other.untilMs > last.untilMs ? other : last);
  return { kind: "hold", untilMs: hold.untilMs, hold };
}

function findSpentBudget(
  state: AccountState,
  departure: Departure,
  nowMs: number,
): Obstacle | null {
  const spent = spentBy(departure.flight.download);
  for (const kind of ORDER.filter((candidate) => spent.includes(candidate))) {
    const window = windowAt(state, kind, nowMs);
    const { limit, remaining } = window;
    const untilMs = localResetMs(state, window);
    if (remaining < 1) return { kind, untilMs, limit, remaining };
    const isReserved = kind === "day" && remaining <= departure.reserve;
    if (isReserved) return { kind: "reserve", untilMs, limit, remaining };
  }
  return null;
}

function findFullSlot(state: AccountState, departure: Departure): Obstacle | null {
  const { flights } = state;
  const isDownloading = flights.some((flight) => flight.download);
  if (departure.flight.download && isDownloading) return { kind: "download-slot" };
  return flights.length >= LIMITS.concurrentRequests ? { kind: "slot" } : null;
}
