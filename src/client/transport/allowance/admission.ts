import { LIMITS } from "../../../base/contract/limits.ts";
import {
  type AccountState,
  type BudgetKind,
  type Hold,
  type Lease,
  localResetMs,
  recentHolds,
  spentBy,
  takeLease,
  windowAt,
} from "./account_state.ts";

/** A request for admission. */
export interface PermitRequest {
  /** Lease of the request. */
  readonly lease: Lease;
  /** Scopes of holds that apply to it. */
  readonly scopes: readonly string[];
  /** Requests of the day left for others. */
  readonly reserve: number;
}

/** Obstacle: all slots are taken. */
export interface SlotObstacle {
  /** Kind of slot: for requests, or the single one for downloads. */
  readonly kind: "slot" | "download-slot";
}

/** Obstacle: the service asked to wait. */
export interface HoldObstacle {
  /** A hold. */
  readonly kind: "hold";
  /** Its end, epoch milliseconds of this machine. */
  readonly untilMs: number;
  /** The hold. */
  readonly hold: Hold;
}

/** Obstacle: a budget is spent, or the rest of it is reserved. */
export interface BudgetObstacle {
  /** The budget, or the day's reserve. */
  readonly kind: BudgetKind | "reserve";
  /** Start of the next window, epoch milliseconds of this machine. */
  readonly untilMs: number;
  /** Size of the budget. */
  readonly limit: number;
  /** Remainder. */
  readonly remaining: number;
}

/** Reason why a request may not be sent now. */
export type Obstacle = PlaceObstacle | HoldObstacle | BudgetObstacle;

/** Obstacle: another request, whose end is unknown. */
export type PlaceObstacle = SlotObstacle | { readonly kind: "first"; readonly hold: Hold };

/** True if an obstacle is another request, whose end is unknown. */
export function isPlaceObstacle(obstacle: Obstacle): obstacle is PlaceObstacle {
  return isSlotObstacle(obstacle) || obstacle.kind === "first";
}

/** True if an obstacle is a lack of slots. */
export function isSlotObstacle(obstacle: Obstacle): obstacle is SlotObstacle {
  return obstacle.kind === "slot" || obstacle.kind === "download-slot";
}

// Daily budgets come first, so that a limit beyond waiting is reported at once.
const ORDER: readonly BudgetKind[] = ["download", "day", "minute"];

/**
 * Decides if a request may be sent now: checks holds of the service, budgets and the reserve, the request that goes first after
 * a hold, and the limit of five requests and one download at once.
 *
 * @see API document, section 8
 */
export function admit(
  state: AccountState,
  asked: PermitRequest,
  nowMs: number,
): { readonly state: AccountState; readonly obstacle: Obstacle | null } {
  const obstacle = findHold(state, asked, nowMs) ??
    findSpentBudget(state, asked, nowMs) ??
    findFirst(state, asked, nowMs) ?? findFullSlot(state, asked);
  if (obstacle !== null) return { state, obstacle };
  const goesFirst = untriedScopes(state, asked, nowMs);
  const lease = { ...asked.lease, ...(goesFirst.length > 0 && { goesFirst }) };
  return { state: takeLease(state, lease, nowMs), obstacle };
}

function findHold(state: AccountState, asked: PermitRequest, nowMs: number): Obstacle | null {
  const holds = state.holds.filter((hold) =>
    hold.untilMs > nowMs && asked.scopes.includes(hold.scope)
  );
  if (holds.length === 0) return null;
  const hold = holds.reduce((last, other) => other.untilMs > last.untilMs ? other : last);
  return { kind: "hold", untilMs: hold.untilMs, hold };
}

function findSpentBudget(
  state: AccountState,
  asked: PermitRequest,
  nowMs: number,
): Obstacle | null {
  if (state.isRelayed === true) return null;
  const spent = spentBy(asked.lease.download);
  for (const kind of ORDER.filter((candidate) => spent.includes(candidate))) {
    const window = windowAt(state, kind, nowMs);
    const { limit, remaining } = window;
    const untilMs = localResetMs(state, window);
    if (remaining < 1) return { kind, untilMs, limit, remaining };
    const isReserved = kind === "day" && remaining <= asked.reserve;
    if (isReserved) return { kind: "reserve", untilMs, limit, remaining };
  }
  return null;
}

function findFullSlot(state: AccountState, asked: PermitRequest): Obstacle | null {
  const { flights } = state;
  const isDownloading = flights.some((lease) => lease.download);
  if (asked.lease.download && isDownloading) return { kind: "download-slot" };
  return flights.length >= LIMITS.concurrentRequests ? { kind: "slot" } : null;
}

/** Scopes of ended holds without an answer since; the next request of such a scope goes first. */
function untriedScopes(state: AccountState, { scopes }: PermitRequest, nowMs: number) {
  return recentHolds(state.holds, nowMs)
    .filter((hold) => hold.untilMs <= nowMs && scopes.includes(hold.scope))
    .map((hold) => hold.scope);
}

/** Ended hold for whose scope a request has gone first and has no answer yet; `null` if there is none. */
function findFirst(state: AccountState, asked: PermitRequest, nowMs: number): Obstacle | null {
  const isTrying = (scope: string) =>
    state.flights.some((lease) => lease.isAnswered !== true && lease.goesFirst?.includes(scope));
  const scope = untriedScopes(state, asked, nowMs).find(isTrying);
  const hold = state.holds.find((candidate) => candidate.scope === scope);
  return hold === undefined ? null : { kind: "first", hold };
}
