import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { calendarReturns } from "../../../src/analysis/series/costs/costs.ts";
import { rollingSharpe } from "../../../src/analysis/series/performance/performance.ts";

/** 300 weekdays from 2024-01-01 on, as `pandas.bdate_range` gives them. */
function weekdays(count: number): readonly Date[] {
  const days: Date[] = [];
  for (let day = Date.UTC(2024, 0, 1); days.length < count; day += 86_400_000) {
    if (![0, 6].includes(new Date(day).getUTCDay())) days.push(new Date(day));
  }
  return days;
}

const PORTFOLIO = pl.DataFrame([
  pl.Series("date", [...weekdays(300)], pl.Date),
  pl.Series(
    "return",
    Array.from({ length: 300 }, (_, i) => 0.001 * Math.sin(i * i) + 0.0002 * Math.cos(3 * i)),
    pl.Float64,
  ),
  pl.Series("traded", new Array<number>(300).fill(0), pl.Float64),
]);

describe("calendarReturns()", () => {
  // (1 + s).groupby(s.index.to_period("M")).prod() - 1 of pandas 2.
  test("compounds months and years as pandas does", () => {
    const rows = calendarReturns(PORTFOLIO, { oneWayBps: [0] }).toRecords();
    const months = rows.filter(({ unit }) => unit === "month");
    expect(months).toHaveLength(14);
    expect(months[0]).toMatchObject({ period: "2024-01", sessions: 23 });
    expect(months[0]!["return"]).toBeCloseTo(-0.0030556487868355076, 14);
    expect(months.at(-1)!["return"]).toBeCloseTo(0.00035395995929876634, 14);
    const years = rows.filter(({ unit }) => unit === "year");
    expect(years.map(({ period }) => period)).toEqual(["2024", "2025"]);
    expect(years[0]!["return"]).toBeCloseTo(0.001955, 6);
    expect(years[1]!["return"]).toBeCloseTo(-0.005753, 6);
  });

  test("takes costs off, and has null where no session has a return", () => {
    const portfolio = pl.DataFrame([
      pl.Series("date", ["2026-01-30", "2026-02-02"], pl.Utf8),
      pl.Series("return", [0.01, null], pl.Float64),
      pl.Series("traded", [2, 0], pl.Float64),
    ]);
    const months = calendarReturns(portfolio, { oneWayBps: [10] }).toRecords()
      .filter(({ unit }) => unit === "month");
    // 1% less 10 bps of twice the capital.
    expect(months[0]!["return"]).toBeCloseTo(0.008, 12);
    expect(months[1]).toMatchObject({ return: null, sessions: 0 });
  });
});

describe("rollingSharpe()", () => {
  // rolling(60).mean() / rolling(60).std() * sqrt(252) of pandas, and the interval from scipy.stats.skew, kurtosis and t.ppf.
  test("is the ratio and the interval that pandas and scipy give", () => {
    const rows = rollingSharpe(PORTFOLIO, { value: "return", window: 60, periodsPerYear: 252 })
      .toRecords();
    expect(rows[58]).toMatchObject({ sharpe: null, low: null, high: null });
    expect(rows[59]!["sharpe"]).toBeCloseTo(-0.6706602909817586, 10);
    expect(rows[150]!["sharpe"]).toBeCloseTo(0.2305763942675057, 10);
    const last = rows.at(-1)!;
    expect(last["sharpe"]).toBeCloseTo(-2.191176304325689, 10);
    expect(last["low"]).toBeCloseTo(-6.37728371399338, 8);
    expect(last["high"]).toBeCloseTo(1.994931105342002, 8);
  });

  test("refuses a window that is none", () => {
    expect(() => rollingSharpe(PORTFOLIO, { window: 1 })).toThrow(RangeError);
  });
});
