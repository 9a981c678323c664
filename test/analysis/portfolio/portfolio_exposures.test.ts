import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { portfolioExposures } from "../../../src/analysis/portfolio/portfolio_exposures.ts";
import { rowsOf } from "../series/_frames.ts";

const SESSIONS = ["2026-10-29", "2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"];
const TICKERS = ["A", "B", "C", "A", "B"];
const WEIGHTS = pl.DataFrame({
  session: SESSIONS,
  ticker: TICKERS,
  weight: [0.5, -0.25, -0.25, 1, 0],
});
const KNOWN = pl.DataFrame({
  date: SESSIONS,
  ticker: TICKERS,
  beta: [1.5, 0.5, null, 2, 3],
  sector: ["tech", "banks", "tech", null, "banks"],
});

describe("portfolioExposures()", () => {
  test("adds weights times numbers up in each session, and says what it did not know", () => {
    expect(rowsOf(portfolioExposures(WEIGHTS, KNOWN, { on: ["beta"] }))).toEqual([
      {
        session: "2026-10-29",
        exposure: "beta",
        group: null,
        value: 0.625,
        gross: 0.75,
        missing_weight: 0.25,
        n: 2,
      },
      {
        session: "2026-10-30",
        exposure: "beta",
        group: null,
        value: 2,
        gross: 1,
        missing_weight: 0,
        n: 1,
      },
    ]);
  });

  test("has the net weight of every group in every session", () => {
    const rows = rowsOf(portfolioExposures(WEIGHTS, KNOWN, { group: "sector" }));
    expect(rows.map(({ session, group, value, missing_weight, n }) => [
      ...[session, group, value, missing_weight, n],
    ])).toEqual([
      ["2026-10-29", "banks", -0.25, 0, 1],
      ["2026-10-29", "tech", 0.25, 0, 2],
      ["2026-10-30", "banks", 0, 1, 0],
      ["2026-10-30", "tech", 0, 1, 0],
    ]);
  });

  test("counts a stock without a row on the session as missing", () => {
    const [first] = rowsOf(portfolioExposures(WEIGHTS, KNOWN.tail(2), { on: ["beta"] }));
    expect(first).toMatchObject({ value: 0, gross: 0, missing_weight: 1, n: 0 });
  });

  test("equals the sums of Polars over a join", () => {
    const cells = Array.from({ length: 600 }, (_, i) => ({
      session: `2026-10-${String(1 + Math.floor(i / 30)).padStart(2, "0")}`,
      ticker: `T${i % 30}`,
      weight: Math.sin(i) / 30,
      size: Math.cos(3 * i),
    }));
    const frame = pl.DataFrame(cells);
    const own = portfolioExposures(frame.select("session", "ticker", "weight"), frame, {
      on: ["size"],
    }).getColumn("value").toArray();
    const theirs = frame.withColumns(pl.col("weight").mul(pl.col("size")).alias("product"))
      .groupBy("session").agg(pl.col("product").sum()).sort("session").getColumn("product")
      .toArray();
    expect(own).toHaveLength(20);
    own.forEach((value, i) => expect(value).toBeCloseTo(theirs[i] as number, 12));
  });

  test("refuses a stock that stands twice, and asks for a column", () => {
    expect(() => portfolioExposures(WEIGHTS, pl.concat([KNOWN, KNOWN]), { on: ["beta"] }))
      .toThrow(
        "got 2026-10-29 A again in row 5",
      );
    expect(() => portfolioExposures(WEIGHTS, KNOWN, {})).toThrow(TypeError);
  });
});
