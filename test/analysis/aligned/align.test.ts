import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  type AlignOptions,
  forwardReturns,
  informationCoefficient,
} from "../../../src/analysis/mod.ts";
import { marketSessions, randomOf } from "../_frames.ts";

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

  test("given as texts in a column of dates, once it is called as the error says", () => {
    const texts = pl.DataFrame({ date: ["2026-11-25T15:59:59-05:00"], ticker: ["A"], score: [0] });
    expect(() => sessionsOf(texts)).toThrow('is called at: frame.rename({ date: "at" })');
    expect(sessionsOf(texts.rename({ date: "at" }))[0]).toBe("2026-11-25 0");
  });

  test("after its delay", () => {
    expect(sessionsOf(setAt(["2026-11-25T20:30:00Z"]), { delayMs: 31 * 60_000 })[0]).toBe(
      "2026-11-27 0",
    );
    expect(sessionsOf(setAt(["2026-11-25T20:30:00Z"]), { delayMs: 29 * 60_000 })[0]).toBe(
      "2026-11-25 0",
    );
  });

  test("refuses a delay of minutes, seconds or years", () => {
    const set = setAt(["2026-11-25T20:30:00Z"]);
    for (const delayMs of [15, 900, 90 * 86_400_000, NaN]) {
      expect(() => align(set, returns, { delayMs })).toThrow(`got ${delayMs}`);
    }
    expect(() => align(set, returns, { delayMinutes: 15 } as AlignOptions)).toThrow("delayMs?");
  });

  test("refuses a clock without a zone, which would enter hours before the scores were known", () => {
    // 16:00 on a clock in New York; as UTC it would be 11:00 there, before the close of the same session.
    const clock = setAt(["2026-11-25T16:00:00Z"], "at")
      .withColumns(pl.Series("at", [new Date("2026-11-25T16:00:00Z")], pl.Datetime("us")));
    expect(() => align(clock, returns)).toThrow(/column at, got 2026-11-25T16:00:00 without/);
    expect(
      sessionsOf(clock.withColumns(pl.col("at").dt.replaceTimeZone("America/New_York")))[0],
    ).toBe("2026-11-27 0");
  });

  test("takes a date that pandas keeps as a time at midnight", () => {
    const midnight = pl.DataFrame([
      pl.Series("date", [new Date("2026-11-25")], pl.Datetime("us")),
      pl.Series("ticker", ["A"], pl.Utf8),
      pl.Series("score", [0], pl.Float64),
    ]);
    const plain = midnight.withColumns(pl.col("date").cast(pl.Date));
    expect(sessionsOf(midnight)).toEqual(sessionsOf(plain));
    expect(sessionsOf(midnight.withColumns(pl.col("date").dt.replaceTimeZone("America/New_York"))))
      .toEqual(sessionsOf(plain));
  });

  test("has the age that it has, if it was published before the first price", () => {
    // From Monday the 16th, after the close, there are the sessions of the 17th to the 20th and of the 23rd.
    const { data } = align(setAt(["2026-11-16T22:00:00Z"]), returns);
    expect(data.getColumn("age").toArray().slice(0, 2)).toEqual([5, 6]);
    expect(align(setAt(["2026-11-23T22:00:00Z"]), returns).data.getColumn("age").toArray()[0]).toBe(
      0,
    );
    const loss = (maxAgeSessions: number) =>
      align(setAt(["2026-11-16T22:00:00Z"]), returns, { maxAgeSessions }).loss.table
        .getColumn("reason").toArray();
    expect(loss(4)).toEqual(["expired"]);
    expect(loss(5)).toEqual(["used"]);
    const calendar = pl.DataFrame([
      pl.Series("date", ["2026-11-23", ...SESSIONS], pl.Utf8),
      ...["open_at", "close_at"].map((name, i) =>
        pl.Series(
          name,
          ["2026-11-23", ...SESSIONS].map((day) =>
            new Date(`${day}T${i === 0 ? "09" : "17"}:00:00Z`)
          ),
          pl.Datetime("ms", "UTC"),
        )
      ),
    ]);
    const own = align(setAt(["2026-11-16T22:00:00Z"]), returns, { calendar }).data;
    expect(own.getColumn("age").toArray()[0]).toBe(1);
  });

  test("of two releases, one below the other, is refused, and so is one below sets without provenance", () => {
    const rows = (date: string, sha: string | null) =>
      pl.DataFrame([
        pl.Series("date", [date], pl.Utf8),
        pl.Series("ticker", ["A"], pl.Utf8),
        pl.Series("ecpnd_score", [0.5], pl.Float64),
        pl.Series("download_sha256", [sha], pl.Utf8),
      ]);
    const [first, second] = [rows("2026-11-24", "aaa"), rows("2026-11-25", "bbb")];
    expect(() => align(pl.concat([first, second]), returns)).toThrow(
      "expected rows of one download_sha256, got aaa, bbb",
    );
    expect(() => align(pl.concat([first, rows("2026-11-25", null)]), returns)).toThrow(
      "expected rows of one origin, got 1 scored rows without the snapshot_id or download_sha256",
    );
    const dropped = rows("2026-11-25", null).withColumns(
      pl.lit(new Date("2026-11-25T20:00:00Z")).cast(pl.Datetime("ms", "UTC")).alias("data_through"),
    );
    const mixed = pl.concat([
      first.withColumns(pl.lit(null).cast(pl.Datetime("ms", "UTC")).alias("data_through")),
      dropped,
    ]);
    expect(() => align(mixed, returns)).toThrow(/ of both/);
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
      { status: "stale", reason: "no_entry_price", horizon: null, rows: 1 },
    ]);
  });

  test("leads with the largest reason above 35%, and throws only if it was asked to", () => {
    const { loss } = align(scores, returns);
    expect(String(loss).split("\n")[0]).toBe(
      "66.7% of the rows are lost at 1 session, mainly because 1 has no score; look at " +
        "loss.bySession() for sessions without scores.",
    );
    expect(() => align(scores, returns, { maxLoss: 0.5 })).toThrow("0.667");
  });

  test("says how many more sessions of prices would cure what needs later ones", () => {
    const date = ["2026-10-28", "2026-10-29", "2026-10-30"];
    const closes = pl.DataFrame({ date, ticker: ["A", "A", "A"], close: [1, 2, 3] });
    const early = pl.DataFrame({ date: date.slice(0, 2), ticker: ["A", "A"], score: [1, 2] });
    const { loss: lost } = align(early, forwardReturns(closes, { periods: [5] }));
    expect(String(lost).split("\n")[0]).toBe(
      "100.0% of the rows are lost at 5 sessions, mainly because 2 need later prices; add " +
        "the prices of 5 sessions after 2026-10-30, where yours end.",
    );
    const latest = pl.DataFrame({ date, ticker: ["A", "A", "A"], score: [1, 2, 3] });
    // The score of the last session is entered one session after it.
    expect(String(align(latest, forwardReturns(closes, { periods: [5] })).loss)).toContain(
      "6 sessions after 2026-10-30",
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
    ["tickers that are numbers", day.withColumns(pl.Series("ticker", [12])), "to hold text"],
    [
      "tickers that are not priced",
      day.withColumns(pl.Series("ticker", ["X"])),
      "the scores have X, the prices A, B",
    ],
    [
      "dates that are not sessionss",
      day.withColumns(pl.Series("date", ["2026-11-26"])),
      "the scores have 2026-11-26",
    ],
    [
      "prices that end before",
      day.withColumns(pl.Series("date", ["2027-01-04"])),
      "got prices that end on 2026-12-01",
    ],
    ["a date and ticker twice", day.vstack(day), "got several for 2026-11-25 A"],
    [
      "two definitions",
      day.vstack(day).withColumns(pl.Series("factor_version", ["1", "2"])),
      "got 1, 2",
    ],
    ["no score", day.drop("score"), "expected one column of scores"],
  ])("%s", (_, scores, message) => {
    expect(() => align(scores, returns)).toThrow(message);
  });

  test("a score that claims to have been known before its check", () => {
    const early = setAt(["2026-11-24T15:00:00Z"], "at").withColumns(
      pl.Series("last_checked_at", [new Date("2026-11-24T15:00:01Z")], pl.Datetime("ms", "UTC")),
    );
    expect(() => align(early, returns)).toThrow("in row 0, before 2026-11-24T15:00:01.000Z");
  });

  test("an option that it does not have", () => {
    expect(() => align(day, returns, { entyr: "same" } as AlignOptions)).toThrow("entry?");
  });
});

test("a score that is the return of its session, published one second after the close, shows nothing", () => {
  const random = randomOf(7);
  const names = Array.from({ length: 80 }, (_, i) => `T${100 + i}`);
  const sessions = marketSessions(120);
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
