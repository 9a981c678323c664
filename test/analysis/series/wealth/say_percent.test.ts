import { setImmediate as settled } from "node:timers/promises";
import process from "node:process";
import { expect, test } from "vitest";
import { sayPercent } from "../../../../src/analysis/series/wealth/cumulative_returns.ts";

// Forty returns of equal size, gap days apart: the median of their absolute values is that size.
async function noticesOf(size: number, gap: number, n = 40): Promise<readonly string[]> {
  const notices: string[] = [];
  const listen = ({ name, message }: Error) => {
    if (name === "ScoreframeNotice") notices.push(message);
  };
  process.on("warning", listen);
  sayPercent({
    name: "return",
    horizon: 1,
    group: null,
    unit: "session",
    days: Int32Array.from({ length: n }, (_, i) => 20_000 + gap * i),
    places: Int32Array.from({ length: n }, (_, i) => i),
    values: Float64Array.from({ length: n }, (_, i) => i % 2 === 0 ? size : -size),
    counts: new Int32Array(n),
  });
  await settled();
  process.off("warning", listen);
  return notices;
}

// √(365.25 / 7) is 7.223: of weekly returns 1.5 / 7.223 = 20.8% is the limit, of monthly ones 1.5 / √12.175 = 43.0%.
test.each([
  [0.20, 7, 0],
  [0.22, 7, 1],
  [0.42, 30, 0],
  [0.44, 30, 1],
  [0.05, 1, 0],
  [1.2, 1, 1],
])("returns of ±%s every %s days give %s notices", async (size, gap, count) => {
  expect(await noticesOf(size, gap)).toHaveLength(count);
});

test("fewer than twenty returns tell nothing", async () => {
  expect(await noticesOf(1.2, 1, 19)).toEqual([]);
  // 1.2 · √365.25 / 0.6745 = 34.0
  expect(await noticesOf(1.2, 1, 20)).toEqual([
    "Half of the 20 returns are beyond ±120.0%, a volatility of about 3,400% a year; returns are shares, 0.01 is one " +
    "percent: divide those in percent by 100",
  ]);
});
