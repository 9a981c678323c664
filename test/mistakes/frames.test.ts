import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll } from "vitest";
import * as scoreframe from "../../mod.ts";
import * as analysis from "../../src/analysis/mod.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const { asOf, assertOneVintage, compare, connect, coverage, provenance } =
  scoreframe as unknown as Cell;
const {
  align,
  analyzeFactor,
  combine,
  eventReturns,
  exportPortfolio,
  factorReturns,
  factorWeights,
  famaMacBeth,
  forwardReturns,
  informationCoefficient,
  portfolioReturns,
  positions,
  quantize,
} = analysis as unknown as Cell;

const DATES = ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"];
const TICKERS = ["AAA", "BBB", "CCC"];
const cells = DATES.flatMap((date, d) =>
  TICKERS.map((ticker, t) => ({ date, ticker, close: 10 + d + t, score: d * t / 10 }))
);
const texts = (name: "date" | "ticker", as: string = name) =>
  pl.Series(as, cells.map((cell) => cell[name]), pl.Utf8);
const numbers = (name: "close" | "score", as: string = name) =>
  pl.Series(as, cells.map((cell) => cell[name]), pl.Float64);
const PRICES = pl.DataFrame([texts("date"), texts("ticker"), numbers("close")]);
const SCORES = pl.DataFrame([texts("date"), texts("ticker"), numbers("score")]);
const WEIGHTS = pl.DataFrame([
  texts("date", "session"),
  texts("ticker"),
  numbers("score", "weight"),
]);
const EVENTS = pl.DataFrame({ ticker: ["AAA"], session: ["2026-10-28"] });
const NONE = pl.col("ticker").eq(pl.lit("nobody"));
const ZONE = "expected instants with a time zone in the column at, got ";

/** A column of what pandas calls a timestamp. */
function clock(name: string, times: readonly string[], zone: string | null = null) {
  const own = pl.DataFrame([
    pl.Series(name, times.map((time) => new Date(`${time}Z`)), pl.Datetime("us")),
  ]);
  return (zone === null ? own : own.withColumns(pl.col(name).dt.replaceTimeZone(zone)))
    .getColumn(name);
}

/** A live set, or several where each name has a time of its own. */
function setOf(times: readonly string[] = Array(3).fill("2026-10-26T12:00:00")): DataFrame {
  return pl.DataFrame([
    clock("calculated_at", times, "UTC"),
    pl.Series("ticker", TICKERS, pl.Utf8),
    pl.Series("ecpnd_score", [0.1, 0.2, 0.3], pl.Float64),
    pl.Series("factor", Array(3).fill("ecpnd"), pl.Utf8),
    pl.Series("snapshot_id", Array(3).fill("first"), pl.Utf8),
    pl.Series("status", Array(3).fill("current"), pl.Utf8),
  ]);
}

function releaseOf(sha: string | null, date = "2026-10-26"): DataFrame {
  return pl.DataFrame([
    pl.Series("date", [date], pl.Utf8),
    pl.Series("ticker", ["AAA"], pl.Utf8),
    pl.Series("ecpnd_score", [0.5], pl.Float64),
    pl.Series("download_sha256", [sha], pl.Utf8),
  ]);
}

function decisions(time = "2026-10-27T12:00:00", ticker: string | null = "AAA"): DataFrame {
  return pl.DataFrame([clock("at", [time], "UTC"), pl.Series("ticker", [ticker], pl.Utf8)]);
}

const aligned = (scores: unknown, options: unknown = {}): unknown =>
  align!(scores, forwardReturns!(PRICES, { periods: [1] }), options);
const priced = (scores: unknown): unknown =>
  analyzeFactor!(scores, PRICES, { periods: [1], progress: false });
const around = (events: unknown, options: unknown = {}): unknown =>
  eventReturns!(events, forwardReturns!(PRICES, { periods: [1] }), options);
const grouped = (groups: unknown): unknown => aligned(SCORES, { groups });
const calendar = (open: string, close: string, zone: string | null = "UTC", dates = DATES) => ({
  calendar: pl.DataFrame([
    pl.Series("date", dates, pl.Utf8),
    clock("open_at", dates.map((date) => `${date}T${open}`), zone),
    clock("close_at", dates.map((date) => `${date}T${close}`), zone),
  ]),
});

let folder: string;
let api: Cell;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-frames-"));
  const account = { apiKey: "svc_test_example", baseUrl: "http://127.0.0.1:9" };
  api = await connect!({ ...account, store: join(folder, "store") }) as Cell;
});
afterAll(async () => {
  await api["close"]!();
  await rm(folder, { recursive: true, force: true });
});

/** A file of pandas, read back. */
function fromParquet(frame: DataFrame, name: string): DataFrame {
  frame.writeParquet(join(folder, name));
  return pl.readParquet(join(folder, name));
}

mistakes("times that are brought", {
  "pd.to_datetime without a zone as at": [
    () => aligned(SCORES.withColumns(clock("at", cells.map(({ date }) => `${date}T16:00:00`)))),
    `${ZONE}2026-10-26T16:00:00 without one in row 0; for New York time use frame.withColumns(pl.col("at").dt.replaceTimeZone("America/New_York"))`,
  ],
  "the same to analyzeFactor": [
    () => priced(SCORES.withColumns(clock("at", cells.map(({ date }) => `${date}T16:00:00`)))),
    "without one in row 0",
  ],
  "the same from a Parquet file": [() =>
    aligned(
      fromParquet(
        SCORES.withColumns(clock("at", cells.map(({ date }) => `${date}T16:00:00`))),
        "naive.parquet",
      ),
    ), `${ZONE}2026-10-26T16:00:00 without one`],
  "JavaScript Dates in pl.DataFrame()": [() =>
    aligned(
      pl.DataFrame({ at: [new Date("2026-10-26T20:00:00Z")], ticker: ["AAA"], score: [1] }),
    ), '"UTC" for times from JavaScript Dates'],
  "tz_localize(None) of calculated_at": [() =>
    aligned(
      setOf().drop("calculated_at").withColumns(
        clock("calculated_at", Array(3).fill("2026-10-26T12:00:00")),
      ),
    ), "with a time zone in the column calculated_at, got 2026-10-26T12:00:00"],
  "at as text without an offset": [
    () => aligned(pl.DataFrame({ at: ["2026-10-26 16:00:00"], ticker: ["AAA"], score: [1] })),
    'got the text "2026-10-26 16:00:00" in row 0; add its offset, such as 2026-06-10T16:00:00-04:00',
  ],
  "a date as at": [() =>
    aligned(
      SCORES.rename({ date: "at" }).withColumns(
        pl.Series("at", cells.map(({ date }) => new Date(date)), pl.Date),
      ),
    ), "got Date; a date is not an instant: call the column date"],
  "epoch seconds as milliseconds": [() =>
    aligned(SCORES.withColumns(
      pl.Series("at", cells.map(() => new Date(1_793_030_400)), pl.Datetime("ms", "UTC")),
    )), 'expected instants from 1980 to 2200 in the column at, got "1970-01-21'],
  "epoch nanoseconds as numbers": [
    () => aligned(SCORES.withColumns(pl.Series("at", cells.map(() => 1.79e18), pl.Float64))),
    'got Float64; for epoch milliseconds: pl.col("at").cast(pl.Datetime("ms", "UTC"))',
  ],
  "pd.NaT in at": [
    () =>
      aligned(SCORES.withColumns(pl.Series("at", cells.map(() => null), pl.Datetime("us", "UTC")))),
    "expected an instant in the column at in every row, got null in row 0",
  ],
  "a date with the hour of the close": [
    () => aligned(SCORES.withColumns(clock("date", cells.map(({ date }) => `${date}T16:00:00`)))),
    "expected dates in the column date, got the time 2026-10-26T16:00:00 of no zone in row 0",
  ],
  "midnights of New York in UTC": [
    () =>
      aligned(
        SCORES.withColumns(clock("date", cells.map(({ date }) => `${date}T04:00:00`), "UTC")),
      ),
    'got the time 2026-10-26T04:00:00 of UTC in row 0; for its date in New York: pl.col("date").dt.convertTimeZone',
  ],
  "dates as 10/26/2026": [
    () => aligned(SCORES.withColumns(pl.lit("10/26/2026").alias("date"))),
    'expected dates of the form YYYY-MM-DD in the column date, got "10/26/2026" in row 0',
  ],
  "dates as the number 20261026": [
    () => aligned(SCORES.withColumns(pl.lit(20261026).cast(pl.Int32).alias("date"))),
    'make it text: pl.col("date").cast(pl.Utf8), if its numbers are like 20261030',
  ],
  "scores that say they were known before their set": [
    () => aligned(setOf().withColumns(clock("at", Array(3).fill("2026-10-26T11:00:00"), "UTC"))),
    "got 2026-10-26T11:00:00.000Z in row 0, before 2026-10-26T12:00:00.000Z",
  ],
  "a Series of naive times for a panel": [
    () => api["panel"]!("ecpnd", { at: clock("at", ["2026-10-26T16:00:00"]) }),
    `Cannot load a panel: ${ZONE}2026-10-26T16:00:00 without one`,
  ],
  "a Series of dates for a panel": [
    () => api["panel"]!("ecpnd", { at: pl.Series("date", [new Date("2026-10-26")], pl.Date) }),
    "a date is not an instant: call the column date, or use the closes of sessions()",
  ],
  "a naive calendar": [
    () => aligned(setOf(), calendar("09:30:00", "16:00:00", null)),
    "with a time zone in the column open_at, got 2026-10-26T09:30:00",
  ],
  "a calendar of two days for five": [
    () => aligned(setOf(), calendar("13:30:00", "20:00:00", "UTC", DATES.slice(0, 2))),
    "got NaN for 2026-10-28; add the session to the calendar",
  ],
  "a calendar that closes before it opens": [
    () => aligned(setOf(), calendar("20:00:00", "13:30:00")),
    "which opens before it closes, got 2026-10-26 that closes first in row 0",
  ],
  "a calendar with a day twice": [
    () => aligned(setOf(), calendar("13:30:00", "20:00:00", "UTC", [...DATES, ...DATES])),
    "expected a calendar with each session once",
  ],
  "NYSE for a calendar of align": [
    () => aligned(setOf(), { calendar: "NYSE" }),
    'Cannot call align() with calendar: expected a DataFrame, got "NYSE"',
  ],
  "fifteen minutes as delayMs: 15": [
    () => aligned(setOf(), { delayMs: 15 }),
    "expected delayMs to be milliseconds in whole minutes, up to 31 days, such as 15 * 60_000",
  ],
  "delayMinutes of align": [
    () => aligned(setOf(), { delayMinutes: 15 }),
    'got "delayMinutes"; did you mean delayMs?',
  ],
  "delayMinutes of a panel": [
    () => api["panel"]!("ecpnd", { sessions: { from: DATES[0], to: DATES[1] }, delayMinutes: 15 }),
    "did you mean delayMs?",
  ],
  "a day in seconds as delayMs": [
    () => aligned(setOf(), { delayMs: 86_400 }),
    "86,400 seconds are a day: 86_400_000",
  ],
  "a day in milliseconds for scores that are dated by day": [
    () => aligned(SCORES, { delayMs: 86_400_000 }),
    "expected a delay in sessions, because the scores are dated by day, got delayMs: 86400000; write delay: 1",
  ],
  "a delay of 900,000 minutes": [
    () => aligned(setOf(), { delayMs: 900_000 * 60_000 }),
    "expected delayMs to be milliseconds in whole minutes, up to 31 days",
  ],
});

mistakes("scores that are brought", {
  "a filter that leaves nothing": [
    () => aligned(SCORES.filter(NONE)),
    "Cannot align scores: expected at least one row of scores, got none; check the filter or the file",
  ],
  "the same to analyzeFactor()": [() => priced(SCORES.filter(NONE)), "at least one row of scores"],
  "scores of nobody but nulls": [
    () => priced(SCORES.withColumns(pl.lit(null).cast(pl.Float64).alias("score"))),
    "15 have no score (100.0%)",
  ],
  "scores of nobody but NaN": [
    () => aligned(SCORES.withColumns(pl.lit(NaN).alias("score"))),
    "15 have no score (100.0%)",
  ],
  "infinite scores of a division by zero": [
    () => aligned(SCORES.withColumns(pl.lit(Infinity).alias("score"))),
    "expected finite numbers in the column score, got Infinity",
  ],
  "scores as text": [
    () => aligned(SCORES.withColumns(pl.col("score").cast(pl.Utf8))),
    "expected the column score to hold numbers, got String",
  ],
  "tickers that were read as numbers": [
    () => aligned(SCORES.withColumns(pl.lit(12).cast(pl.Int32).alias("ticker"))),
    "a ticker that was read as a number lost its form",
  ],
  "tickers in small letters": [
    () => aligned(SCORES.withColumns(pl.col("ticker").str.toLowerCase())),
    "the scores have aaa, bbb, ccc, the prices AAA, BBB, CCC",
  ],
  "a ticker that is null": [
    () => aligned(SCORES.withColumns(pl.lit(null).cast(pl.Utf8).alias("ticker"))),
    "expected a ticker in every row",
  ],
  "the same rows twice by a careless concat": [
    () => aligned(pl.concat([SCORES, SCORES])),
    "expected one row per session and ticker, got several for 2026-10-27 AAA; drop duplicates",
  ],
  "Saturdays": [() =>
    aligned(
      pl.DataFrame({ date: ["2026-10-26", "2026-10-31"], ticker: ["AAA", "AAA"], score: [1, 2] }),
    ), "1 has a date that is not a session of the prices (50.0%)"],
  "a set and a release one below the other": [
    () => aligned(pl.concat([setOf(), releaseOf("aaa")], { how: "diagonal" })),
    "expected live score sets or a release, got rows of both",
  ],
  "two releases one below the other": [
    () => aligned(pl.concat([releaseOf("aaa"), releaseOf("bbb", "2026-10-27")])),
    "expected rows of one download_sha256, got aaa, bbb",
  ],
  "a release below one that lost its provenance": [
    () => aligned(pl.concat([releaseOf("aaa"), releaseOf(null, "2026-10-27")])),
    "got 1 scored rows without the snapshot_id or download_sha256 that the others have",
  ],
  "a release that lost its provenance, alone": [
    () => priced(releaseOf(null).drop("download_sha256")),
    "neither snapshot_id nor download_sha256",
  ],
  "a status in capitals": [
    () => aligned(setOf(), { statuses: ["Current"] }),
    'got "Current"; did you mean "current"?',
  ],
  "a status that no row has": [
    () => aligned(setOf(), { statuses: ["stale"] }),
    "expected a status that rows have, got stale; they have current",
  ],
  "no status at all": [
    () => aligned(setOf(), { statuses: [] }),
    "expected statuses to be an array of statuses, got an empty array",
  ],
  "maxLoss in percent": [
    () => aligned(SCORES, { maxLoss: 35 }),
    "expected maxLoss to be a number from 0 to 1, got 35",
  ],
  "half a session": [
    () => aligned(setOf(), { maxAgeSessions: 2.5 }),
    "expected maxAgeSessions to be a whole number of at least 0, got 2.5",
  ],
  "maxAge of align": [
    () => aligned(setOf(), { maxAge: 5 }),
    'got "maxAge"; did you mean maxAgeSessions?',
  ],
  "a time of its own for each name": [
    () => aligned(setOf(["2026-10-26T12:00:00", "2026-10-26T12:00:01", "2026-10-26T12:00:02"])),
    "2 were superseded before they could be used (66.7%)",
  ],
  "scores instead of their alignment": [
    () => informationCoefficient!(SCORES),
    "expected the column session, got date, ticker, score",
  ],
  "return_1D as alphalens has it": [() =>
    informationCoefficient!(
      WEIGHTS.rename({ weight: "score" }).withColumns(pl.lit(0.1).alias("1D")),
    ), "expected returns in columns such as return_1, got none; align() joins scores with them"],
  "a regression without returns": [
    () => famaMacBeth!(WEIGHTS.rename({ weight: "score" })),
    "expected returns in columns such as return_1, got none",
  ],
  "an alignment of which a filter left nothing": [
    () => quantize!(WEIGHTS.rename({ weight: "score" }).filter(NONE)),
    "Cannot quantize: expected at least one row of the data, got none",
  ],
});

mistakes("groups that are brought", {
  "a map of some names": [
    () => grouped(pl.DataFrame({ ticker: ["AAA"], group: ["tech"] })),
    "6 have no group and count in statistics over all stocks only",
  ],
  "a map of other names": [
    () => grouped(pl.DataFrame({ ticker: ["AAPL"], group: ["tech"] })),
    "expected groups of tickers that the scores have, got none; compare both: the groups have AAPL",
  ],
  "a map of which a filter left nothing": [
    () => grouped(pl.DataFrame({ ticker: ["AAA"], group: ["tech"] }).filter(NONE)),
    "expected at least one row of the groups, got none",
  ],
  "two groups of a name": [
    () => grouped(pl.DataFrame({ ticker: ["AAA", "AAA"], group: ["tech", "energy"] })),
    "got tech and energy for AAA; give from and to dates that do not overlap",
  ],
  "groups that end before they begin": [() =>
    grouped(
      pl.DataFrame({ ticker: ["AAA"], group: ["x"], from: ["2026-10-30"], to: ["2026-10-26"] }),
    ), "got 2026-10-30 to 2026-10-26 in row 0; swap them"],
  "start and end for from and to": [() =>
    grouped(
      pl.DataFrame({ ticker: ["AAA"], group: ["x"], start: ["2026-10-26"], end: ["2026-10-30"] }),
    ), 'got start, which is not read; groups.rename({ start: "from" })'],
  "groups by day": [
    () => grouped(pl.DataFrame({ date: ["2026-10-26"], ticker: ["AAA"], group: ["x"] })),
    "expected dates of groups in the columns from and to, got date, which is not read",
  ],
  "groups that begin at 26.10.2026": [
    () => grouped(pl.DataFrame({ ticker: ["AAA"], group: ["x"], from: ["26.10.2026"] })),
    'in the column from, got "26.10.2026" in row 0',
  ],
  "neutrality without groups": [
    () => factorWeights!(aligned(SCORES), { neutral: "group" }),
    "expected groups, got data without; give align() a frame of groups",
  ],
});

mistakes("weights that are brought", {
  "the same weights twice by a careless concat": [
    () => positions!(pl.concat([WEIGHTS, WEIGHTS]), { holding: 1 }),
    "expected one weight per session and ticker, got 2026-10-26 AAA again in row 15",
  ],
  "a NaN of an empty side": [
    () => portfolioReturns!(aligned(SCORES), WEIGHTS.withColumns(pl.lit(NaN).alias("weight"))),
    "expected a weight in every row, got null or NaN for 2026-10-26 AAA in row 0",
  ],
  "a null of a left join": [() =>
    factorReturns!(
      aligned(SCORES),
      WEIGHTS.withColumns(pl.lit(null).cast(pl.Float64).alias("weight")),
    ), "drop the row of a stock that is not held, or make it 0"],
  "weights of which a filter left nothing": [
    () => exportPortfolio!(aligned(SCORES), WEIGHTS.filter(NONE)),
    "expected at least one row of weights, got none",
  ],
  "weights of a Saturday": [() =>
    portfolioReturns!(
      aligned(SCORES),
      pl.DataFrame({ session: ["2026-10-31"], ticker: ["AAA"], weight: [1] }),
    ), "expected weights of sessions and tickers of the data, got 2026-10-31 AAA in row 0"],
  "a pivot table of weights": [
    () => positions!(pl.DataFrame({ session: DATES, AAA: [1, 1, 1, 1, 1] }), { holding: 1 }),
    "expected the column ticker, got session, AAA",
  ],
  "weights as text": [
    () => positions!(WEIGHTS.withColumns(pl.col("weight").cast(pl.Utf8)), { holding: 1 }),
    "expected the column weight to hold numbers, got String",
  ],
  "a weight of a column that is NaN": [
    () => combine!(aligned(SCORES), { on: ["score"], weights: [NaN] }),
    "expected weights to be numbers other than 0",
  ],
});

mistakes("events that are brought", {
  "events that a filter dropped": [() => around(EVENTS.filter(NONE)), "at least one row of events"],
  "events of a naive clock": [
    () => around(EVENTS.withColumns(clock("at", ["2026-10-28T16:05:00"]))),
    `Cannot average returns around events: ${ZONE}2026-10-28T16:05:00 without one`,
  ],
  "date for session": [
    () => around(EVENTS.rename({ session: "date" })),
    "expected the column session, got ticker, date",
  ],
  "prices instead of their returns": [
    () => eventReturns!(EVENTS, PRICES),
    "call eventReturns(events, forwardReturns(prices, { periods: [1] }))",
  ],
  "a window from -5": [
    () => around(EVENTS, { before: -5 }),
    "expected before to be a whole number from 0 to 10,000, got -5",
  ],
  "events of others": [
    () => around(pl.DataFrame({ ticker: ["XXX"], session: ["2026-10-28"] })),
    "expected events in sessions and tickers of the prices, got none",
  ],
});

mistakes("decisions and vintages that are brought", {
  "decisions of a naive clock": [
    () => asOf!(setOf(), decisions().drop("at").withColumns(clock("at", ["2026-10-27T12:00:00"]))),
    `Cannot join scores to decisions: ${ZONE}2026-10-27T12:00:00 without one`,
  ],
  "decisions of a day": [() =>
    asOf!(
      setOf(),
      pl.DataFrame([
        pl.Series("date", [new Date("2026-10-27")], pl.Date),
        pl.Series("ticker", ["AAA"], pl.Utf8),
      ]),
      { decisionColumn: "date" },
    ), "got Date; a date is not an instant"],
  "a slip in the ticker of a decision": [
    () => asOf!(setOf(), decisions("2026-10-27T12:00:00", "AAAA")),
    "asOf(): 1 of 1 decisions have no score, because no set of the scores has their ticker: AAAA",
  ],
  "a decision without a ticker": [
    () => asOf!(setOf(), decisions("2026-10-27T12:00:00", null)),
    "expected decisions with a ticker in every row, got row 0 without",
  ],
  "a decision a year after the last set": [
    () => asOf!(setOf(), decisions("2027-10-26T12:00:00")),
    "the latest known set is more than 7 days old at 1 of 1 decisions, 365.0 days at most",
  ],
  "a year after, with a limit": [
    () => asOf!(setOf(), decisions("2027-10-26T12:00:00"), { maxAgeMs: 3 * 86_400_000 }),
    "1 of 1 decisions have no score, because the latest set was older than maxAgeMs allows, 365.0 days",
  ],
  "three days as maxAgeMs: 3": [
    () => asOf!(setOf(), decisions(), { maxAgeMs: 3 }),
    "such as 3 * 86_400_000, and no number of minutes or days, got 3",
  ],
  "tolerance as text": [
    () => asOf!(setOf(), decisions(), { maxAgeMs: "3d" }),
    'such as 3 * 86_400_000, and no number of minutes or days, got "3d"',
  ],
  "maxAge of asOf": [() => asOf!(setOf(), decisions(), { maxAge: 1 }), "did you mean maxAgeMs?"],
  "decisions of which a filter left nothing": [
    () => asOf!(setOf(), decisions().filter(NONE)),
    "expected at least one row of decisions, got none",
  ],
  "two scores of one set and name": [() =>
    asOf!(
      pl.concat([setOf(), setOf().withColumns(pl.lit(0.9).alias("ecpnd_score"))]),
      decisions(),
    ), "expected one score per set and ticker, got AAA with 0.1 in row 0 and 0.9 in row 3"],
  "scores and decisions exchanged": [
    () => asOf!(decisions(), setOf()),
    "expected scores with the column last_checked_at or calculated_at, got the columns at, ticker",
  ],
  "the later of two sets as the earlier one": [
    () => compare!(setOf(Array(3).fill("2026-10-27T12:00:00")), setOf()),
    "so that changes run backwards; write compare(after, before)",
  ],
  "a set against a day of a release": [
    () => compare!(setOf(), releaseOf("aaa")),
    "got live sets and a release; mixed: true allows the comparison",
  ],
  "the same without provenance": [
    () =>
      compare!(setOf().select("ticker", "ecpnd_score"), releaseOf(null).drop("download_sha256")),
    "got scores without a date and a release",
  ],
  "two frames that do not say where they come from": [
    () =>
      compare!(setOf().select("ticker", "ecpnd_score"), setOf().select("ticker", "ecpnd_score")),
    "have neither snapshot_id nor download_sha256, so live sets and a release cannot be distinguished",
  ],
  "a comparison of which a filter left nothing": [
    () => compare!(setOf().filter(NONE), setOf()),
    "expected at least one row of the earlier scores, got none",
  ],
  "a release twice for its coverage": [
    () => coverage!(pl.concat([releaseOf("aaa"), releaseOf("bbb")])),
    "expected one row for each date and ticker, got several on 2026-10-26",
  ],
  "the vintage of rows that lost theirs": [() =>
    assertOneVintage!(
      pl.concat([releaseOf("aaa"), releaseOf(null)]).withColumns(pl.lit("ecpnd").alias("factor")),
    ), "expected a snapshot_id or download_sha256 in every scored row, got 1 row without one"],
  "the vintage of nothing": [
    () => assertOneVintage!(setOf().filter(NONE)),
    "expected at least one row of the frame, got none",
  ],
  "the provenance of own scores": [
    () => provenance!(SCORES),
    "expected one of the columns factor, factor_version",
  ],
});
