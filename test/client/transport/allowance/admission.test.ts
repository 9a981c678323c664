import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountState,
  learn,
  prune,
  settleLease,
  takeLease,
  UNKNOWN_ACCOUNT,
  windowAt,
} from "../../../../src/client/transport/allowance/account_state.ts";
import { admit } from "../../../../src/client/transport/allowance/admission.ts";
import { heard, lease, MINUTE_END, NOW, permitRequest, told } from "../_account.ts";

describe("admit()", () => {
  const filled = (count: number) =>
    Array.from({ length: count }, (_, i) => `f${i}`)
      .reduce<AccountState>((state, id) => takeLease(state, lease(id), NOW), UNKNOWN_ACCOUNT);

  test("lets the fifth request through and holds the sixth", () => {
    expect(admit(filled(4), permitRequest("x"), NOW).obstacle).toBeNull();
    expect(admit(filled(5), permitRequest("x"), NOW).obstacle).toEqual({ kind: "slot" });
  });

  test("lets one download through and holds the second", () => {
    const { state } = admit(UNKNOWN_ACCOUNT, permitRequest("a", true), NOW);
    expect(admit(state, permitRequest("b", true), NOW).obstacle).toEqual({ kind: "download-slot" });
    expect(admit(state, permitRequest("c"), NOW).obstacle).toBeNull();
  });

  test("holds the request after the last of the minute until the minute ends", () => {
    const spent = learn(UNKNOWN_ACCOUNT, "a", heard(0));
    expect(admit(spent, permitRequest("x"), NOW).obstacle)
      .toEqual({ kind: "minute", untilMs: MINUTE_END, limit: 120, remaining: 0 });
    expect(admit(spent, permitRequest("x"), MINUTE_END).obstacle).toBeNull();
  });

  test("leaves the reserve of the day to others", () => {
    const day = { limit: 10_000, remaining: 100, reset: Date.parse("2026-11-21T00:00:00Z") / 1000 };
    const state = learn(UNKNOWN_ACCOUNT, "a", { ...heard(50), budgets: { day } });
    expect(admit(state, { ...permitRequest("x"), reserve: 99 }, NOW).obstacle).toBeNull();
    expect(admit(state, { ...permitRequest("x"), reserve: 100 }, NOW).obstacle)
      .toMatchObject({ kind: "reserve", remaining: 100 });
  });

  test("obeys holds of its own scopes and no others", () => {
    const hold = { scope: "scores", status: 503, code: null, untilMs: NOW + 1_000 };
    const state = learn(UNKNOWN_ACCOUNT, "a", { ...heard(50), hold });
    expect(admit(state, { ...permitRequest("x"), scopes: ["*", "scores"] }, NOW).obstacle)
      .toMatchObject({ kind: "hold", untilMs: NOW + 1_000 });
    expect(admit(state, { ...permitRequest("x"), scopes: ["*", "history"] }, NOW).obstacle)
      .toBeNull();
    expect(admit(state, { ...permitRequest("x"), scopes: ["*", "scores"] }, NOW + 1_000).obstacle)
      .toBeNull();
  });

  test("frees the slots of processes that are gone, and of leases that have passed", () => {
    const state = filled(5);
    expect(prune(state, NOW, () => true).flights).toEqual([]);
    expect(prune(state, NOW + 20_000, () => false).flights).toEqual([]);
    expect(prune(state, NOW, () => false).flights).toHaveLength(5);
  });

  test("never lets the account exceed a minute, however requests and answers interleave", () => {
    fc.assert(fc.property(
      fc.array(fc.nat({ max: 2 }), { maxLength: 400 }),
      fc.integer({ min: 1, max: 40 }),
      (moves, limit) => {
        let state: AccountState = UNKNOWN_ACCOUNT;
        let arrived = 0;
        const pending: string[] = [];
        const answers: { readonly id: string; readonly remaining: number }[] = [];
        state = learn(state, "first", { ...heard(0), budgets: { minute: told(limit, limit) } });
        for (const [i, move] of moves.entries()) {
          if (move === 0) {
            const admission = admit(state, permitRequest(`r${i}`), NOW);
            state = admission.state;
            if (admission.obstacle === null) pending.push(`r${i}`);
          } else if (move === 1 && pending.length > 0) {
            arrived++;
            answers.push({ id: pending.shift()!, remaining: limit - arrived });
          } else if (answers.length > 0) {
            const { id, remaining } = answers.pop()!;
            const budgets = { minute: told(remaining, limit) };
            state = settleLease(learn(state, id, { ...heard(0), budgets }), id, true);
          }
        }
        return arrived + pending.length <= limit;
      },
    ));
  });

  test("remembers the longer of two waits that the service asked for", () => {
    const hold = (untilMs: number) => ({ scope: "scores", status: 503, code: null, untilMs });
    const heardOf = (state: AccountState, untilMs: number) =>
      learn(state, "a", { ...heard(50), hold: hold(untilMs) });
    const obstacle = { kind: "hold", untilMs: NOW + 30_000 };
    const scores = { ...permitRequest("x"), scopes: ["*", "scores"] };
    const [long, short] = [NOW + 30_000, NOW + 2_000];
    for (const [first, second] of [[long, short], [short, long]] as const) {
      const state = heardOf(heardOf(UNKNOWN_ACCOUNT, first), second);
      expect(admit(state, scores, NOW).obstacle).toMatchObject(obstacle);
    }
  });

  test("keeps what a process that died had sent as spent, when an answer does not know of it", () => {
    const sent = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("dead"), NOW), lease("b"), NOW);
    const gone = prune(
      {
        ...sent,
        flights: sent.flights.map((one) => one.id === "dead" ? { ...one, owner: "x:9" } : one),
      },
      NOW + 1,
      ({ owner }) => owner === "x:9",
    );
    expect(gone.flights.map(({ id }) => id)).toEqual(["b"]);
    const told = settleLease(learn(gone, "b", heard(119)), "b", true);
    expect(windowAt(told, "minute", NOW).remaining).toBe(118);
  });
});
