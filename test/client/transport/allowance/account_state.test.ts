import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AccountState,
  allowsLess,
  cancel,
  learn,
  settleClock,
  settleLease,
  takeLease,
  UNKNOWN_ACCOUNT,
  windowAt,
} from "../../../../src/client/transport/allowance/account_state.ts";
import { admit } from "../../../../src/client/transport/allowance/admission.ts";
import { heard, lease, MINUTE_END, NOW, permitRequest, told } from "../_account.ts";

describe("the account's budgets", () => {
  test("are those of section 8 until the service tells others", () => {
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(UNKNOWN_ACCOUNT, kind, NOW).remaining);
    expect(remaining).toEqual([120, 10_000, 10]);
  });

  test("are counted before anything is sent", () => {
    const state = takeLease(UNKNOWN_ACCOUNT, lease("a", true), NOW);
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(state, kind, NOW).remaining);
    expect(remaining).toEqual([119, 9_999, 9]);
  });

  test("have again what was counted for a request that was never sent", () => {
    const before = takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW);
    const state = cancel(takeLease(before, lease("b", true), NOW), "b");
    const remaining = (["minute", "day", "download"] as const)
      .map((kind) => windowAt(state, kind, NOW).remaining);
    expect([remaining, state.flights]).toEqual([[119, 9_999, 10], [lease("a")]]);
    expect(cancel(state, "b")).toEqual(state);
  });

  test("follow the lowest remainder when answers overtake each other", () => {
    let state = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), lease("b"), NOW);
    state = settleLease(learn(state, "b", heard(60)), "b", true);
    state = settleLease(learn(state, "a", heard(61)), "a", true);
    expect(windowAt(state, "minute", NOW).remaining).toBe(60);
  });

  test("are exact again when nothing is in flight, after being cautious in between", () => {
    let state = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), lease("b"), NOW);
    state = learn(state, "a", heard(100));
    expect(windowAt(state, "minute", NOW).remaining).toBe(99);
    state = learn(settleLease(state, "a", true), "b", heard(99));
    expect(windowAt(state, "minute", NOW).remaining).toBe(99);
  });

  test("are exact when all were answered, though their bodies still arrive", () => {
    let state = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), lease("b"), NOW);
    state = learn(learn(state, "b", heard(99)), "a", heard(100));
    expect(windowAt(state, "minute", NOW).remaining).toBe(99);
    expect(state.flights.map(({ id }) => id)).toEqual(["a", "b"]);
    state = learn(takeLease(state, lease("c"), NOW), "c", heard(98));
    expect(windowAt(state, "minute", NOW).remaining).toBe(98);
  });

  test("begin anew after their reset, less what is in flight", () => {
    const state = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), lease("b"), NOW);
    expect(windowAt(state, "minute", MINUTE_END).remaining).toBe(118);
    expect(windowAt(state, "minute", MINUTE_END).resetMs).toBe(MINUTE_END + 60_000);
  });

  test("keep a request that was lost as spent", () => {
    let state = takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW);
    state = settleLease(state, "a", false);
    expect(windowAt(state, "minute", NOW).remaining).toBe(119);
  });

  test("follow a service whose clock is behind", () => {
    const behind = { ...heard(0), dateMs: NOW - 30_000 };
    const state = learn(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), "a", behind);
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
      let state = takeLease(UNKNOWN_ACCOUNT, lease("a"), nowMs);
      state = settleLease(learn(state, "a", answer(7, nowMs)), "a", true);
      expect(windowAt(state, "minute", nowMs)).toMatchObject({ remaining: 7, resetMs: MINUTE_END });
      expect(windowAt(state, "minute", nowMs + 55_000).remaining).toBe(120);
    },
  );

  test("ahead ends the windows that no answer told by the service's clock", () => {
    const nowMs = NOW + 24 * HOUR;
    let state = takeLease(UNKNOWN_ACCOUNT, lease("a", true), nowMs);
    state = settleLease(learn(state, "a", answer(7, nowMs)), "a", true);
    expect(windowAt(state, "download", nowMs))
      .toMatchObject({ remaining: 9, resetMs: Date.parse("2026-11-21T00:00:00Z") });
  });

  test("that was put right since is not locked out by what was learned before", () => {
    const nowMs = NOW + HOUR;
    const state = learn(takeLease(UNKNOWN_ACCOUNT, lease("a"), nowMs), "a", answer(0, nowMs));
    expect(windowAt(state, "minute", nowMs).remaining).toBe(0);
    expect(windowAt(state, "minute", NOW).remaining).toBeGreaterThan(0);
  });
});

describe("a clock that is changed, or another machine's", () => {
  const DAY = 86_400_000;
  // A service that grants 500 a day and counts; each request is asked by a clock that is wrong by so much.
  function run(steps: readonly { readonly atMs: number; readonly skewMs: number }[]) {
    const spent = new Map<number, number>();
    let state: AccountState = UNKNOWN_ACCOUNT;
    let refused = 0;
    const believed: number[] = [];
    for (const [i, { atMs, skewMs }] of steps.entries()) {
      const serviceMs = NOW + atMs;
      const nowMs = serviceMs + skewMs;
      const day = Math.floor(serviceMs / DAY);
      const permit = permitRequest(`r${i}`);
      state = settleClock(state, nowMs);
      const left = () => 20 - (spent.get(day) ?? 0);
      believed.push(windowAt(state, "day", nowMs).remaining - left());
      const { state: admitted, obstacle } = admit(state, permit, nowMs);
      state = admitted;
      if (obstacle !== null) continue;
      if (left() <= 0) refused++;
      else spent.set(day, (spent.get(day) ?? 0) + 1);
      const dayEnd = (day + 1) * DAY / 1000;
      const budgets = { day: { limit: 20, remaining: left(), reset: dayEnd } };
      const report = { budgets, dateMs: serviceMs, receivedAtMs: nowMs, hold: null };
      state = settleLease(learn(state, permit.lease.id, report), permit.lease.id, true);
    }
    return { believed, refused };
  }

  test("a day behind and back never lets more be believed than is left", () => {
    const skews = [0, 0, -DAY, -DAY, -DAY, 0, 0, -DAY, 0];
    const { believed, refused } = run(skews.map((skewMs, i) => ({ atMs: i * 60_000, skewMs })));
    expect(believed.slice(1).every((more) => more <= 0)).toBe(true);
    expect(refused).toBe(0);
  });

  test("days apart from that of another process sends nothing that the service must refuse", () => {
    const steps = Array.from({ length: 60 }, (_, i) => ({
      atMs: i * 30_000,
      skewMs: [0, -3 * DAY, 2 * DAY][i % 3]!,
    }));
    expect(run(steps).refused).toBe(0);
  });

  test("keeps the wait that the service asked for", () => {
    const hold = { scope: "*", status: 429, code: null, untilMs: NOW + 20_000 };
    const behind = learn(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), "a", {
      ...heard(5),
      dateMs: NOW,
      hold,
    });
    const other = { ...heard(5), dateMs: NOW + 1_000, receivedAtMs: NOW + 1_000 - 3 * DAY };
    const state = learn(takeLease(behind, lease("b"), NOW - 3 * DAY), "b", other);
    const { obstacle } = admit(settleClock(state, NOW + 10_000), permitRequest("c"), NOW + 10_000);
    // The service's time is known to a second: it was that long since the last answer by this clock.
    expect(obstacle).toMatchObject({ kind: "hold", untilMs: NOW + 21_000 });
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
    const state = learn(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), "a", odd);
    expect(windowAt(state, "minute", NOW)).toMatchObject({ remaining: 1, resetMs: MINUTE_END });
    expect(windowAt(state, "minute", MINUTE_END).remaining).toBe(119);
  });
});

describe("another key of the account, whose requests no ledger of this machine counts", () => {
  test("is noticed with each answer: never is more believed to be left than the service told", () => {
    const move = fc.constantFrom("send", "answer", "colleague");
    fc.assert(
      fc.property(fc.array(move, { maxLength: 120 }), (moves) => {
        let state: AccountState = UNKNOWN_ACCOUNT;
        let left = 120;
        const pending: { readonly id: string; readonly remaining: number }[] = [];
        for (const [i, made] of moves.entries()) {
          if (made === "colleague") left = Math.max(0, left - 7);
          if (made === "send" && left > 0) {
            state = takeLease(state, lease(`r${i}`), NOW);
            pending.push({ id: `r${i}`, remaining: --left });
          }
          if (made !== "answer" || pending.length === 0) continue;
          // The last one sent answers first: what it tells is the lowest that the service ever told.
          const { id, remaining } = pending.pop()!;
          state = settleLease(learn(state, id, heard(remaining)), id, true);
          expect(windowAt(state, "minute", NOW).remaining).toBeLessThanOrEqual(remaining);
        }
      }),
      { seed: 7 },
    );
  });

  test("that spent the minute stops the next request, without a question that costs one", () => {
    const sent = takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW);
    const state = settleLease(learn(sent, "a", heard(0)), "a", true);
    expect(windowAt(state, "minute", NOW).remaining).toBe(0);
    expect(admit(state, permitRequest("b"), NOW).obstacle).toMatchObject({ kind: "minute" });
  });
});

describe("what an answer told allows less than before", () => {
  const hold = { scope: "*", status: 429, code: null, untilMs: NOW + 5_000 };
  const flying = takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW);
  const sole = takeLease(learn(flying, "a", heard(119)), lease("b"), NOW);
  const after = (told: Parameters<typeof learn>[2]) => allowsLess(learn(sole, "b", told), sole);

  test.each([
    ["not if it is what was counted", heard(118), false],
    ["not if it tells no budget", { ...heard(118), budgets: {} }, false],
    ["not if the service's clock is seen to be ahead", { ...heard(118), dateMs: NOW + 9 }, false],
    ["if a colleague spent some of it", heard(110), true],
    ["if the budget became smaller", { ...heard(118), budgets: { minute: told(118, 119) } }, true],
    [
      "if its window ends later",
      { ...heard(118), budgets: { minute: { ...told(118), reset: MINUTE_END / 1000 + 1 } } },
      true,
    ],
    ["if it tells a budget for the first time", {
      ...heard(118),
      budgets: { download: { limit: 10, remaining: 10, reset: MINUTE_END / 1000 } },
    }, true],
    ["if the service's clock is behind", { ...heard(118), dateMs: NOW - 9 }, true],
    ["if it asks to wait", { ...heard(118), hold }, true],
  ])("%s", (_when, told, expected) => {
    expect(after(told)).toBe(expected);
  });

  test("not if it asks for a wait that is over before one that is known", () => {
    const held = learn(sole, "b", { ...heard(118), hold });
    const shorter = { ...heard(118), hold: { ...hold, untilMs: NOW + 4_999 } };
    expect(allowsLess(learn(held, "b", shorter), held)).toBe(false);
    const longer = { ...heard(118), hold: { ...hold, untilMs: NOW + 5_001 } };
    expect(allowsLess(learn(held, "b", longer), held)).toBe(true);
  });
});
