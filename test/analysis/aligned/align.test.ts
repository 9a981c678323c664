import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  type AlignOptions,
  forwardReturns,
  informationCoefficient,
} from "../../../src/analysis/mod.ts";
import { randomOf } from "../_frames.ts";

// Thanksgiving week of 2026: Thursday the 26th is a holiday, Friday closes at 13:00 in New York.
const SESSIONS = ["2026-11-24", "2026-11-25", "2026-11-27", "2026-11-30", "2026-12-01"];

function pricesOf(sessions: readonly string[], tickers: readonly string[] = ["A", "B"]): DataFrame {
  const rows = sessions.flatMap((date, d) =>
    tickers.map((ticker, t) => [date, ticker, 100 + d + t] as const)
  );
  return pl.DataFrame({
    date: rows.map(([date]) => date),
    ticker: rows.map(([, ticker]) => ticker),
    close: rows.map(([, , close]) => close),
  });
}

function setAt(instants: readonly string[], column = "calculated_at", ticker = "A"): DataFrame {
  return pl.DataFrame([
    pl.Series(column, instants.map((at) => new Date(at)), pl.Datetime("ms", "UTC")),
    pl.Series("ticker", instants.map(() => ticker), pl.Utf8),
    pl.Series("score", instants.map((_, i) => i / 10), pl.Float64),
  ]);
}

const returns = forwardReturns(pricesOf(SESSIONS), { periods: [1] });

function sessionsOf(scores: DataFrame, options: AlignOptions = {}): string[] {
  return align(scores, returns, options).data.toRecords().map((row) =>
    `${(row.session as unknown as Date).toISOString().slice(0, 10)} ${row.score}`
  );
}

describe("a live set belongs to the first close that is strictly later", () => {
  test.each(
    [
      // 16:00 in New York is 21:00 UTC in winter.
      ["2026-11-25T20:59:59Z", "next", "2026-11-25"],
      ["2026-11-25T21:00:00Z", "next", "2026-11-27"],
      ["2026-11-25T21:00:00Z", "same", "2026-11-25"],
      ["2026-11-27T17:59:59Z", "next", "2026-11-27"],
      ["2026-11-27T18:00:00Z", "next", "2026-11-30"],
      ["2026-11-27T18:00:01Z", "same", "2026-11-30"],
    ] as const,
  )("known at %s with entry %s: %s", (at, entry, session) => {
    expect(sessionsOf(setAt([at]), { entry })[0]).toBe(`${session} 0`);
  });

  test("after its delay", () => {
    expect(sessionsOf(setAt(["2026-11-25T20:30:00Z"]), { delayMinutes: 31 })[0]).toBe(
      "2026-11-27 0",
    );
    expect(sessionsOf(setAt(["2026-11-25T20:30:00Z"]), { delayMinutes: 29 })[0]).toBe(
      "2026-11-25 0",
    );
  });

  test("in summer at 20:00 UTC", () => {
    const summer = forwardReturns(pricesOf(["2026-07-01", "2026-07-02"]), { periods: [1] });
    const first = (at: string) => align(setAt([at]), summer).data.getColumn("session").toArray()[0];
    expect(first("2026-07-01T19:59:59Z")).toEqual(new Date("2026-07-01"));
    expect(first("2026-07-01T20:00:00Z")).toEqual(new Date("2026-07-02"));
  });

  test("or the first open, if the returns are of opens", () => {
    const opens = pricesOf(SESSIONS).rename({ close: "open" });
    const open = forwardReturns(opens, { periods: [1], price: "open" });
    const { data } = align(setAt(["2026-11-25T14:30:00Z"]), open);
    expect(data.getColumn("session").toArray()[0]).toEqual(new Date("2026-11-27"));
  });

  test("and stays in force until another one is, or too old", () => {
    const two = setAt(["2026-11-24T15:00:00Z", "2026-11-30T15:00:00Z"]);
    expect(sessionsOf(two)).toEqual([
      "2026-11-24 0",
      "2026-11-25 0",
      "2026-11-27 0",
      "2026-11-30 0.1",
      "2026-12-01 0.1",
    ]);
    expect(sessionsOf(two, { maxAgeSessions: 1 })).toEqual([
      "2026-11-24 0",
      "2026-11-25 0",
      "2026-11-30 0.1",
      "2026-12-01 0.1",
    ]);
    expect(align(two, returns).loss.carriedRows).toBe(3);
  });

  test("unless a later one was in force at the same close", () => {
    const { loss } = align(setAt(["2026-11-24T15:00:00Z", "2026-11-24T16:00:00Z"]), returns);
    const lines = loss.table.select("reason", "horizon", "rows", "examples").toRecords();
    expect(lines).toEqual([
      { reason: "superseded", horizon: null, rows: 1, examples: "2026-11-24 A" },
      { reason: "used", horizon: 1, rows: 1, examples: "2026-11-24 A" },
    ]);
  });

  test("and is known when its check ended, not by its data_through", () => {
    const scores = setAt(["2026-11-25T21:30:00Z"], "last_checked_at").withColumns(
      pl.Series("data_through", [new Date("2026-11-25T20:00:00Z")], pl.Datetime("ms", "UTC")),
    );
    expect(sessionsOf(scores)[0]).toBe("2026-11-27 0");
  });
});

describe("a row with a date", () => {
  const scores = pl.DataFrame({
    date: ["2026-11-25", "2026-11-26", "2026-12-01"],
    ticker: ["A", "A", "A"],
    score: [0.5, 0.6, 0.7],
  });

  test("is entered at the close of the next session, or of the same one on request", () => {
    expect(sessionsOf(scores)).toEqual(["2026-11-27 0.5"]);
    expect(sessionsOf(scores, { entry: "same" })).toEqual(["2026-11-25 0.5", "2026-12-01 0.7"]);
  });

  test("is in the loss report with its reason", () => {
    const reasons = (options: AlignOptions) =>
      align(scores, returns, options).loss.table.toRecords().map((
        row,
      ) => [row.reason, row.horizon]);
    expect(reasons({})).toEqual([["not_a_session", null], ["beyond_prices", 1], ["used", 1]]);
    expect(reasons({ entry: "same" })).toEqual([
      ["not_a_session", null],
      ["beyond_prices", 1],
      ["used", 1],
    ]);
  });
});

describe("the loss report", () => {
  const scores = pl.DataFrame([
    pl.Series("date", ["2026-11-24", "2026-11-24", "2026-11-24"], pl.Utf8),
    pl.Series("ticker", ["A", "B", "NEVER"], pl.Utf8),
    pl.Series("score", [0.1, null, 0.3], pl.Float64),
    pl.Series("status", ["ok", "ok", "stale"], pl.Utf8),
  ]);

  test("says how many tickers are never priced, and splits by status", () => {
    const { loss } = align(scores, returns);
    expect(loss.neverPriced).toBe(1);
    expect(loss.byStatus().toRecords()).toEqual([
      { status: "ok", reason: "no_score", horizon: null, rows: 1 },
      { status: "ok", reason: "used", horizon: 1, rows: 1 },
      { status: "stale", reason: "no_entry_price", horizon: 1, rows: 1 },
    ]);
  });

  test("leads with the largest reason above 35 %, and throws only if it was asked to", () => {
    const { loss } = align(scores, returns);
    expect(String(loss).split("\n")[0]).toBe(
      "66.7 % of the rows are lost at 1 session, most of them because 1 has no score; look at " +
        "loss.bySession() for sessions without scores.",
    );
    expect(() => align(scores, returns, { maxLoss: 0.5 })).toThrow("it is 0.667");
  });

  test("says how many more sessions of prices would cure what needs later ones", () => {
    const date = ["2026-10-28", "2026-10-29", "2026-10-30"];
    const closes = pl.DataFrame({ date, ticker: ["A", "A", "A"], close: [1, 2, 3] });
    const early = pl.DataFrame({ date: date.slice(0, 2), ticker: ["A", "A"], score: [1, 2] });
    const { loss: lost } = align(early, forwardReturns(closes, { periods: [5] }));
    expect(String(lost).split("\n")[0]).toBe(
      "100.0 % of the rows are lost at 5 sessions, most of them because 2 need later prices; add " +
        "the prices of 5 sessions after 2026-10-30, where yours end.",
    );
  });

  test("counts rows of other statuses only if statuses are given", () => {
    const { loss } = align(scores, returns, { statuses: ["ok"] });
    expect(loss.table.getColumn("reason").toArray()).toEqual([
      "refused_status",
      "no_score",
      "used",
    ]);
  });
});

test("known_at and age are those of the set in force, not of one whose status was refused", () => {
  const at = ["2026-11-24T15:00:00Z", "2026-11-25T15:00:00Z"];
  const sets = setAt(at).withColumns(pl.Series("status", ["complete", "partial"], pl.Utf8));
  const { data } = align(sets, returns, { statuses: ["complete"] });
  const known = data.getColumn("known_at").toArray() as unknown as Date[];
  expect(new Set(known.map((date) => date.toISOString()))).toEqual(
    new Set(["2026-11-24T15:00:00.000Z"]),
  );
  expect(data.getColumn("age").toArray()).toEqual([0, 1, 2, 3, 4]);
});

describe("align() refuses", () => {
  const day = pl.DataFrame({ date: ["2026-11-24"], ticker: ["A"], score: [0.1] });

  test.each([
    ["tickers that are numbers", day.withColumns(pl.Series("ticker", [12])), "must hold text"],
    [
      "tickers that are not priced",
      day.withColumns(pl.Series("ticker", ["X"])),
      "the scores have X, the prices A, B",
    ],
    [
      "dates that are no sessions",
      day.withColumns(pl.Series("date", ["2026-11-26"])),
      "the scores have 2026-11-26",
    ],
    [
      "prices that end before",
      day.withColumns(pl.Series("date", ["2027-01-04"])),
      "they end on 2026-12-01",
    ],
    ["a date and ticker twice", day.vstack(day), "2026-11-25 A repeats"],
    [
      "two definitions",
      day.vstack(day).withColumns(pl.Series("factor_version", ["1", "2"])),
      "got 1 and 2",
    ],
    ["no score", day.drop("score"), "one column of scores is required"],
  ])("%s", (_, scores, message) => {
    expect(() => align(scores, returns)).toThrow(message);
  });

  test("a score that claims to have been known before its check", () => {
    const early = setAt(["2026-11-24T15:00:00Z"], "at").withColumns(
      pl.Series("last_checked_at", [new Date("2026-11-24T15:00:01Z")], pl.Datetime("ms", "UTC")),
    );
    expect(() => align(early, returns)).toThrow("before last_checked_at 2026-11-24T15:00:01.000Z");
  });

  test("an option that it does not have", () => {
    expect(() => align(day, returns, { entyr: "same" } as AlignOptions)).toThrow(
      "did you mean entry?",
    );
  });
});

test("a score that is the return of its session, published one second after the close, shows nothing", () => {
  const random = randomOf(7);
  const names = Array.from({ length: 80 }, (_, i) => `T${100 + i}`);
  const sessions: string[] = [];
  for (let day = Date.UTC(2026, 1, 2); sessions.length < 120; day += 86_400_000) {
    const weekday = new Date(day).getUTCDay();
    if (weekday > 0 && weekday < 6) sessions.push(new Date(day).toISOString().slice(0, 10));
  }
  const last = new Map(names.map((name) => [name, 100]));
  const moves = sessions.flatMap((date) =>
    names.map((ticker) => {
      const before = last.get(ticker)!;
      last.set(ticker, before * (1 + 0.04 * (random() - 0.5)));
      return { date, ticker, close: last.get(ticker)!, score: last.get(ticker)! / before - 1 };
    })
  );
  const prices = pl.DataFrame({
    date: moves.map(({ date }) => date),
    ticker: moves.map(({ ticker }) => ticker),
    close: moves.map(({ close }) => close),
  });
  const publishedAt = (seconds: number) =>
    pl.DataFrame([
      pl.Series(
        "calculated_at",
        // From March the 9th to June, New York closes at 20:00 UTC.
        moves.map(({ date }) =>
          new Date(Date.parse(`${date}T${date < "2026-03-08" ? 21 : 20}:00:00Z`) + 1000 * seconds)
        ),
        pl.Datetime("ms", "UTC"),
      ),
      pl.Series("ticker", moves.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("score", moves.map(({ score }) => score), pl.Float64),
    ]);
  const meanOf = (seconds: number) => {
    const aligned = align(publishedAt(seconds), forwardReturns(prices, { periods: [1] }));
    return informationCoefficient(aligned).getColumn("ic").mean() as number;
  };
  expect(Math.abs(meanOf(1))).toBeLessThan(0.03);
  expect(Math.abs(meanOf(-1))).toBeLessThan(0.03);
});
