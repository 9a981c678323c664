import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll } from "vitest";
import * as scoreframe from "../../mod.ts";
import * as analysis from "../../src/analysis/mod.ts";
import * as charts from "../../src/report/chart/mod.ts";
import * as server from "../../src/server/mod.ts";
import * as sheets from "../../src/report/sheet/mod.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const { connect, coverage, demo, interruptible, journalFrame, readPrices } =
  scoreframe as unknown as Cell;
const { align, judgement } = analysis as unknown as Cell;

const KEY = "svc_test_example";
const NOWHERE = { apiKey: KEY, baseUrl: "http://127.0.0.1:9" };
const PRICES = pl.DataFrame([
  pl.Series("date", [new Date("2026-11-19")], pl.Date),
  pl.Series("ticker", ["BARL"], pl.Utf8),
  pl.Series("close", [10], pl.Float64),
]);
const GIVEN = "got a DataFrame with the columns date, ticker, close";

let folder: string;
let api: Cell;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-mistakes-"));
  await writeFile(join(folder, "named.csv"), "Date,Symbol,Close\n2026-11-19,BARL,10\n");
  api = await connect!({ ...NOWHERE, store: join(folder, "store") }) as Cell;
});
afterAll(async () => {
  await api["close"]!();
  await rm(folder, { recursive: true, force: true });
});

mistakes("what everybody types wrongly once is answered with what to type", {
  "key for apiKey": [() => connect!({ key: KEY }), 'got "key"; did you mean apiKey?'],
  "url for baseUrl": [() => connect!({ url: "x" }), 'got "url"; did you mean baseUrl?'],
  "a key instead of options": [
    () => connect!("https://api.example.com"),
    'expected an object of options, such as { apiKey: "svc_live_…" }, got "https://api',
  ],
  "an address without its scheme": [
    () => connect!({ apiKey: KEY, baseUrl: "api.example.com" }),
    'expected an http or https address, got "api.example.com"; ' +
    "did you mean https://api.example.com?",
  ],
  "a size instead of options": [
    () => demo!("small"),
    'expected an object of options, such as { size: "small" }, got "small"',
  ],
  "a time instead of options": [
    () => api["scores"]!("ecpnd", "2026-11-16T15:00:00Z"),
    'expected an object of options, such as { at: "2026-11-19T15:00:00Z" }, got "2026-11-16',
  ],
  "a span of dates for history()": [
    () => api["history"]!("ecpnd", { from: "2026-01-02" }),
    'got the option from; filter the frame, such as scores.filter(pl.col("date").gtEq(pl.lit(new Date("2026-01-02"))))',
  ],
  "the tickers wanted of history()": [
    () => api["history"]!("ecpnd", { tickers: ["AZR"] }),
    'got the option tickers; filter the frame, such as scores.filter(pl.col("ticker").isIn(["BARL"]))',
  ],
  "two factors for history()": [
    () => api["history"]!(["ecpnd", "ecqdi"]),
    "got an array of 2 (invalid_factor); load one at a time",
  ],
  "dates of a panel without sessions": [
    () => api["panel"]!("ecpnd", { from: "2026-11-02", to: "2026-11-19" }),
    'got "from"; it belongs in sessions, such as { sessions: { from: "2026-11-02", to: "2026-11-19" } }',
  ],
  "one factor of a planned panel": [
    () => api["plan"]!({ verb: "panel", factor: "ecpnd" }),
    'got "factor"; did you mean factors?',
  ],
  "the wrong column of a file": [
    () => readPrices!(join(folder, "named.csv"), { date: "Date", ticker: "Tick", close: "Close" }),
    'expected a column "Tick", got the columns Date, Symbol, Close; ' +
    'give the names of yours, such as { ticker: "Symbol" }',
  ],
  "the coverage of other frames": [
    () => coverage!(PRICES),
    "got date, ticker, close; history() returns a release with them",
  ],
  "prices instead of returns": [
    () => align!(PRICES, PRICES),
    `Cannot align scores: expected the result of forwardReturns(), ${GIVEN}; ` +
    "call align(scores, forwardReturns(prices))",
  ],
  "a frame instead of an analysis": [
    () => judgement!(PRICES),
    `Cannot judge: expected the result of analyzeFactor(), ${GIVEN}; ` +
    "await analyzeFactor(scores, prices) gives it",
  ],
  "an analysis that was not awaited": [
    () => judgement!(Promise.resolve()),
    "got a promise; await it first; await analyzeFactor(scores, prices) gives it",
  ],
  "a frame instead of an analysis, for a chart": [
    () => (charts as unknown as Cell)["icChart"]!(PRICES),
    `expected the result of analyzeFactor(), ${GIVEN}`,
  ],
  "a frame instead of an analysis, for a sheet": [
    () => (sheets as unknown as Cell)["tearSheet"]!(PRICES),
    `Cannot make a tear sheet: expected the result of analyzeFactor(), ${GIVEN}`,
  ],
  "a server of nothing": [
    () => (server as unknown as Cell)["createScoreServer"]!(),
    "Cannot make a server: expected a store and an array of accounts, got nothing; such as { store,",
  ],
  "a wait for a number": [() => interruptible!(42), "Cannot wait: expected a promise, got 42"],
  "the journal of a connection": [
    () => journalFrame!({ server: 1 }),
    "Cannot make a frame of a journal: expected the entries of a journal, " +
    "got an object with the fields server; server.journal.entries has them",
  ],
  "options in the place of the factor of a release": [
    () => api["history"]!({ from: "2026-01-01" }),
    'Cannot load the history: expected factor to be "ecpnd" or "ecqdi", got an object with the fields from',
  ],
});
