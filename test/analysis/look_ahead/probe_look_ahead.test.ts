import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { probeLookAhead } from "../../../src/analysis/mod.ts";
import { HONEST } from "./_honest.ts";
import { LEAKS } from "./_leaks.ts";
import { marketSessions } from "../_frames.ts";
import { signalMarket } from "./_signal_market.ts";

const market = signalMarket(23);

describe("a probe for look-ahead", () => {
  test("has forty leaks and a hundred honest signals to look at", () => {
    expect([LEAKS.length, HONEST.length]).toEqual([40, 100]);
  });

  test.each(LEAKS)("names the leak %s", async (_, kind, signal) => {
    const found = await probeLookAhead(signal, market);
    expect([found.verdict, found.kind, found.text]).toEqual(["look_ahead", kind, found.text]);
  });

  test.each(HONEST)("raises no alarm for %s", async (_, signal) => {
    const found = await probeLookAhead(signal, market);
    expect([found.verdict, found.text]).toEqual(["none_found", found.text]);
  });

  test("takes the window of a signal that gives its last sessions for no leak", async () => {
    const last = (frame: DataFrame, rows: number) =>
      pl.concat(frame.partitionBy(["ticker"]).map((own) => own.sort("date").tail(rows)));
    const bySession = (frame: DataFrame, count: number) => {
      const days = [...new Set(frame.getColumn("date").toArray().map(Number))].sort();
      return frame.filter(pl.col("date").gtEq(pl.lit(new Date(days.at(-count)!)).cast(pl.Date)));
    };
    for (const window of [last, bySession]) {
      const found = await probeLookAhead(({ prices }) => window(prices, 40), market);
      expect([found.verdict, found.text]).toEqual(["none_found", found.text]);
      const { kind } = await probeLookAhead(({ prices }) => window(mean(prices), 40), market);
      expect(kind).toBe("whole_sample");
    }
  });

  const mean = (of: DataFrame) =>
    of.select("date", "ticker", pl.col("close").sub(pl.col("close").mean()).alias("score"));

  test("says the first row and column, how often, and what it cannot prove", async () => {
    const { prices } = LINE;
    const found = await probeLookAhead(
      ({ prices }) => prices.select("date", pl.col("close").shift(-1).alias("score")),
      { prices },
    );
    // Of 19 sessions with a value the 6th is the first cut; the cuts leave 6, 11 and 15 sessions, twice each.
    expect(found.first).toEqual({
      ...{ time: "2026-01-12", ticker: null, column: "score", whole: "7", other: "null" },
      ...{ change: "removed", cut: "2026-01-12" },
    });
    expect([found.kind, found.sessions]).toEqual(["sessions_ahead", 1]);
    expect(String(found)).toContain(
      "Look-ahead: score of 2026-01-12 is 7 with the whole history, and null when the data after 2026-01-12 are removed. " +
        "It looks like a value from one session ahead. 6 of 64 compared rows changed, in 8 runs of the signal.",
    );
    expect(found.columns.toRecords()).toMatchObject([{ column: "score", changed: 6 }]);
    const honest = await probeLookAhead(({ prices }) => prices.select("date", "close"), { prices });
    expect(honest.text).toMatch(/^No look-ahead found: 68 rows .* 3 cutoffs /);
    expect(honest.text).toContain("does not prove");
  });

  test("runs the signal eight times at most, and an asynchronous one as well", async () => {
    let runs = 0;
    const found = await probeLookAhead(async ({ prices }) => {
      runs += 1;
      await Promise.resolve();
      return mean(prices);
    }, market);
    expect([runs, found.kind, found.runs.height]).toEqual([8, "whole_sample", 7]);
  });

  test("tells a random signal from one that looks ahead, and stops", async () => {
    let runs = 0;
    const found = await probeLookAhead(({ prices }) => {
      const noise = Float64Array.from({ length: prices.height }, () => (runs += 1) * Math.PI);
      return prices.select("date", "ticker").withColumns(pl.Series("score", noise, pl.Float64));
    }, market);
    expect([found.verdict, found.kind, runs]).toEqual(["random", null, 2 * market.prices.height]);
    expect(found.text).toMatch(/^The signal is random: a second run on the same inputs gave other/);
  });

  test("gives each run copies, and names inputs that the signal changes", async () => {
    const columns = [...market.prices.columns];
    const found = await probeLookAhead((inputs) => {
      const { prices } = inputs;
      prices.columns = ["date", "ticker", "price"];
      return prices.select("date", "ticker", "price");
    }, market);
    expect([found.verdict, found.mutated]).toEqual(["none_found", ["prices"]]);
    expect(found.text).toContain("(prices); give it copies.");
    expect(market.prices.columns).toEqual(columns);
  });

  test("compares what a signal gives that throws on short history, and says what it threw", async () => {
    const needs = (height: number) => ({ prices }: { readonly prices: DataFrame }) => {
      if (prices.height < height) throw new RangeError("60 sessions needed");
      return prices;
    };
    const { height } = market.prices;
    const some = await probeLookAhead(needs(Math.floor(height / 2)), market);
    expect(some.verdict).toBe("none_found");
    expect(some.text).toContain('1 run could not be compared: "60 sessions needed".');
    const { prices } = LINE;
    const none = await probeLookAhead((given) => {
      const cells = given.prices.getColumn("close").toArray();
      if (cells.length < 20 || cells.some((cell, i) => cell !== 1 + i)) {
        throw new RangeError("other values");
      }
      return given.prices;
    }, { prices });
    expect([none.verdict, none.kind]).toEqual(["not_tested", null]);
    expect(none.text).toBe(
      'Not tested: the signal gave nothing to compare on a shorter history; it threw "other values".',
    );
    await expect(probeLookAhead(needs(height + 1), market)).rejects.toThrow("60 sessions needed");
  });

  test("takes a column that is not there for one of nulls, and a wider type for the same value", async () => {
    const wide = await probeLookAhead(({ prices }) => {
      const late = prices.filter(pl.col("ticker").eq(pl.lit("T20")));
      const listed = prices.filter(pl.col("ticker").eq(pl.lit("T00")));
      const close = pl.col("close").alias("T20");
      return late.height === 0
        ? listed
        : listed.join(late.select("date", close), { on: "date", how: "left" });
    }, market);
    expect(wide.verdict).toBe("none_found");
    const typed = await probeLookAhead(({ prices }) => {
      const whole = prices.height === LINE.prices.height;
      return prices.select("date", pl.col("rank").cast(whole ? pl.Int64 : pl.Float64));
    }, { prices: LINE.prices.withColumns(pl.col("close").cast(pl.Int32).alias("rank")) });
    expect(typed.runs.getColumn("changed").sum()).toBe(0);
  });

  test("reads times of one's own, and does not cut what is published in advance", async () => {
    const { prices } = LINE;
    const calendar = prices.select(pl.col("date").alias("day"));
    const next = (given: { readonly prices: DataFrame; readonly calendar: DataFrame }) =>
      given.prices.select("date").withColumns(
        pl.lit(given.calendar.height).sub(given.prices.height).alias("left"),
      );
    const cut = await probeLookAhead(next, { prices, calendar }, { times: { calendar: "day" } });
    expect(cut.verdict).toBe("none_found");
    const uncut = await probeLookAhead(next, { prices, calendar });
    expect([uncut.verdict, uncut.kind]).toEqual(["look_ahead", "future_calendar"]);
    expect(uncut.text).toContain("no time column: calendar.");
    const named = { prices: LINE.prices.rename({ date: "when" }) };
    const own = await probeLookAhead((given) => given.prices, named, {
      times: { prices: "when" },
      time: "when",
    });
    expect(own.verdict).toBe("none_found");
  });

  test("cuts instants to the millisecond, and says when a signal reads something else", async () => {
    const { prices } = LINE;
    const close = pl.col("date").cast(pl.Datetime("ms")).dt.replaceTimeZone("UTC").alias("at");
    const sets = prices.select(close, pl.col("close").alias("score"));
    const found = await probeLookAhead(() => sets, { sets });
    expect(found.runs.getColumn("cut").get(1)).toBe("2026-01-13T00:00:00.000Z");
    expect(found.verdict).toBe("not_tested");
    expect(found.text).toContain("something other than");
  });

  test.each([
    [5, market, {}, "expected the function that makes the signal, got 5"],
    [
      mean,
      market.prices,
      {},
      "expected the frames of the signal by name, such as { prices }, got a frame",
    ],
    [mean, { prices: 5 }, {}, "with its input prices: expected a DataFrame, got 5"],
    [mean, { groups: market.groups }, {}, "expected an input with a column of times"],
    [mean, market, { times: { price: "date" } }, 'got one of "price"'],
    [mean, market, { times: { prices: "when" } }, "when"],
    [() => 5, market, {}, "expected a DataFrame, got 5"],
    [() => market.groups, market, {}, "expected rows with a column of times"],
    [
      () => market.prices.head(9),
      market,
      {},
      "expected a signal with values for 10 times at least, got 1",
    ],
    [mean, market, { cuts: 3 }, 'got "cuts"'],
  ])("refuses %#", async (signal, inputs, options, message) => {
    const call = probeLookAhead as unknown as (...given: unknown[]) => Promise<unknown>;
    await expect(call(signal, inputs, options)).rejects.toThrow(message);
  });
});

/** Twenty sessions of a series that counts them. */
const LINE = {
  prices: pl.DataFrame([
    pl.Series("date", marketSessions(20).map((date) => new Date(date)), pl.Date),
    pl.Series("close", Float64Array.from({ length: 20 }, (_, i) => 1 + i), pl.Float64),
  ]),
};
