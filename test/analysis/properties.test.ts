import fc from "fast-check";
import type { DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  factorReturns,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  portfolioReturns,
  positions,
  quantileSpread,
  quantileTurnover,
  quantize,
  rankAutocorrelation,
} from "../../src/analysis/mod.ts";
import { shuffled, type SmallMarket, smallMarket, until } from "./_frames.ts";

const SEEDS = fc.integer({ min: 1, max: 100_000 });
const RUNS = { numRuns: 6 };

type Rows = Record<string, unknown>[];

/** Every statistic by session, as rows. */
function statisticsOf(
  market: Omit<SmallMarket, "sessions">,
  periods = [1, 3, 5],
): Record<string, Rows> {
  const returns = forwardReturns(market.prices, { periods, ended: "null" });
  const aligned = align(market.scores, returns, { groups: market.groups });
  const quantized = quantize(aligned, { quantiles: 3 });
  const weights = factorWeights(aligned, { neutral: "group" });
  const held = positions(factorWeights(aligned), { holding: 3 });
  const rows = (frame: DataFrame) => frame.toRecords() as Rows;
  return {
    data: rows(aligned.data),
    quantized: rows(quantized.data),
    sizes: rows(quantized.sizes),
    ic: rows(informationCoefficient(aligned)),
    icByGroup: rows(informationCoefficient(aligned, { by: "group", minNames: 3 })),
    icByAge: rows(informationCoefficient(aligned, { by: "age", minNames: 3 })),
    icNeutral: rows(informationCoefficient(aligned, { groupNeutral: true })),
    icPearson: rows(informationCoefficient(aligned, { method: "pearson" })),
    icOneSession: rows(informationCoefficient(aligned, { form: "oneSession" })),
    icByLag: rows(informationCoefficient(aligned, { lags: [1, 2, 5] })),
    cells: rows(meanReturnByQuantile(quantized, { bySession: true })),
    means: rows(meanReturnByQuantile(quantized)),
    spread: rows(quantileSpread(quantized).data),
    turnover: rows(quantileTurnover(quantized, { period: 2 })),
    autocorrelation: rows(rankAutocorrelation(aligned)),
    weights: rows(weights.data),
    factorReturns: rows(factorReturns(aligned, weights)),
    portfolio: rows(portfolioReturns(aligned, held)),
    loss: rows(aligned.loss.table),
    lossBySession: rows(aligned.loss.bySession()),
  };
}

describe("every statistic by session", () => {
  test("does not depend on the order of rows", () => {
    fc.assert(
      fc.property(SEEDS, (seed) => {
        const market = smallMarket(seed);
        const other = {
          scores: shuffled(market.scores, seed + 1),
          prices: shuffled(market.prices, seed + 2),
          groups: shuffled(market.groups, seed + 3),
        };
        expect(JSON.stringify(statisticsOf(other))).toBe(JSON.stringify(statisticsOf(market)));
      }),
      RUNS,
    );
  });

  test("holds neither NaN nor Infinity, and says why a value is null", () => {
    fc.assert(
      fc.property(SEEDS, (seed) => {
        for (const [name, rows] of Object.entries(statisticsOf(smallMarket(seed, 8, 12)))) {
          for (const row of rows) {
            for (const [column, value] of Object.entries(row)) {
              if (typeof value === "number" && !Number.isFinite(value)) {
                throw new Error(`${name} has ${value} in ${column}`);
              }
            }
            const value = "ic" in row ? row.ic : row.turnover ?? row.autocorrelation ?? row.return;
            if ("reason" in row && "n" in row && value === undefined) {
              expect(row.reason).not.toBeNull();
            }
          }
        }
      }),
      RUNS,
    );
  });

  test("of one horizon is the same whatever other horizons are asked for", () => {
    fc.assert(
      fc.property(SEEDS, (seed) => {
        const market = smallMarket(seed);
        const of = (rows: Rows) => rows.filter(({ horizon }) => horizon === 3);
        const [alone, among] = [statisticsOf(market, [1, 3]), statisticsOf(market, [1, 2, 3, 21])];
        for (
          const name of ["ic", "icByGroup", "icOneSession", "cells", "means", "spread", "loss"]
        ) {
          expect(of(among[name]!)).toEqual(of(alone[name]!));
          expect(of(alone[name]!).length).toBeGreaterThan(0);
        }
      }),
      RUNS,
    );
  });
});

describe("no look-ahead:", () => {
  const LOOKS_AT_SESSION = ["quantized", "sizes", "turnover", "autocorrelation", "weights"];
  const LOOKS_AHEAD = ["ic", "icByGroup", "icByAge", "icNeutral", "icPearson", "cells", "spread"];

  test("cutting scores and prices changes no value whose window ended before", () => {
    fc.assert(
      fc.property(SEEDS, fc.integer({ min: 12, max: 35 }), (seed, cut) => {
        const market = smallMarket(seed);
        const last = market.sessions[cut]!;
        const whole = statisticsOf(market);
        const part = statisticsOf({
          ...market,
          scores: until(market.scores, last),
          prices: until(market.prices, last),
        });
        const place = new Map(market.sessions.map((session, i) => [session, i]));
        const sessionOf = (row: Record<string, unknown>) =>
          place.get(((row.session ?? row.from) as Date).toISOString().slice(0, 10))!;
        const known = (rows: Rows, ends: (row: Record<string, unknown>) => number) =>
          rows.filter((row) => sessionOf(row) + ends(row) <= cut)
            .map((row) =>
              Object.fromEntries(Object.entries(row).filter(([key]) => !/^return_|^age/.test(key)))
            );
        for (const name of LOOKS_AT_SESSION) {
          expect(known(part[name]!, () => 0)).toEqual(known(whole[name]!, () => 0));
        }
        for (const name of [...LOOKS_AHEAD, "factorReturns"]) {
          const ends = ({ horizon }: Record<string, unknown>) => horizon as number;
          expect(known(part[name]!, ends)).toEqual(known(whole[name]!, ends));
          expect(known(part[name]!, ends).length).toBeGreaterThan(0);
        }
        expect(known(part.portfolio!, () => 1)).toEqual(known(whole.portfolio!, () => 1));
        expect(known(part.icOneSession!, () => 1)).toEqual(known(whole.icOneSession!, () => 1));
        const lagEnds = ({ lag }: Record<string, unknown>) => lag as number;
        expect(known(part.icByLag!, lagEnds)).toEqual(known(whole.icByLag!, lagEnds));
      }),
      RUNS,
    );
  });
});

describe("the loss report", () => {
  test("puts every input row into one line of each horizon", () => {
    fc.assert(
      fc.property(SEEDS, fc.constantFrom("next", "same"), (seed, entry) => {
        const { scores, prices } = smallMarket(seed);
        const { loss, data } = align(scores, forwardReturns(prices, { periods: [1, 5] }), {
          entry,
        });
        const lines = loss.table.toRecords() as {
          horizon: number | null;
          rows: number;
          reason: string;
        }[];
        const rowsOf = (horizon: number | null) =>
          lines.filter((line) => line.horizon === horizon).reduce((sum, { rows }) => sum + rows, 0);
        expect(rowsOf(null) + rowsOf(1)).toBe(scores.height);
        expect(rowsOf(null) + rowsOf(5)).toBe(scores.height);
        const used = lines.filter(({ horizon, reason }) =>
          horizon === 5 && /used|ended/.test(reason)
        )
          .reduce((sum, { rows }) => sum + rows, 0);
        const both = data.toRecords().filter((row) => row.score !== null && row.return_5 !== null);
        expect(used).toBe(both.length);
        for (const split of [loss.bySession(), loss.byTicker(), loss.byStatus()]) {
          const rows = split.toRecords().filter(({ horizon }) => horizon === null || horizon === 5);
          expect(rows.reduce((sum, row) => sum + Number(row.rows), 0)).toBe(scores.height);
        }
      }),
      RUNS,
    );
  });
});
