import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { readSeries } from "../../../src/analysis/series/read_series.ts";
import { dateAfter, shuffled } from "./_frames.ts";

const frame = pl.DataFrame({
  session: [0, 1, 2, 0, 2].map(dateAfter),
  horizon: [1, 1, 1, 5, 5],
  group: ["b", "b", "a", "b", "b"],
  ic: [0.1, null, 0.3, 0.4, 0.5],
  n: [10, 10, 11, 12, 13],
});

describe("readSeries", () => {
  test("makes a series of each horizon and group, with the places of its sessions", () => {
    const series = readSeries("test", frame);
    expect(series.map(({ horizon, group }) => [horizon, group])).toEqual([
      [1, "a"],
      [1, "b"],
      [5, "b"],
    ]);
    expect([...series[1]!.values]).toEqual([0.1, NaN]);
    expect([...series[2]!.places]).toEqual([0, 2]);
    expect([...series[2]!.counts]).toEqual([12, 13]);
    expect(series[0]!.name).toBe("ic");
  });

  test("does not depend on the order of the rows", () => {
    for (const seed of [1, 2, 3]) {
      expect(readSeries("test", shuffled(frame, seed))).toEqual(readSeries("test", frame));
    }
  });

  test("takes the parts of ICs by an expression for groups", () => {
    expect(readSeries("test", frame.rename({ group: "part" }))).toEqual(readSeries("test", frame));
  });

  test("sorts quantiles as numbers", () => {
    const quantiles = pl.DataFrame({
      session: Array(12).fill(dateAfter(0)),
      quantile: Array.from({ length: 12 }, (_, i) => 12 - i),
      return: Array(12).fill(0.1),
    });
    expect(readSeries("test", quantiles).map(({ group }) => group)).toEqual(
      ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"],
    );
  });

  test("takes the places from the sessions of the prices, where they are given", () => {
    const thin = pl.DataFrame({ session: [0, 21, 42].map(dateAfter), ic: [1, 2, 3] });
    const sessions = pl.DataFrame({ date: Array.from({ length: 60 }, (_, i) => dateAfter(i)) });
    expect([...readSeries("test", thin)[0]!.places]).toEqual([0, 1, 2]);
    expect([...readSeries("test", thin, { sessions })[0]!.places]).toEqual([0, 21, 42]);
    expect(() => readSeries("test", thin, { sessions: sessions.head(30) })).toThrow(/2026-02-12/);
  });

  test("refuses two values of one session, and frames without a value", () => {
    const twice = pl.DataFrame({ session: [dateAfter(0), dateAfter(0)], ic: [1, 2] });
    expect(() => readSeries("test", twice)).toThrow(/got several for 2026-01-01/);
    const other = pl.DataFrame({ session: [dateAfter(0)], alpha: [1] });
    expect(() => readSeries("test", other)).toThrow(/value/);
    expect(readSeries("test", other, { value: "alpha" })[0]!.name).toBe("alpha");
  });
});
