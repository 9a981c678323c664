import type { Budget, Budgets, RelayMark } from "../../../base/contract/http/header.ts";
import { LIMITS } from "../../../base/contract/limits.ts";

/** A budget of the account. */
export type BudgetKind = keyof Budgets;

/** Known state of one budget in its current window. */
export interface BudgetWindow {
  /** Size of the budget. */
  readonly limit: number;
  /** Remainder, with everything sent counted. */
  readonly remaining: number;
  /** End of the window by the service's clock, epoch milliseconds. */
  readonly resetMs: number;
  /** Lowest remainder that the service reported since nothing was in flight; `null` if it reported none. */
  readonly lowestTold: number | null;
  /** True if the service reported this window; else it is the grant of section 8, at an estimate of the service's clock. */
  readonly isTold: boolean;
  /**
   * For an estimate, the window that the service reported last: this machine's clock may have been ahead when it seemed to end.
   *
   * @default none was reported
   */
  readonly before?: BudgetWindow;
}

type Windows = Partial<Record<BudgetKind, BudgetWindow>>;

/** A request whose answer has not ended. */
export interface Lease {
  /** Identity of the request. */
  readonly id: string;
  /** Process that sent it, as `host:pid`, with an id of its copy of the library. */
  readonly owner: string;
  /** True if it holds the download slot. */
  readonly download: boolean;
  /** Time from which it counts as lost, epoch milliseconds of this machine. */
  readonly leaseUntilMs: number;
  /** True if its answer reported the remainder, which includes it; its body may still be arriving. */
  readonly isAnswered?: boolean;
  /** Scopes of ended holds for which it goes first; other requests of these scopes wait for its answer. */
  readonly goesFirst?: readonly string[];
}

/** A time before which the service must not be asked. */
export interface Hold {
  /** Scope of a wait: everything (`*`), an endpoint, or one path. */
  readonly scope: string;
  /** HTTP status of the answer that set the hold. */
  readonly status: number;
  /** Its error code, if it had one. */
  readonly code: string | null;
  /** End of the hold, epoch milliseconds of this machine. */
  readonly untilMs: number;
}

/** State of an account, shared by all processes of this machine. */
export interface AccountState {
  /** Budgets; absent until first used or reported. */
  readonly windows: Readonly<Windows>;
  /** Requests in flight. */
  readonly flights: readonly Lease[];
  /** Holds. */
  readonly holds: readonly Hold[];
  /** Lower bound of the service's clock minus this machine's; `null` until a `Date` header arrives. */
  readonly clockOffsetMs: number | null;
  /** True if, since nothing was in flight, a request ended without a report of the budgets. */
  readonly lostSome: boolean;
  /**
   * The service's time in its last answer, epoch milliseconds; it cannot be earlier now, even if this machine's clock was set
   * back.
   *
   * @default no answer had one
   */
  readonly lastServiceMs?: number;
  /**
   * Other offsets that answers of the last day showed: of this machine before its clock was changed, or of another one with
   * the same ledger.
   *
   * @default there was one
   */
  readonly otherClocks?: readonly {
    readonly offsetMs: number;
    /** The service's time when it last held. */
    readonly serviceMs: number;
  }[];
  /**
   * True if the service reported that its clock stands still, so that no wait renews a budget.
   *
   * @default false
   */
  readonly isClockStopped?: boolean;
  /**
   * True if a relay answers: only the relay knows which requests it can answer without spending budgets.
   *
   * @default false
   */
  readonly isRelayed?: boolean;
}

/** An account without any information. */
export const UNKNOWN_ACCOUNT: AccountState = {
  windows: {},
  flights: [],
  holds: [],
  clockOffsetMs: null,
  lostSome: false,
};

/** Budgets in display order. */
export const BUDGET_KINDS: readonly BudgetKind[] = ["minute", "day", "download"];

const WINDOW_MS = { minute: 60_000, day: 86_400_000, download: 86_400_000 };
const DEFAULT_LIMIT: Readonly<Record<BudgetKind, number>> = {
  minute: LIMITS.requestsPerMinute,
  day: LIMITS.requestsPerDay,
  download: LIMITS.downloadsPerDay,
};
// The Date header has whole seconds, so two correct observations of one clock differ by less than one.
const DATE_RESOLUTION_MS = 1_000;
// A slow answer makes the service's clock look late by as much; no window can begin later than that.
const CLOCK_SLACK_MS = 60_000;
// Requests that waited for the end of a hold are sent at once; after this time none of them is left.
const REMEMBERED_MS = 60_000;

/** Window of a budget at a time of this machine: the known one, or a new one after its end. */
export function windowAt(state: AccountState, kind: BudgetKind, nowMs: number): BudgetWindow {
  const known = state.windows[kind];
  const serviceMs = nowMs + (state.clockOffsetMs ?? 0);
  // A window that begins in the future was learned before the clock was set back.
  const isCurrent = known !== undefined && serviceMs < known.resetMs &&
    isPossible(known.resetMs, kind, serviceMs);
  if (isCurrent) return known;
  const limit = known?.limit ?? DEFAULT_LIMIT[kind];
  const told = known?.isTold === true ? known : known?.before;
  if (known !== undefined && told !== undefined && told !== known && serviceMs < told.resetMs) {
    // The clock was set back into the reported window, which includes what was spent in the estimate.
    const spent = Math.max(0, known.limit - known.remaining);
    return { ...told, remaining: Math.max(0, told.remaining - spent) };
  }
  // A request in flight may have arrived before or after the boundary.
  const inFlight = spending(state.flights, kind).length;
  return {
    limit,
    remaining: Math.max(0, limit - inFlight),
    resetMs: windowEnd(kind, serviceMs),
    lowestTold: null,
    isTold: false,
    ...(told !== undefined && { before: told }),
  };
}

/**
 * Adapts the state to a clock of this machine that was changed, or that differs from another process's: times learned by the
 * other clock keep their distance to the service's time, which never goes back. Of the offsets that answers showed, the one of
 * the earliest possible time of the service holds: a window that ended by another is not known to have ended.
 */
export function settleClock(state: AccountState, nowMs: number): AccountState {
  const { clockOffsetMs, lastServiceMs, otherClocks = [] } = state;
  if (clockOffsetMs === null || lastServiceMs === undefined) return state;
  const possible = [clockOffsetMs, ...otherClocks.map(({ offsetMs }) => offsetMs)]
    .filter((offsetMs) => lastServiceMs - (nowMs + offsetMs) < CLOCK_SLACK_MS);
  const offsetMs = possible.length === 0 ? lastServiceMs - nowMs : Math.min(...possible);
  if (offsetMs === clockOffsetMs) return state;
  const backMs = offsetMs - clockOffsetMs;
  return {
    ...byOffset(state, offsetMs),
    flights: state.flights.map((lease) => ({
      ...lease,
      leaseUntilMs: lease.leaseUntilMs - backMs,
    })),
  };
}

// The state with another offset; the former one may be that of a clock that is met again.
function byOffset(state: AccountState, offsetMs: number | null): AccountState {
  const { clockOffsetMs, lastServiceMs, otherClocks = [] } = state;
  const isSame = clockOffsetMs === null || offsetMs === null || lastServiceMs === undefined ||
    Math.abs(offsetMs - clockOffsetMs) < CLOCK_SLACK_MS;
  if (isSame) return { ...state, clockOffsetMs: offsetMs };
  const others = otherClocks.filter((other) =>
    Math.abs(other.offsetMs - clockOffsetMs) >= CLOCK_SLACK_MS &&
    Math.abs(other.offsetMs - offsetMs) >= CLOCK_SLACK_MS &&
    lastServiceMs - other.serviceMs < WINDOW_MS.day
  );
  return {
    ...state,
    clockOffsetMs: offsetMs,
    otherClocks: [...others, { offsetMs: clockOffsetMs, serviceMs: lastServiceMs }].slice(-3),
    holds: state.holds.map((hold) => ({
      ...hold,
      untilMs: hold.untilMs + clockOffsetMs - offsetMs,
    })),
  };
}

/** Time of the service at a time of this machine, epoch milliseconds. */
export function serviceTimeAt(state: AccountState, nowMs: number): number {
  return nowMs + (settleClock(state, nowMs).clockOffsetMs ?? 0);
}

/** Earliest end of a window by this machine's clock. */
export function localResetMs(state: AccountState, window: BudgetWindow): number {
  return window.resetMs - (state.clockOffsetMs ?? 0);
}

/** Removes flights whose process has ended or whose lease has expired, and holds that ended long ago. */
export function prune(
  state: AccountState,
  nowMs: number,
  isGone: (lease: Lease) => boolean,
): AccountState {
  const flights = state.flights.filter((lease) => lease.leaseUntilMs > nowMs && !isGone(lease));
  const holds = recentHolds(state.holds, nowMs);
  const lost = flights.length < state.flights.length;
  return { ...state, flights, holds, lostSome: state.lostSome || lost };
}

/** Holds that still matter: current ones, and those that have just ended. */
export function recentHolds(holds: readonly Hold[], nowMs: number): readonly Hold[] {
  return holds.filter((hold) => hold.untilMs + REMEMBERED_MS > nowMs);
}

/** Counts a request as spent and in flight, before it is sent. */
export function takeLease(state: AccountState, lease: Lease, nowMs: number): AccountState {
  const isFirst = state.flights.length === 0;
  const windows: Windows = { ...state.windows };
  for (const kind of spentBy(lease.download)) {
    const window = windowAt(state, kind, nowMs);
    windows[kind] = {
      ...window,
      remaining: Math.max(0, window.remaining - 1),
      lowestTold: isFirst ? null : window.lowestTold,
    };
  }
  const lostSome = isFirst ? false : state.lostSome;
  return { ...state, windows, flights: [...state.flights, lease], lostSome };
}

/** Facts about the account in an answer. */
export interface ServiceReport {
  /** Budgets of its headers. */
  readonly budgets: Budgets;
  /** Its `Date` header, epoch milliseconds. */
  readonly dateMs: number | null;
  /** Arrival by this machine's clock. */
  readonly receivedAtMs: number;
  /** New hold. */
  readonly hold: Hold | null;
  /**
   * True if it reports that the service's clock stands still.
   *
   * @default false
   */
  readonly isClockStopped?: boolean;
  /**
   * Mark of a relay.
   *
   * @default the service itself answered
   */
  readonly relay?: RelayMark | null;
}

/** Applies the report of an answer while the request `id` and perhaps others are in flight. */
export function learn(before: AccountState, id: string, report: ServiceReport): AccountState {
  const known = settleClock(before, report.receivedAtMs);
  const clockOffsetMs = offsetAfter(known, report);
  const state = byOffset(known, clockOffsetMs);
  const flights = state.flights.map((lease) =>
    lease.id === id ? { ...lease, isAnswered: true } : lease
  );
  const serviceMs = report.dateMs ?? report.receivedAtMs + (clockOffsetMs ?? 0);
  const { relay = null } = report;
  const isFree = relay?.spent === 0 && flights.some((lease) => lease.id === id);
  const windows = rebased(isFree ? refunded(state, id) : state, known.clockOffsetMs, serviceMs);
  for (const kind of BUDGET_KINDS) {
    const told = report.budgets[kind];
    if (told === undefined) continue;
    windows[kind] = mergeTold(windows[kind], { ...told, resetMs: endOf(told, kind, serviceMs) }, {
      inFlight: spending(flights, kind).filter((lease) => lease.isAnswered !== true).length,
      lostSome: state.lostSome,
    });
  }
  const lostSome = state.lostSome || report.budgets.minute === undefined;
  // The answer ends the trial for which the request went first.
  const tried = state.flights.find((lease) => lease.id === id)?.goesFirst ?? [];
  const untried = state.holds.filter(({ scope }) => !tried.includes(scope));
  const holds = report.hold === null ? untried : extendHold(untried, report.hold);
  const { isClockStopped = false } = report;
  // An answer of a proxy in front of a relay has no mark.
  const isRelayed = relay !== null || state.isRelayed === true;
  return {
    ...state,
    windows,
    flights,
    holds,
    lostSome,
    isClockStopped,
    ...(isRelayed && { isRelayed }),
    ...(report.dateMs !== null && { lastServiceMs: report.dateMs }),
  };
}

// An impossible window, such as a reset in milliseconds, would lock the account out until then.
function endOf({ reset }: { readonly reset: number }, kind: BudgetKind, serviceMs: number): number {
  const resetMs = reset * 1000;
  return isPossible(resetMs, kind, serviceMs) ? resetMs : windowEnd(kind, serviceMs);
}

/** True if a state refuses anything that the previous state would admit. */
export function allowsLess(state: AccountState, before: AccountState): boolean {
  const isLower = BUDGET_KINDS.some((kind) => {
    const [window, known] = [state.windows[kind], before.windows[kind]];
    if (window === undefined || known === undefined) return window !== known;
    return window.remaining < known.remaining || window.limit < known.limit ||
      window.resetMs > known.resetMs;
  });
  const isLater = (state.clockOffsetMs ?? 0) < (before.clockOffsetMs ?? 0);
  return isLower || isLater || state.holds.some((hold) => !before.holds.includes(hold));
}

/** Ends a lease; `answered` is true if its answer was applied. */
export function settleLease(state: AccountState, id: string, answered: boolean): AccountState {
  const flights = state.flights.filter((lease) => lease.id !== id);
  return { ...state, flights, lostSome: state.lostSome || !answered };
}

/** Cancels the lease of a request that was not sent, and refunds it. */
export function cancel(state: AccountState, id: string): AccountState {
  return { ...refunded(state, id), flights: state.flights.filter((lease) => lease.id !== id) };
}

// Refunds what was counted for a request.
function refunded(state: AccountState, id: string): AccountState {
  const lease = state.flights.find((candidate) => candidate.id === id);
  if (lease === undefined) return state;
  const windows: Windows = { ...state.windows };
  for (const kind of spentBy(lease.download)) {
    const window = windows[kind];
    if (window === undefined) continue;
    windows[kind] = { ...window, remaining: Math.min(window.limit, window.remaining + 1) };
  }
  return { ...state, windows };
}

/** Budgets that a request spends. */
export function spentBy(download: boolean): readonly BudgetKind[] {
  return download ? BUDGET_KINDS : ["minute", "day"];
}

function spending(flights: readonly Lease[], kind: BudgetKind): readonly Lease[] {
  return kind === "download" ? flights.filter((lease) => lease.download) : flights;
}

// Answers overtake each other: a remainder includes requests answered before it, not those still in flight.
function mergeTold(
  known: BudgetWindow | undefined,
  told: Budget & { readonly resetMs: number },
  context: { readonly inFlight: number; readonly lostSome: boolean },
): BudgetWindow {
  const { resetMs } = told;
  // Ignores an answer from before the known window, unless that window is an estimate.
  const isLate = known?.isTold === true && resetMs < known.resetMs && told.limit === known.limit;
  if (isLate) return known!;
  const isNew = known === undefined || resetMs !== known.resetMs;
  const previous = isNew ? null : known.lowestTold;
  const lowestTold = previous === null ? told.remaining : Math.min(previous, told.remaining);
  const cautious = Math.max(0, told.remaining - context.inFlight);
  const isExact = context.inFlight === 0 && !context.lostSome;
  const remaining = isExact ? lowestTold : isNew ? cautious : Math.min(known.remaining, cautious);
  return { limit: told.limit, remaining, resetMs, lowestTold, isTold: true };
}

// An estimate made before the service's clock was known, or before it was changed, ends by the better clock.
function rebased(state: AccountState, formerOffsetMs: number | null, serviceMs: number) {
  const windows: Windows = { ...state.windows };
  const movedMs = Math.abs((formerOffsetMs ?? 0) - (state.clockOffsetMs ?? 0));
  if (movedMs < DATE_RESOLUTION_MS) return windows;
  for (const kind of BUDGET_KINDS) {
    const window = windows[kind];
    if (window === undefined || window.isTold) continue;
    windows[kind] = { ...window, resetMs: windowEnd(kind, serviceMs) };
  }
  return windows;
}

function windowEnd(kind: BudgetKind, serviceMs: number): number {
  const length = WINDOW_MS[kind];
  return (Math.floor(serviceMs / length) + 1) * length;
}

function isPossible(resetMs: number, kind: BudgetKind, serviceMs: number): boolean {
  return resetMs <= serviceMs + WINDOW_MS[kind] + CLOCK_SLACK_MS;
}

function extendHold(holds: readonly Hold[], hold: Hold): readonly Hold[] {
  const known = holds.find(({ scope }) => scope === hold.scope);
  const longer = known !== undefined && known.untilMs > hold.untilMs ? known : hold;
  return [...holds.filter((other) => other !== known), longer];
}

function offsetAfter(state: AccountState, report: ServiceReport): number | null {
  if (report.dateMs === null) return state.clockOffsetMs;
  const bound = report.dateMs - report.receivedAtMs;
  const known = state.clockOffsetMs;
  // Within the header's resolution the higher lower bound is the better one; beyond it a clock was changed.
  return known !== null && bound < known && known - bound < DATE_RESOLUTION_MS ? known : bound;
}
