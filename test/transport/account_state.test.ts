import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountState,
  depart,
  land,
  learn,
  prune,
  UNKNOWN_ACCOUNT,
  windowAt,
  withdraw,
} from "../../src/transport/account_state.ts";
import { admit } from "../../src/transport/admission.ts";

const NOW = Date.parse("2026-11-20T15:00:05.000Z");
const MINUTE_END = Date.parse("2026-11-20T15:01:00.000Z");

const flight = (id: string, download = false) => ({
  id,
  owner: "host:1",
  download,
  leaseUntilMs: NOW + 20_000,
});
const departure = (id: string, download = false) => ({
  flight: flight(id, download),
  scopes: ["*"],
  reserve: 0,
});
const told = (remaining: number, limit = 120) => ({ limit, remaining, reset: MINUTE_END / 1000 });
const heard = (remaining: number) => ({
  budgets: { minute: told(remaining) },
  dateMs: null,
  receivedAtMs: NOW,
  hold: null,
});

describe("the account's budgets", () => {
  test("are those of section 8 until the service tells others", () => {
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(UNKNOWN_ACCOUNT, kind, NOW).remaining);
    expect(remaining).toEqual([120, 10_000, 10]);
  });

  test("are counted before anything is sent", () => {
    const state = depart(UNKNOWN_ACCOUNT, flight("a", true), NOW);
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(state, kind, NOW).remaining);
    expect(remaining).toEqual([119, 9_999, 9]);
  });

  test("have again what was counted for a request that was never sent", () => {
    const before = depart(UNKNOWN_ACCOUNT, flight("a"), NOW);
    const state = withdraw(depart(before, flight("b", true), NOW), "b");
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(state, kind, NOW).remaining);
    expect([remaining, state.flights]).toEqual([[119, 9_999, 10], [flight("a")]]);
    expect(withdraw(state, "b")).toEqual(state);
  });

  test("follow the lowest remainder when answers overtake each other", () => {
    let state = depart(depart(UNKNOWN_ACCOUNT, flight("a"), NOW), flight("b"), NOW);
    state = land(learn(state, "b", heard(60)), "b", true);
    state = land(learn(state, "a", heard(61)), "a", true);
    expect(windowAt(state, "minute", NOW).remaining).toBe(60);
  });

  test("are exact again when nothing is in flight, after being cautious in between", () => {
    let state = depart(depart(UNKNOWN_ACCOUNT, flight("a"), NOW), flight("b"), NOW);
    state = learn(state, "a", heard(100));
    expect(windowAt(state, "minute", NOW).remaining).toBe(99);
    state = learn(land(state, "a", true), "b", heard(99));
    expect(windowAt(state, "minute", NOW).remaining).toBe(99);
  });

  test("begin anew after their reset, less what is in flight", () => {
    const state = depart(depart(UNKNOWN_ACCOUNT, flight("a"), NOW), flight("b"), NOW);
    expect(windowAt(state, "minute", MINUTE_END).remaining).toBe(118);
    expect(windowAt(state, "minute", MINUTE_END).resetMs).toBe(MINUTE_END + 60_000);
  });

  test("keep a request that was lost as spent", () => {
    let state = depart(UNKNOWN_ACCOUNT, flight("a"), NOW);
    state = land(state, "a", false);
    expect(windowAt(state, "minute", NOW).remaining).toBe(119);
  });

  test("follow a service whose clock is behind", () => {
    const behind = { ...heard(0), dateMs: NOW - 30_000 };
    const state = learn(depart(UNKNOWN_ACCOUNT, flight("a"), NOW), "a", behind);
    expect(windowAt(state, "minute", MINUTE_END + 29_999).remaining).toBe(0);
    expect(windowAt(state, "minute", MINUTE_END + 30_000).remaining).toBe(119);
  });
});

describe("a machine whose clock is wrong", () => {
  const HOUR = 3_600_000;
  const answer = (remaining: number, receivedAtMs: number) => ({
    ...heard(remaining),
    dateMs: NOW,
    receivedAtMs,
  });

  test.each([["ahead", HOUR / 2], ["a day ahead", 24 * HOUR], ["behind", -2 * HOUR]])(
    "%s follows what the service tells, from the first answer on",
    (_how, skewMs) => {
      const nowMs = NOW + skewMs;
      let state = depart(UNKNOWN_ACCOUNT, flight("a"), nowMs);
      state = land(learn(state, "a", answer(7, nowMs)), "a", true);
      expect(windowAt(state, "minute", nowMs)).toMatchObject({ remaining: 7, resetMs: MINUTE_END });
      expect(windowAt(state, "minute", nowMs + 55_000).remaining).toBe(120);
    },
  );

  test("ahead ends the windows that no answer told by the service's clock", () => {
    const nowMs = NOW + 24 * HOUR;
    let state = depart(UNKNOWN_ACCOUNT, flight("a", true), nowMs);
    state = land(learn(state, "a", answer(7, nowMs)), "a", true);
    expect(windowAt(state, "download", nowMs))
      .toMatchObject({ remaining: 9, resetMs: Date.parse("2026-11-21T00:00:00Z") });
  });

  test("that was put right since is not locked out by what was learned before", () => {
    const nowMs = NOW + HOUR;
    const state = learn(depart(UNKNOWN_ACCOUNT, flight("a"), nowMs), "a", answer(0, nowMs));
    expect(windowAt(state, "minute", nowMs).remaining).toBe(0);
    expect(windowAt(state, "minute", NOW).remaining).toBeGreaterThan(0);
  });
});

describe("a reset that no clock can have", () => {
  test.each([
    ["in milliseconds", MINUTE_END],
    ["in the year 33658", 999_999_999_999],
    ["beyond all dates", 999_999_999_999_999],
  ])("%s ends the window when the service's clock minute does", (_how, reset) => {
    const budgets = { minute: { ...told(1), reset } };
    const odd = { ...heard(1), budgets, dateMs: NOW };
    const state = learn(depart(UNKNOWN_ACCOUNT, flight("a"), NOW), "a", odd);
    expect(windowAt(state, "minute", NOW)).toMatchObject({ remaining: 1, resetMs: MINUTE_END });
    expect(windowAt(state, "minute", MINUTE_END).remaining).toBe(119);
  });
});

describe("admit()", () => {
  const filled = (count: number) =>
    Array.from({ length: count }, (_, i) => `f${i}`)
      .reduce<AccountState>((state, id) => depart(state, flight(id), NOW), UNKNOWN_ACCOUNT);

  test("lets the fifth request through and holds the sixth", () => {
    expect(admit(filled(4), departure("x"), NOW).obstacle).toBeNull();
    expect(admit(filled(5), departure("x"), NOW).obstacle).toEqual({ kind: "slot" });
  });

  test("lets one download through and holds the second", () => {
    const { state } = admit(UNKNOWN_ACCOUNT, departure("a", true), NOW);
    expect(admit(state, departure("b", true), NOW).obstacle).toEqual({ kind: "download-slot" });
    expect(admit(state, departure("c"), NOW).obstacle).toBeNull();
  });

  test("holds the request after the last of the minute until the minute ends", () => {
    const spent = learn(UNKNOWN_ACCOUNT, "a", heard(0));
    expect(admit(spent, departure("x"), NOW).obstacle)
      .toEqual({ kind: "minute", untilMs: MINUTE_END, limit: 120, remaining: 0 });
    expect(admit(spent, departure("x"), MINUTE_END).obstacle).toBeNull();
  });

  test("leaves the reserve of the day to others", () => {
    const day = { limit: 10_000, remaining: 100, reset: Date.parse("2026-11-21T00:00:00Z") / 1000 };
    const state = learn(UNKNOWN_ACCOUNT, "a", { ...heard(50), budgets: { day } });
    expect(admit(state, { ...departure("x"), reserve: 99 }, NOW).obstacle).toBeNull();
    expect(admit(state, { ...departure("x"), reserve: 100 }, NOW).obstacle)
      .toMatchObject({ kind: "reserve", remaining: 100 });
  });

  test("obeys holds of its own scopes and no others", () => {
    const hold = { scope: "scores", status: 503, code: null, untilMs: NOW + 1_000 };
    const state = learn(UNKNOWN_ACCOUNT, "a", { ...heard(50), hold });
    expect(admit(state, { ...departure("x"), scopes: ["*", "scores"] }, NOW).obstacle)
      .toMatchObject({ kind: "hold", untilMs: NOW + 1_000 });
    expect(admit(state, { ...departure("x"), scopes: ["*", "history"] }, NOW).obstacle).toBeNull();
    expect(admit(state, { ...departure("x"), scopes: ["*", "scores"] }, NOW + 1_000).obstacle)
      .toBeNull();
  });

  test("frees the slots of processes that are gone, and of leases that have passed", () => {
    const state = filled(5);
    expect(prune(state, NOW, () => true).flights).toEqual([]);
    expect(prune(state, NOW + 20_000, () => false).flights).toEqual([]);
    expect(prune(state, NOW, () => false).flights).toHaveLength(5);
  });

  test("never lets the account exceed a minute, however departures and answers interleave", () => {
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
            const admission = admit(state, departure(`r${i}`), NOW);
            state = admission.state;
            if (admission.obstacle === null) pending.push(`r${i}`);
          } else if (move === 1 && pending.length > 0) {
            arrived++;
            answers.push({ id: pending.shift()!, remaining: limit - arrived });
          } else if (answers.length > 0) {
            const { id, remaining } = answers.pop()!;
            const budgets = { minute: told(remaining, limit) };
            state = land(learn(state, id, { ...heard(0), budgets }), id, true);
          }
        }
        return arrived + pending.length <= limit;
      },
    ));
  });
});
