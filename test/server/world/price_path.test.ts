import { describe, expect, test } from "vitest";
import { toEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { PricePath } from "../../../src/server/world/price_path.ts";
import { ScoreState } from "../../../src/server/world/score_state.ts";
import { model } from "./_calls.ts";

const { calendar, members } = model;

describe("the closes", () => {
  test("follow the documented formula", () => {
    const prices = new PricePath(model);
    const first = calendar.firstFrom(toEpochDay("2026-01-02"));
    const state = new ScoreState(model, calendar.closeMsOf(first));
    const scores = { ecpnd: new Int32Array(members.length), ecqdi: new Int32Array(members.length) };
    for (let session = first; session < first + 40; session++) {
      state.advanceTo(calendar.closeMsOf(session));
      const moment = { session, day: calendar.dayOf(session) };
      for (const factor of ["ecpnd", "ecqdi"] as const) {
        state.evaluate(factor, moment, scores[factor]);
      }
      prices.observe(state, moment, scores);
      prices.advanceTo(session + 1);
      for (let i = 0; i < members.length; i++) {
        if (prices.returns.isPriced[i] === 0) continue;
        const age = state.ageOf(i, moment);
        const z = (micro: number) => micro < 0 ? 0 : (micro / 1_000_000 - 0.5) / 0.2;
        const signal = 0.05 * z(scores.ecpnd[i]!) * 0.5 ** (age / 60) +
          0.08 * z(scores.ecqdi[i]!) * 0.5 ** (age / 30);
        expect(prices.returns.expected[i]).toBeCloseTo(members[i]!.volatility * signal, 12);
        expect(members[i]!.volatility).toBeGreaterThanOrEqual(0.01);
        expect(members[i]!.volatility).toBeLessThanOrEqual(0.028);
      }
    }
  });

  /** The closes of every company in dollars over some sessions, and `null` where there is none. */
  function closesOf(first: number, count: number): (number | null)[][] {
    const prices = new PricePath(model);
    return Array.from({ length: count }, (_, i) => {
      prices.advanceTo(first + i);
      return members.map((_, member) => {
        const close = prices.closeOf(member, first + i);
        return close === null ? null : close / 10_000;
      });
    });
  }
  const first = calendar.firstFrom(toEpochDay("2025-01-02"));
  const closes = closesOf(first, 440);

  test("begin with a company's first close on the day of its listing", () => {
    const listed = members.flatMap((member, i) => {
      const session = calendar.firstFrom(member.listDay) - first;
      const isIn = session > 0 && session < closes.length &&
        calendar.dayOf(session + first) === member.listDay;
      const close = isIn ? closes[session]![i]! : null;
      return close === null ? [] : [[close, closes[session - 1]![i], member.firstClose] as const];
    });
    expect(listed.length).toBeGreaterThan(3);
    for (const [close, before, firstClose] of listed) {
      expect(close).toBeCloseTo(firstClose, 3);
      expect(before).toBeNull();
    }
  });

  test("move together by the market's 0.8% a session", () => {
    const means = closes.slice(1).map((now, session) => {
      const moves = now.flatMap((close, i) => {
        const before = closes[session]![i];
        return close === null || before === null || before === undefined
          ? []
          : [Math.log(close / before)];
      });
      return moves.reduce((sum, move) => sum + move, 0) / moves.length;
    });
    const spread = Math.sqrt(means.reduce((sum, mean) => sum + mean ** 2, 0) / means.length);
    expect(spread).toBeGreaterThan(0.007);
    expect(spread).toBeLessThan(0.0095);
  });

  test("end with a loss of 30% for about half of the delisted companies", () => {
    const last = members.flatMap(({ delistDay }, i) => {
      const session = calendar.firstFrom(Math.min(delistDay, toEpochDay("2060-01-01"))) - 1 - first;
      const [before, close] = [closes[session - 1]?.[i], closes[session]?.[i]];
      return before === undefined || before === null || close === undefined || close === null
        ? []
        : [Math.log(close / before)];
    });
    expect(last.length).toBeGreaterThan(8);
    const losses = last.filter((move) => move < -0.2).length;
    expect(losses / last.length).toBeGreaterThan(0.2);
    expect(losses / last.length).toBeLessThan(0.8);
  });
});
