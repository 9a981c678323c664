import pl, { type DataFrame } from "nodejs-polars";
import { rollingSharpe } from "../../../src/analysis/series/performance/performance.ts";
import { describe, expect, test } from "vitest";
import {
  activePerformance,
  alphaBeta,
  calendarReturns,
  capacity,
  cumulativeNetReturns,
  cumulativeReturns,
  drawdowns,
  holdingPeriods,
  performance,
  tradingCosts,
} from "../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";

const DAYS = listSessionDays(epochDayOf(2024, 1, 2), epochDayOf(2026, 1, 1)).map(fromEpochDay);
const MONTHS = [...Map.groupBy(DAYS, (day) => day.slice(0, 7)).values()].map(([first]) => first!);

function seriesOf(date: readonly string[], column: string, of: (i: number) => number): DataFrame {
  return pl.DataFrame([
    pl.Series("date", [...date], pl.Utf8),
    pl.Series(column, date.map((_, i) => of(i)), pl.Float64),
    pl.Series("traded", date.map(() => 0.1), pl.Float64),
  ]);
}

const wave = (i: number) => 0.01 * Math.sin(i * i) + 0.0004;
const daily = seriesOf(DAYS, "return", wave);
const monthly = seriesOf(MONTHS, "return", wave);

describe("a function of money refuses what nobody earns", () => {
  const calls: Readonly<Record<string, (series: DataFrame) => unknown>> = {
    performance: (series) => performance(series),
    cumulativeReturns: (series) => cumulativeReturns(series),
    drawdowns: (series) => drawdowns(series),
    rollingSharpe: (series) => rollingSharpe(series),
    alphaBeta: (series) => alphaBeta(series, daily),
    activePerformance: (series) => activePerformance(daily, series),
  };

  test.each(Object.entries(calls))("%s()", (_, call) => {
    expect(() => call(seriesOf(DAYS, "ic", wave)))
      .toThrow("expected returns, got information coefficients (column ic)");
    expect(() => call(seriesOf(DAYS, "slope", wave))).toThrow("got slopes of regressions");
    expect(() => call(daily)).not.toThrow();
  });

  test("also where a column is named", () => {
    const book = daily.withColumns(pl.lit(0.5).alias("unpriced_weight"));
    expect(() => performance(book, { value: "traded" })).toThrow("got trades (column traded)");
    expect(() => performance(book, { value: "unpriced_weight" })).toThrow("got weights");
  });
});

describe("the periods of a year", () => {
  test("are refused where the dates say otherwise, and what they are is said", () => {
    const given = { periodsPerYear: 252 };
    const wrong =
      /expected periodsPerYear of about 12, because the sessions are 3\d days apart .*, got 252/;
    expect(() => performance(monthly, given)).toThrow(wrong);
    expect(() => rollingSharpe(monthly, { ...given, window: 12 })).toThrow(wrong);
    expect(() => tradingCosts(monthly, given)).toThrow(wrong);
    expect(() => alphaBeta(monthly, monthly, given)).toThrow(wrong);
    expect(() => performance(daily, { periodsPerYear: 12 })).toThrow("of about 252");
    expect(performance(monthly, { periodsPerYear: 12 }).height).toBe(1);
    expect(performance(daily, given).height).toBe(1);
  });

  test("are those of a session, where each return is of one session among others", () => {
    const sessions = pl.DataFrame({ session: DAYS });
    expect(performance(monthly, { periodsPerYear: 252, sessions }).height).toBe(1);
  });
});

describe("two series of different spacing", () => {
  test("are refused with the line that aligns them, and that line does", () => {
    for (const call of [alphaBeta, activePerformance]) {
      expect(() => call(daily, monthly, { periodsPerYear: 12 })).toThrow(
        'cumulativeReturns(returns).withColumns(pl.col("wealth").shift(1).fillNull(pl.lit(1)))',
      );
      expect(() => call(monthly, daily, { periodsPerYear: 12 })).toThrow(
        /3[01] days and 1 day apart/,
      );
    }
    const returns = daily;
    const coarse = monthly.withColumns(pl.col("date").cast(pl.Date));
    const aligned = cumulativeReturns(returns)
      .withColumns(pl.col("wealth").shift(1).fillNull(pl.lit(1)))
      .join(coarse.select("date"), { on: "date" })
      .select("date", pl.col("wealth").shift(-1).div(pl.col("wealth")).sub(1).alias("return"));
    const second = DAYS.indexOf(MONTHS[1]!);
    const first = DAYS.slice(0, second).reduce((all, _, i) => all * (1 + wave(i)), 1) - 1;
    expect(aligned.height).toBe(MONTHS.length);
    expect(aligned.getColumn("return").get(0)).toBeCloseTo(first, 12);
    expect(alphaBeta(monthly, aligned, { periodsPerYear: 12 }).height).toBe(2);
  });
});

describe("after a total loss", () => {
  const lost = 300;
  const withPrices = (later: number) =>
    seriesOf(DAYS, "return", (i) => i < lost ? wave(i) : i === lost ? -1 : later * wave(i));
  const [one, other] = [withPrices(1), withPrices(-3)];
  const rows = (frame: DataFrame) => frame.toRecords() as Record<string, unknown>[];

  test("no number depends on prices", () => {
    for (
      const call of [
        performance,
        tradingCosts,
        calendarReturns,
        cumulativeNetReturns,
        drawdowns,
        (frame: DataFrame) => rollingSharpe(frame, { window: 60 }),
        (frame: DataFrame) => alphaBeta(frame, daily),
      ]
    ) expect(rows(call(one))).toEqual(rows(call(other)));
    expect(rows(performance(one))[0]).toMatchObject({
      ...{ sessions: lost + 1, missing: 0, annual_return: -1, reason: "total_loss" },
    });
  });

  test("months, growth and ratios stop with it, for its reason", () => {
    const months = rows(calendarReturns(one, { oneWayBps: 0 })).filter(({ unit }) =>
      unit === "month"
    );
    const month = DAYS[lost]!.slice(0, 7);
    for (const { period, return: gain, reason } of months) {
      const isAfter = String(period) > month;
      expect([period, gain === null, reason]).toEqual([
        period,
        isAfter,
        isAfter ? "total_loss" : null,
      ]);
    }
    const growth = cumulativeNetReturns(one, { oneWayBps: 0 }).getColumn("wealth").toArray();
    expect(growth.slice(lost - 1, lost + 2)).toEqual([expect.any(Number), 0, null]);
    const ratios = rows(rollingSharpe(one, { window: 60 }));
    expect(ratios.slice(lost - 1, lost + 2).map(({ sharpe, reason }) => [sharpe !== null, reason]))
      .toEqual([[true, null], [false, "total_loss"], [false, "total_loss"]]);
  });

  test("costs that take everything are one", () => {
    const heavy = daily.withColumns(pl.lit(2000).alias("traded"));
    expect(rows(calendarReturns(heavy, { oneWayBps: 10 })).at(-1)).toMatchObject({
      ...{ return: null, reason: "total_loss" },
    });
  });
});

test("a cost that can only be a share of the traded value is refused", () => {
  const trades = daily.withColumns(
    pl.lit(0.001).alias("impact"),
    pl.lit(1e6).alias("capital_limit"),
  );
  for (
    const call of [
      () => tradingCosts(daily, { oneWayBps: 0.001 }),
      () => calendarReturns(daily, { oneWayBps: [0, 0.001] }),
      () => cumulativeNetReturns(daily, { oneWayBps: 0.001 }),
      () => capacity(trades, { halfSpreadBps: 0.001 }),
      () => holdingPeriods(daily, daily, { oneWayBps: 0.001 }),
    ]
  ) expect(call).toThrow("as a share of the traded value, 0.001 is 10");
  expect(tradingCosts(daily, { oneWayBps: [0, 0.5] }).height).toBe(2);
});
