import { describe, expect, test } from "vitest";
import {
  type AccountState,
  cancel,
  learn,
  prune,
  settleLease,
  takeLease,
  UNKNOWN_ACCOUNT,
  windowAt,
} from "../../../src/client/transport/allowance/account_state.ts";
import { admit } from "../../../src/client/transport/allowance/admission.ts";

const NOW = Date.parse("2026-11-20T15:00:05.000Z");
const MINUTE_END = Date.parse("2026-11-20T15:01:00.000Z");

const lease = (id: string, download = false) => ({
  id,
  owner: "host:1",
  download,
  leaseUntilMs: NOW + 20_000,
});
const told = (remaining: number, { limit = 120, resetMs = MINUTE_END } = {}) => ({
  limit,
  remaining,
  reset: resetMs / 1000,
});
const heard = (change: Partial<Parameters<typeof learn>[2]> = {}) => ({
  budgets: {},
  dateMs: null,
  receivedAtMs: NOW,
  hold: null,
  ...change,
});
const heardMinute = (remaining: number) => heard({ budgets: { minute: told(remaining) } });
const minuteLeft = (state: AccountState) => windowAt(state, "minute", NOW).remaining;

/** Two requests in flight; 118 of the minute are left if both count. */
const two = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), lease("b"), NOW);

describe("an answer after a request that was lost beside it", () => {
  test.each<[string, (state: AccountState) => AccountState]>([
    ["without an answer", (state) => settleLease(state, "a", false)],
    ["with its process", (state) => prune(state, NOW, () => false)],
    [
      "with an answer that told nothing",
      (state) => settleLease(learn(state, "a", heard()), "a", true),
    ],
  ])("%s does not give its allowance back: the service may count it yet", (_, lose) => {
    const stale = two.flights.map((known) =>
      known.id === "a" ? { ...known, leaseUntilMs: NOW } : known
    );
    expect(minuteLeft(learn(lose({ ...two, flights: stale }), "b", heardMinute(119)))).toBe(118);
  });

  test("is believed again once nothing else is in flight", () => {
    const lost = settleLease(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), "a", false);
    const state = learn(takeLease(lost, lease("b"), NOW), "b", heardMinute(119));
    expect(minuteLeft(state)).toBe(119);
  });
});

describe("what the service tells", () => {
  test("counts anew with the first request after all are settled, even when it is more", () => {
    let state = learn(takeLease(UNKNOWN_ACCOUNT, lease("a"), NOW), "a", heardMinute(60));
    state = takeLease(settleLease(state, "a", true), lease("b"), NOW);
    expect(minuteLeft(learn(state, "b", heardMinute(100)))).toBe(100);
  });

  test("never raises what is left while others are in flight", () => {
    const minute = { limit: 120, remaining: 50, resetMs: MINUTE_END, lowestTold: 50, isTold: true };
    expect(minuteLeft(learn({ ...two, windows: { minute } }, "a", heardMinute(100)))).toBe(50);
  });

  test("of downloads is not lessened by requests that are no downloads", () => {
    const state = takeLease(takeLease(UNKNOWN_ACCOUNT, lease("file", true), NOW), lease("b"), NOW);
    const resetMs = Date.parse("2026-11-21T00:00:00Z");
    const budgets = { download: told(9, { limit: 10, resetMs }) };
    expect(windowAt(learn(state, "file", heard({ budgets })), "download", NOW).remaining).toBe(9);
  });

  test("late about a minute that is over changes nothing, unless the limit is another one", () => {
    const resetMs = MINUTE_END + 60_000;
    const minute = { limit: 120, remaining: 110, resetMs, lowestTold: 110, isTold: true };
    const state = { ...two, windows: { minute } };
    const late = (limit: number) =>
      heard({ budgets: { minute: told(5, { limit }) }, receivedAtMs: MINUTE_END + 500 });
    expect(learn(state, "a", late(120)).windows.minute).toEqual(minute);
    expect(learn(state, "a", late(60)).windows.minute?.limit).toBe(60);
  });
});

test("a request that was never sent gives no more back than the limit", () => {
  const minute = {
    limit: 120,
    remaining: 120,
    resetMs: MINUTE_END,
    lowestTold: null,
    isTold: true,
  };
  const state = { ...UNKNOWN_ACCOUNT, windows: { minute }, flights: [lease("a")] };
  expect(minuteLeft(cancel(state, "a"))).toBe(120);
});

describe("the service's clock", () => {
  test("judges a reset also where an answer carries no Date", () => {
    const behind = { ...two, clockOffsetMs: -7_200_000 };
    const { minute } = learn(behind, "a", heardMinute(100)).windows;
    expect(minute?.resetMs).toBe(Date.parse("2026-11-20T13:01:00Z"));
  });

  test("does not move a window that the service told, when it turns out to be another", () => {
    const minute = { limit: 120, remaining: 7, resetMs: MINUTE_END, lowestTold: 7, isTold: true };
    const known = { ...two, windows: { minute } };
    const { windows } = learn(known, "a", heard({ dateMs: NOW + 7_200_000 }));
    expect(windows.minute?.resetMs).toBe(MINUTE_END);
  });

  test.each([
    ["half a second less, which a Date of whole seconds cannot tell", 500, 0, 500],
    ["more", 500, 900, 900],
    ["more than a second less", 500, -600, -600],
    ["nothing known", null, -600, -600],
  ])("is learned from %s", (_, known, bound, offset) => {
    const state = { ...two, clockOffsetMs: known };
    expect(learn(state, "a", heard({ dateMs: NOW + bound })).clockOffsetMs).toBe(offset);
  });
});

describe("a hold", () => {
  const hold = (scope: string, waitMs: number) => ({
    scope,
    status: 429,
    code: "rate_limit_exceeded",
    untilMs: NOW + waitMs,
  });

  test("is not shortened by a later one of its scope", () => {
    const first = learn(two, "a", heard({ hold: hold("*", 9_000) }));
    expect(learn(first, "b", heard({ hold: hold("*", 3_000) })).holds).toEqual([hold("*", 9_000)]);
    expect(learn(first, "b", heard({ hold: hold("*", 12_000) })).holds)
      .toEqual([hold("*", 12_000)]);
  });

  test("that ends last decides among several", () => {
    const holds = [hold("*", 3_000), hold("scores", 9_000), hold("history", 20_000)];
    const permitRequest = { lease: lease("c"), scopes: ["*", "scores"], reserve: 0 };
    const { obstacle } = admit({ ...UNKNOWN_ACCOUNT, holds }, permitRequest, NOW);
    expect(obstacle).toMatchObject({ kind: "hold", untilMs: NOW + 9_000 });
  });
});
