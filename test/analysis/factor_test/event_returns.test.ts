import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { eventReturns, forwardReturns } from "../../../src/analysis/mod.ts";

// Two names over thirty sessions in New York: A gains one percent a session, B nothing.
const date = Array.from({ length: 32 }, (_, i) => weekday(i))
  .filter((day) => !["2026-06-19", "2026-07-03"].includes(day));
const prices = pl.DataFrame({
  date: date.flatMap((day) => [day, day]),
  ticker: date.flatMap(() => ["A", "B"]),
  close: date.flatMap((_, i) => [1.01 ** i, 1]),
});
const returns = forwardReturns(prices, { periods: [1] });
const around = { before: 0, after: 1 };

function weekday(i: number): string {
  const day = Date.UTC(2026, 5, 1) + (7 * Math.floor(i / 5) + i % 5) * 86_400_000;
  return new Date(day).toISOString().slice(0, 10);
}

function eventsAt(instants: readonly string[], ticker: readonly string[]): DataFrame {
  return pl.DataFrame([
    pl.Series("at", instants.map((at) => new Date(at)), pl.Datetime("ms", "UTC")),
    pl.Series("ticker", ticker, pl.Utf8),
  ]);
}

function counts(frame: DataFrame): unknown[] {
  return frame.select("n", "unpriced", "unplaced").toRecords().map((row) => Object.values(row));
}

describe("eventReturns()", () => {
  test("tells what became of every event: used, without a return, or of no session and ticker", () => {
    const events = pl.DataFrame({
      session: [date[0]!, date[3]!, date[29]!, "2026-06-06", date[4]!],
      ticker: ["A", "A", "A", "A", "C"],
    });
    expect(counts(eventReturns(events, returns, around))).toEqual([[2, 1, 2], [2, 1, 2]]);
  });

  test("counts two events of a name in one session once", () => {
    const events = pl.DataFrame({ session: [date[3]!, date[3]!], ticker: ["A", "A"] });
    expect(counts(eventReturns(events, returns, around))[0]).toEqual([1, 0, 0]);
  });

  test("gives a mean from ten events in five sessions on, and a test from twenty sessions on", () => {
    const of = (sessions: readonly string[]) => {
      const events = pl.DataFrame({
        session: sessions.flatMap((day) => [day, day]),
        ticker: sessions.flatMap(() => ["A", "B"]),
      });
      return eventReturns(events, returns, { before: 0, after: 0, abnormal: "none" })
        .toRecords()[0]!;
    };
    expect(of(date.slice(1, 5))).toMatchObject({ n: 8, mean: null, reason: "too_few_names" });
    const five = of(date.slice(1, 6));
    expect(five).toMatchObject({ n: 10, sessions: 5, t: null, reason: "too_few_windows" });
    expect(five["mean"]).toBeCloseTo(0.005, 12);
    expect(of(date.slice(1, 21))["reason"]).not.toBe("too_few_windows");
  });

  test("brings an instant to the first close strictly later, delayed if asked for", () => {
    const close = "2026-06-10T20:00:00Z";
    const first = (at: string, options = {}) => {
      const rows = eventReturns(eventsAt(Array(10).fill(at), Array(10).fill("A")), returns, {
        before: 0,
        after: 40,
        ...options,
      });
      return rows.getColumn("n").toArray().filter((n) => n === 1).length;
    };
    // The prices end with the thirtieth session: the later the event, the fewer offsets have a return.
    const sameDay = 30 - date.indexOf("2026-06-10");
    expect(first("2026-06-10T19:59:59Z")).toBe(sameDay);
    expect(first(close)).toBe(sameDay - 1);
    expect(first("2026-06-10T19:30:00Z", { delayMs: 30 * 60_000 })).toBe(sameDay - 1);
    const calendar = pl.DataFrame([
      pl.Series("date", date, pl.Utf8),
      pl.Series(
        "open_at",
        date.map((day) => new Date(`${day}T13:30:00Z`)),
        pl.Datetime("ms", "UTC"),
      ),
      pl.Series(
        "close_at",
        date.map((day) => new Date(`${day}T17:00:00Z`)),
        pl.Datetime("ms", "UTC"),
      ),
    ]);
    expect(first("2026-06-10T19:30:00Z", { calendar })).toBe(sameDay - 1);
  });

  test("does not move an instant before the prices into their first session", () => {
    const events = eventsAt(["2020-01-02T15:00:00Z", "2026-06-01T00:30:00Z"], ["A", "A"]);
    expect(counts(eventReturns(events, returns, around))).toEqual([[0, 1, 1], [1, 0, 1]]);
  });

  test("refuses events of which none is in the prices, and shows some of both", () => {
    const elsewhere = pl.DataFrame({ session: [date[3]!], ticker: ["0001"] });
    expect(() => eventReturns(elsewhere, returns)).toThrow(
      /2026-06-04 0001, .* A, B from 2026-06-01 to 2026-07-14/,
    );
    const nameless = pl.DataFrame([
      pl.Series("session", [date[3]!], pl.Utf8),
      pl.Series("ticker", [null], pl.Utf8),
    ]);
    expect(() => eventReturns(nameless, returns)).toThrow(/a ticker .* row 0/);
    const timeless = pl.DataFrame([
      pl.Series("at", [null], pl.Datetime("ms", "UTC")),
      pl.Series("ticker", ["A"], pl.Utf8),
    ]);
    expect(() => eventReturns(timeless, returns)).toThrow(/column at .* row 0/);
  });

  test("looks from five sessions before to ten after, if nothing else is asked for", () => {
    const events = pl.DataFrame({ session: [date[3]!], ticker: ["A"] });
    const offsets = eventReturns(events, returns).getColumn("offset").toArray();
    expect(offsets).toEqual(Array.from({ length: 16 }, (_, i) => i - 5));
  });

  test("refuses offsets that no prices have", () => {
    const events = pl.DataFrame({ session: [date[3]!], ticker: ["A"] });
    for (const before of [-1, 1.5, 1e9]) {
      expect(() => eventReturns(events, returns, { before })).toThrow(RangeError);
    }
  });
});

describe("eventReturns() by quantile", () => {
  // Sixty sessions of twelve stocks; those with higher scores gain more in the two sessions after the first event session.
  const tickers = Array.from({ length: 12 }, (_, i) => `T${i}`);
  const days = Array.from({ length: 60 }, (_, i) => new Date(Date.UTC(2026, 0, 5 + i)))
    .map((day) => day.toISOString().slice(0, 10));
  const scoreOf = (d: number, i: number) => (i + d) % 12;
  const gain = (d: number, i: number) =>
    0.001 * ((d * 7 + i * 5) % 9) + (d < 2 ? 0 : 0.004 * (scoreOf(d - 1, i) - 5.5));
  const closes = tickers.map(() => 100);
  const listed = days.flatMap((date, d) =>
    tickers.map((ticker, i) => {
      closes[i] = closes[i]! * (1 + gain(d, i));
      return { date, ticker, close: closes[i]! };
    })
  );
  const daily = forwardReturns(pl.DataFrame(listed), { periods: [1], calendar: "own" });
  const calls = pl.DataFrame(
    days.slice(1, 50).flatMap((session, d) =>
      tickers.map((ticker, i) => ({ session, ticker, score: scoreOf(d + 1, i) }))
    ),
  );
  const groups = pl.DataFrame({ ticker: tickers, group: tickers.map((_, i) => `G${i % 2}`) });
  const of = (options: Parameters<typeof eventReturns>[2]) =>
    eventReturns(calls, daily, { quantiles: 4, before: 1, after: 3, ...options });

  test("has a row for each quantile and offset, and top minus bottom with its interval", () => {
    const rows = of({}).toRecords();
    expect([...new Set(rows.map(({ group }) => group))]).toEqual([
      ...[1, 2, 3, 4].map((quantile) => `quantile ${quantile}`),
      "top minus bottom",
    ]);
    const at = (group: string, offset: number) =>
      rows.find((row) => row.group === group && row.offset === offset)!;
    expect(at("quantile 4", 1).n).toBe(3 * 49);
    // The mean scores of the outer quarters are nine apart.
    expect(at("top minus bottom", 1).mean).toBeCloseTo(0.036, 2);
    const [top, bottom] = [at("quantile 4", 1), at("quantile 1", 1)];
    expect(at("top minus bottom", 1).mean).toBeCloseTo(top.mean! - bottom.mean!, 12);
    expect(at("top minus bottom", 3).cumulative).toBeCloseTo(
      [1, 2, 3].reduce((sum, offset) => sum + at("top minus bottom", offset).mean!, 0),
      12,
    );
    expect(at("top minus bottom", 1).cumulative_low!).toBeGreaterThan(0.02);
    expect(at("top minus bottom", 0).cumulative).toBe(0);
  });

  test("subtracts the mean of the group, or a regression on all over the sessions before", () => {
    const [plain] = of({ quantiles: 2, abnormal: "none" }).toRecords();
    const [grouped] = of({ quantiles: 2, abnormal: "group", groups }).toRecords();
    expect(grouped!.mean).not.toBeCloseTo(plain!.mean!, 6);
    // Sixty sessions come before no event.
    expect(of({ abnormal: "beta" }).toRecords().every(({ n }) => n === 0)).toBe(true);
  });

  test("sorts by the change of the score, of which the first event of a stock has none", () => {
    const [row] = of({ by: "change" }).toRecords();
    expect(row!.unplaced).toBeGreaterThanOrEqual(12);
  });

  test("does not look at later events: those until a session are sorted alike without the rest", () => {
    const early = calls.filter(pl.col("session").ltEq(pl.lit(days[30])));
    const n = (frame: DataFrame) =>
      eventReturns(frame, daily, { quantiles: 4, before: 0, after: 0 }).toRecords()
        .map((row) => row.n);
    const later = calls.withColumns(
      pl.when(pl.col("session").gt(pl.lit(days[30]))).then(pl.lit(-50)).otherwise(pl.col("score"))
        .alias("score"),
    );
    expect(n(early).slice(0, 4)).toEqual(
      n(later).slice(0, 4).map((count, quantile) => quantile === 0 ? n(early)[0] : count),
    );
  });

  test("refuses two scores of a stock in one session, which no time orders", () => {
    const twice = pl.DataFrame({
      session: [days[3]!, days[3]!],
      ticker: ["T1", "T1"],
      score: [1, 2],
    });
    expect(() => eventReturns(twice, daily, { quantiles: 2 })).toThrow(
      /one score for T1 .* 1 and 2/,
    );
  });
});
