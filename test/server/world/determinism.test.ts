import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCheckSource } from "../../../src/server/world/check_source.ts";
import { makeWorldModel, type WorldModel } from "../../../src/server/world/world_model.ts";
import { toWorldParameters } from "../../../src/server/world/world_options.ts";
import { ScoreState, type ScoringMoment } from "../../../src/server/world/score_state.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function modelOf(seed: number, tickers = 30): WorldModel {
  return makeWorldModel(toWorldParameters({ seed, tickers, years: 1, hours: 200 }));
}

function hourOf(model: WorldModel, index: number): string {
  return new Date(model.liveFromMs + index * HOUR).toISOString();
}

describe("the check of an hour", () => {
  test("does not depend on what was asked before, nor in what order", async () => {
    const hours = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 2, maxLength: 6 });
    const factor = fc.constantFrom("ecpnd" as const, "ecqdi" as const);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 50 }), hours, factor, async (seed, order, of) => {
        const model = modelOf(seed);
        const used = createCheckSource(model);
        for (const index of order) await used(of, hourOf(model, index));
        const index = order.at(-1)!;
        const fresh = await createCheckSource(modelOf(seed))(of, hourOf(model, index));
        expect(await used(of, hourOf(model, index))).toEqual(fresh);
      }),
      { numRuns: 25, seed: 1 },
    );
  });

  test("does not depend on the other parameters of a seed that say how long the world is", async () => {
    const end = "2026-11-20T15:00:00.000Z";
    const later = "2026-11-21T15:00:00.000Z";
    const make = (hours: number, until: string) =>
      makeWorldModel(toWorldParameters({ tickers: 30, years: 1, hours, end: until }));
    const [short, long] = [make(100, end), make(124, later)];
    expect(short.liveFromMs).toBe(long.liveFromMs);
    const at = "2026-11-20T09:00:00.000Z";
    for (const factor of ["ecpnd", "ecqdi"] as const) {
      expect(await createCheckSource(short)(factor, at)).toEqual(
        await createCheckSource(long)(factor, at),
      );
    }
  });
});

describe("scores of a world", () => {
  test("do not depend on when the simulation began", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 900 }),
        (seed, daysEarlier) => {
          const model = modelOf(seed, 60);
          const at = model.liveFromMs;
          const [one, two] = [
            new ScoreState(model, at),
            new ScoreState(model, at - daysEarlier * DAY),
          ];
          const moment: ScoringMoment = {
            session: model.calendar.lastClosedAt(at),
            day: Math.floor(at / DAY),
          };
          for (const factor of ["ecpnd", "ecqdi"] as const) {
            const scores = [one, two].map((state) => {
              state.advanceTo(at);
              const micro = new Int32Array(model.members.length);
              state.evaluate(factor, moment, micro);
              return [...micro];
            });
            expect(scores[0]).toEqual(scores[1]);
          }
        },
      ),
      { numRuns: 40, seed: 2 },
    );
  });
});
