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
    expect(() => eventReturns(timeless, returns)).toThrow(
      /column at .* row 0/,
    );
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
