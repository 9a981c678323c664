import { type AccountState, type Hold, recentHolds } from "./account_state.ts";

/** The scopes of holds that ended without an answer since: the next request of such a scope goes first. */
export function untriedScopes(
  state: AccountState,
  scopes: readonly string[],
  nowMs: number,
): readonly string[] {
  return recentHolds(state.holds, nowMs)
    .filter((hold) => hold.untilMs <= nowMs && scopes.includes(hold.scope))
    .map((hold) => hold.scope);
}

/** The ended hold for whose scope a request has gone first and is not answered yet; `null` if none has. */
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
