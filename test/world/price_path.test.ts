import { describe, expect, test } from "vitest";
import { toEpochDay } from "../../src/world/civil_date.ts";
import { PricePath } from "../../src/world/price_path.ts";
import { ScoreState } from "../../src/world/score_state.ts";
import { model } from "./_calls.ts";

const { calendar, members } = model;

describe("the closes", () => {
  test("follow the documented formula", () => {
    const prices = new PricePath(model);
    const first = calendar.firstFrom(toEpochDay("2026-01-02"));
    const state = new ScoreState(model, calendar.closeMsOf(first));
    const scores = {
      ecpnd: new Int32Array(members.length),
      ecqdi: new Int32Array(members.length),
    };
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
});
