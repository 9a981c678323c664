import { describe, expect, test } from "vitest";
import pl from "nodejs-polars";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { change, type Closes, filled, frameOf, walks } from "./_walks.ts";

const kindsOf = async (closes: Closes, options = {}) => {
  const { report } = await readPrices(frameOf(closes), options).withReport();
  return [...new Set(report.findings.getColumn("what").toArray() as string[])];
};

describe("closes that no market has are told:", () => {
  const honest = walks(1);
  test.each<readonly [string, string, Closes]>([
    ["weekly closes filled to sessions", "still_share", filled(honest, 5)],
    ["monthly closes filled to sessions", "still_share", filled(honest, 21)],
    [
      "closes between which a vendor interpolated",
      "interpolated",
      honest.map((_, d) => {
        const [from, to] = [honest[d - d % 10]!, honest[Math.min(259, d - d % 10 + 10)]!];
        return from.map((close, t) => close! + (to[t]! - close!) * (d % 10) / 10);
      }),
    ],
    [
      "half of the names stuck for 120 sessions",
      "still",
      change(honest, (close, d, t) => t < 6 && d > 60 && d < 181 ? honest[60]![t]! : close),
    ],
    [
      "delisted names that are padded on",
      "ends_still",
      change(honest, (close, d, t) => t < 3 && d > 200 ? honest[200]![t]! : close),
    ],
    [
      "one session that repeats the one before",
      "still_session",
      change(honest, (close, d, t) => d === 100 ? honest[99]![t]! : close),
    ],
    [
      "returns as 1 + r",
      "noise",
      change(honest, (close, d, t) => d === 0 ? 1 : close / honest[d - 1]![t]!),
    ],
    [
      "returns as 100 (1 + r)",
      "noise",
      change(honest, (close, d, t) => d === 0 ? 100 : 100 * close / honest[d - 1]![t]!),
    ],
    [
      "logarithms of closes",
      "levels",
      change(walks(2, { volatility: 0.008 }), (close) => Math.log(close)),
    ],
    [
      "cents that become dollars",
      "unit",
      change(honest, (close, d, t) => t === 2 && d < 100 ? 100 * close : close),
    ],
    [
      "a ticker that passes to another company",
      "hole",
      change(honest, (close, d, t) => t === 4 && d > 90 && d < 140 ? null : close),
    ],
  ])("%s", async (_, kind, closes) => {
    expect(await kindsOf(closes, { still: true })).toContain(kind);
  });

  test("an adjusted close that moves where the raw one does not", async () => {
    const frame = frameOf(honest).withColumns(pl.col("close").alias("raw"));
    const wrong = frame.withColumns(
      pl.when(
        pl.col("ticker").eq(pl.lit("T1")).and(pl.col("date").gtEq(pl.lit(new Date("2024-06-03")))),
      )
        .then(pl.col("close").mul(1.5)).otherwise(pl.col("close")).alias("close"),
    );
    const { report } = await readPrices(wrong, {
      ...{ close: "close", raw: "raw", adjusted: true },
    })
      .withReport();
    expect(report.summary).toContain(
      "1 adjusted close moves where the raw one does not (2024-06-03 T1 ×1.",
    );
  });

  test("three closes in four that do not move are refused, unless they are meant to", async () => {
    await expect(readPrices(frameOf(filled(honest, 5)))).rejects.toThrow(
      "expected closes that move, got 80.4% of them equal to the one before, as if weekly or monthly closes had been filled; " +
        "use the closes before they were filled, with their frequency, or still: true",
    );
  });
});

test("two hundred honest frames have no finding of their values", async () => {
  const alarms: string[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const volatility = [0.008, 0.015, 0.025, 0.04][seed % 4]!;
    const names = [1, 3, 8, 25][(seed >> 2) % 4]!;
    const walk = walks(1000 + seed, { names, volatility, sessions: [30, 120, 250][seed % 3]! });
    // Trading halts, cheap stocks with a tick of a cent, delistings and listings are honest.
    const closes = change(walk, (close, d, t) => {
      if (seed % 5 === 1 && t === 0 && d > 20 && d < 23) return null;
      if (seed % 5 === 2 && t === 1 && d > 25) return null;
      if (seed % 5 === 3 && t === 0 && d < 10) return null;
      return seed % 5 === 4 && t === 2 ? Math.round(close * 10) / 100 + 0.2 : close;
    });
    const kinds = await kindsOf(closes);
    const found = kinds.filter((kind) => !["gap", "jump", "missing_session"].includes(kind));
    if (found.length > 0) alarms.push(`${seed}: ${found.join()}`);
  }
  expect(alarms).toEqual([]);
});

test("a time beyond the years of a calendar is refused in words", async () => {
  const times = pl.Series("date", [9e15, 1.7e12], pl.Float64).cast(pl.Int64);
  const frame = pl.DataFrame([
    times.cast(pl.Datetime("ms")),
    pl.Series("ticker", ["A", "A"], pl.Utf8),
    pl.Series("close", [1, 2], pl.Float64),
  ]);
  await expect(readPrices(frame)).rejects.toThrow("got 9000000000000000 ms after 1970; check");
});
