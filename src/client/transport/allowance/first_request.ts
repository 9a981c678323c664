import { type AccountState, type Hold, recentHolds } from "./account_state.ts";

/** Scopes of ended holds without an answer since; the next request of such a scope goes first. */
export function untriedScopes(
  state: AccountState,
  scopes: readonly string[],
  nowMs: number,
): readonly string[] {
  return recentHolds(state.holds, nowMs)
    .filter((hold) => hold.untilMs <= nowMs && scopes.includes(hold.scope))
    .map((hold) => hold.scope);
}

/** Ended hold for whose scope a request has gone first and has no answer yet; `null` if there is none. */
export function findFirst(
  state: AccountState,
  scopes: readonly string[],
  nowMs: number,
): Hold | null {
  const untried = untriedScopes(state, scopes, nowMs);
  const isTrying = (scope: string) =>
    state.flights.some((lease) => lease.isAnswered !== true && lease.goesFirst?.includes(scope));
  const scope = untried.find(isTrying);
  return state.holds.find((hold) => hold.scope === scope) ?? null;
}
