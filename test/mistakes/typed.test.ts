import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll } from "vitest";
import * as scoreframe from "../../mod.ts";
import * as analysis from "../../src/analysis/mod.ts";
import * as charts from "../../src/report/chart/mod.ts";
import * as datasets from "../../src/desk/dataset/mod.ts";
import * as sheets from "../../src/report/sheet/mod.ts";
import * as worlds from "../../src/server/world/mod.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES, sampleAnalysis } from "../helpers/sample_analysis.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const {
  connect,
  demo,
  openStudy,
  exportRelease,
  provenance,
  compare,
  asOf,
  sessions,
  sessionClose,
} = scoreframe as unknown as Cell;
const { align, analyzeFactor, forwardReturns } = analysis as unknown as Cell;
const { icChart, plot } = charts as unknown as Cell;
const { tearSheet } = sheets as unknown as Cell;
const { exportDataset, openDataset } = datasets as unknown as Cell;
const { buildWorld } = worlds as unknown as Cell;

const ACCOUNT = { apiKey: "svc_test_example", baseUrl: "http://127.0.0.1:9" };
const { prices } = SAMPLE_MARKET;
const FRAME = pl.DataFrame([
  pl.Series("ticker", ["BARL"], pl.Utf8),
  pl.Series("x", [1], pl.Float64),
]);
// A notebook has no compiler: what is typed there is anything.
const x = pl.col("x") as unknown as number;
const frame = FRAME as unknown as number;
const OPERATOR = 'Cannot apply an operator to the expression col("x"): expected a method, got ';
const NEW_YORK =
  'without a time zone; add Z for UTC, as in "2026-11-19T15:00:00Z", or the offset, as in "2026-11-19T15:00:00-05:00" for New York';

let folder: string;
let api: Cell;
let chart: Cell;
let sheet: Cell;
let result: unknown;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-typed-"));
  await mkdir(join(folder, "taken.png"));
  api = await connect!({ ...ACCOUNT, store: join(folder, "store") }) as Cell;
  result = await sampleAnalysis();
  chart = icChart!(result) as Cell;
  sheet = tearSheet!(result) as Cell;
});
afterAll(async () => {
  await api["close"]!();
  await rm(folder, { recursive: true, force: true });
});

/** A verb of a connection, which exists once the tests run. */
function scores(options: unknown): unknown {
  return api["scores"]!("ecpnd", options);
}

function grouped(groups: unknown): unknown {
  return align!(SAMPLE_SCORES, forwardReturns!(prices), { entry: "same", groups });
}

/** What a promise that nobody awaits gives to whoever reads it. */
function unawaited(promise: unknown, name: string): unknown {
  (promise as Promise<unknown>).catch(() => {});
  return (promise as Record<string, unknown>)[name];
}

mistakes("what is typed to connect", {
  "token for apiKey": [
    () => connect!({ token: "x" }),
    'got "token"; did you mean apiKey? such as { apiKey: "svc_live_…" }',
  ],
  "api_key for apiKey": [() => connect!({ api_key: "x" }), 'got "api_key"; did you mean apiKey?'],
  "host for baseUrl": [() => connect!({ host: "x" }), 'got "host"; did you mean baseUrl?'],
  "timeout for timeoutMs": [
    () => connect!({ ...ACCOUNT, timeout: 5 }),
    'got "timeout"; did you mean timeoutMs?',
  ],
  "retries for maxRetries": [
    () => connect!({ ...ACCOUNT, retries: 5 }),
    'got "retries"; did you mean maxRetries?',
  ],
  "an address that is none of the web": [
    () => connect!({ ...ACCOUNT, baseUrl: "ftp://x" }),
    'expected an http or https address, got "ftp://x"',
  ],
  "the version in the address": [
    () => connect!({ ...ACCOUNT, baseUrl: "https://x.example/v1" }),
    "expected an address without /v1, which the client adds",
  ],
  "an empty key": [
    () => connect!({ apiKey: "", baseUrl: "https://x.example" }),
    "expected an API key, got none; set SCOREFRAME_API_KEY",
  ],
  "a number for the store": [
    () => connect!({ ...ACCOUNT, store: 5 }),
    "expected store to be text, got 5",
  ],
  "a verb of a connection without await": [
    () => unawaited(connect!({}), "scores"),
    "expected a connection, got the promise of one; await it first: const api = await connect()",
  ],
  "a verb of a demo without await": [
    () => unawaited(demo!({ size: "big" }), "scores"),
    "got the promise of one; await it first: const api = await demo()",
  ],
  "another size of a demo": [
    () => demo!({ size: "big" }),
    'expected size to be "small" or "full", got "big"',
  ],
  "tickers of a demo as a list": [
    () => demo!({ tickers: ["AAPL"] }),
    "expected tickers to be a whole number from 1 to 20,000, got [",
  ],
  "a world without a folder": [
    () => buildWorld!({ seed: 1 }),
    "expected the path of a folder, got an object with the fields seed",
  ],
});

mistakes("what is typed to load", {
  "no factor": [() => api["scores"]!(), 'expected factor to be "ecpnd" or "ecqdi", got nothing'],
  "a factor in capitals": [
    () => api["scores"]!("ECPND"),
    'got "ECPND" (invalid_factor); did you mean "ecpnd"?',
  ],
  "a factor with a slip": [
    () => api["scores"]!("ecpdn"),
    'got "ecpdn" (invalid_factor); did you mean "ecpnd"?',
  ],
  "both factors": [
    () => api["scores"]!(["ecpnd", "ecqdi"]),
    "got an array of 2 (invalid_factor); load one at a time",
  ],
  "a list for ticker": [
    () => scores({ ticker: ["BARL", "XQA"] }),
    'expected ticker to be text such as "BRK.B", got an array of 2; use tickers for several, such as { tickers: ["BRK.B", "NA"] }',
  ],
  "a text for tickers": [
    () => scores({ tickers: "BARL" }),
    'expected tickers to be an array of tickers such as ["BRK.B"], got "BARL"',
  ],
  "a ticker in small letters": [
    () => scores({ ticker: "barl" }),
    'got "barl" (invalid_request); did you mean "BARL"?',
  ],
  "symbol for ticker": [() => scores({ symbol: "BARL" }), 'got "symbol"; did you mean ticker?'],
  "symbols for tickers": [
    () => scores({ symbols: ["BARL"] }),
    'got "symbols"; did you mean tickers?',
  ],
  "date for at": [
    () => scores({ date: "2026-11-19" }),
    'got "date"; did you mean at? such as { at: "2026-11-19T15:00:00Z" }',
  ],
  "asof for at": [() => scores({ asof: "2026-11-19" }), 'got "asof"; did you mean at?'],
  "an instant without a zone": [() => scores({ at: "2026-11-19T15:00:00" }), NEW_YORK],
  "an instant as pandas prints it": [() => scores({ at: "2026-11-19 15:00:00" }), NEW_YORK],
  "an instant with a zone as pandas prints it": [
    () => scores({ at: "2026-11-19 15:00:00+00:00" }),
    'use "2026-11-19T15:00:00+00:00"',
  ],
  "an instant without seconds": [
    () => scores({ at: "2026-11-19T15:00Z" }),
    'use "2026-11-19T15:00:00Z"',
  ],
  "an offset without its colon": [
    () => scores({ at: "2026-07-01T15:00:00-0400" }),
    'use "2026-07-01T15:00:00-04:00"',
  ],
  "a naive instant of summer": [
    () => scores({ at: "2026-07-01T15:00" }),
    'as in "2026-07-01T15:00:00-04:00" for New York',
  ],
  "a plain date and time": [
    () => scores({ at: Temporal.PlainDateTime.from("2026-11-19T15:00:00") }),
    NEW_YORK,
  ],
  "a date for an instant": [
    () => scores({ at: "2026-11-19" }),
    'got the date 2026-11-19 without a time; use sessionClose("2026-11-19")',
  ],
  "epoch seconds": [
    () => scores({ at: 1795100400 }),
    "got 1795100400; multiply epoch seconds by 1000",
  ],
  "epoch nanoseconds, as pandas counts": [
    () => scores({ at: 1795100400000000000 }),
    "divide epoch nanoseconds by 1,000,000",
  ],
  "a date that is none": [() => scores({ at: new Date("x") }), "got an invalid Date"],
  "null for the latest": [() => scores({ at: null }), "got null; omit it for the latest"],
  "instants of a panel for one load": [
    () => scores({ at: ["2026-11-19T15:00:00Z"] }),
    "got an array of 1; panel() takes several instants",
  ],
  "snapshot_id for snapshotId": [
    () => scores({ snapshot_id: "x" }),
    'got "snapshot_id"; did you mean snapshotId?',
  ],
  "another format": [
    () => scores({ format: "parquet" }),
    'expected format to be "json" or "csv", got "parquet"',
  ],
  "a frame of a load without await": [
    () => unawaited(scores({ at: "2026-11-19T15:00:00Z" }), "filter"),
    'expected a frame, got the promise of one; await it first: (await api.scores("ecpnd")).filter',
  ],
  "one instant for a panel": [
    () => api["panel"]!("ecpnd", { at: "2026-11-19T15:00:00Z" }),
    "expected at to be an array or a Series of instants",
  ],
  "start and end of a panel": [
    () => api["panel"]!("ecpnd", { start: "2026-11-02", end: "2026-11-19" }),
    'did you mean sessions? such as { sessions: { from: "2026-11-02", to: "2026-11-19" } }',
  ],
  "sessions of a panel the wrong way round": [
    () => api["panel"]!("ecpnd", { sessions: { from: "2026-11-19", to: "2026-11-02" } }),
    "got 2026-11-19 to 2026-11-02; swap them",
  ],
  "freq of a panel": [
    () =>
      api["panel"]!("ecpnd", { sessions: { from: "2026-11-02", to: "2026-11-19" }, freq: "1d" }),
    'got "freq"; did you mean every?',
  ],
  "dates of publications": [
    () => api["publications"]!("ecpnd", { from: "2026-11-18", to: "2026-11-19" }),
    "Cannot use the option from: expected RFC 3339 text",
  ],
  "a verb of a plan": [
    () => api["plan"]!({ verb: "score", factor: "ecpnd" }),
    "expected verb to be one of scores, panel, publications, history",
  ],
  "sessions by start and end": [
    () => sessions!({ start: "2026-11-02", end: "2026-11-19" }),
    'expected "from" to be a date such as "2026-11-19"',
  ],
  "the close of an instant": [
    () => sessionClose!("2026-11-19T15:00:00Z"),
    'expected "date" to be a date such as "2026-11-19"',
  ],
  "the close of a Sunday": [
    () => sessionClose!("2026-11-22"),
    "the nearest sessions are 2026-11-20 before and 2026-11-23 after it",
  ],
  "a study of options": [
    () => openStudy!({ asOf: "2026-11-19T15:00:00Z" }),
    'expected the path of its folder, and then options, got an object with the fields asOf; such as openStudy("./momentum"',
  ],
  "a study of a naive instant": [
    () => openStudy!(join(folder, "s"), { asOf: "2026-11-19T15:00:00" }),
    "Cannot use the option asOf: expected RFC 3339 text",
  ],
});

mistakes("what is typed to Polars", {
  "x > 0.5 in a filter": [() => FRAME.filter((x > 0.5) as never), `${OPERATOR}one of > >= <`],
  "x - 0.5 in a selection": [
    () => FRAME.select((x - 0.5) as never),
    "use .gt, .gtEq, .lt, .ltEq, .sub, .mul, .div",
  ],
  "x + 1": [() => FRAME.select((x + 1) as never), `${OPERATOR}+ or ==`],
  // deno-lint-ignore eqeqeq
  "x == 1": [() => FRAME.filter((x == 1) as never), `${OPERATOR}+ or ==`],
  "two conditions by &": [
    () => FRAME.filter(((pl.col("x").gt(0) as never) & (x as never)) as never),
    "use .gt, .gtEq, .lt, .ltEq, .sub, .mul, .div, .pow, .abs, .and or .or",
  ],
  "np.log as Math.log": [() => FRAME.select(Math.log(x) as never), "or a function of Math"],
  "a boolean mask of a column": [
    () => FRAME.filter(((FRAME.getColumn("x") as unknown as number) > 0.5) as never),
    'such as frame.filter(pl.col("x").gt(0.5))',
  ],
  "a whole frame times two": [
    () => frame * 2,
    "Cannot apply an operator to a frame: expected a method",
  ],
  "a text that is a value": [
    () => FRAME.filter(pl.col("ticker").eq("BARL")),
    'Cannot find the column "BARL": expected one of ticker, x; a string is the name of a column',
  ],
  "a condition as a text": [
    () => FRAME.filter("x > 0.5" as never),
    "conditions are written with methods",
  ],
  "a slip in a column": [() => FRAME.withColumn(pl.col("tikcer")), 'did you mean "ticker"?'],
  "provenance of a path": [
    () => provenance!("scores.parquet"),
    'expected a DataFrame, got "scores.parquet"',
  ],
  "provenance of plain rows": [
    () => provenance!(FRAME),
    "expected one of the columns factor, factor_version",
  ],
  "a comparison with nothing": [
    () => compare!(FRAME),
    "Cannot compare scores: expected a DataFrame, got nothing",
  ],
  "decisions left out": [
    () => asOf!(FRAME),
    "Cannot join scores to decisions: expected a DataFrame, got nothing",
  ],
});

mistakes("what is typed to analyse, draw and ask", {
  "a table of an analysis without await": [
    () => unawaited(analyzeFactor!(FRAME, FRAME), "summary"),
    "expected an analysis, got the promise of one; await it first: const analysis = await analyzeFactor(scores, prices)",
  ],
  "sector for group": [
    () => grouped(pl.DataFrame({ ticker: ["T0"], sector: ["tech"] })),
    'got ticker, sector; rename it: groups.rename({ sector: "group" })',
  ],
  "groups as a vendor names them": [
    () => grouped(pl.DataFrame({ Symbol: ["T0"], "GICS Sector": ["tech"] })),
    'rename them: groups.rename({ Symbol: "ticker", "GICS Sector": "group" })',
  ],
  "groups as a dictionary": [
    () => grouped({ T0: "tech" }),
    'make one of them: pl.DataFrame({ ticker: ["BARL", "XQA"], group: ["tech", "energy"] })',
  ],
  "groups as a Map": [
    () => grouped(new Map([["T0", "tech"]])),
    "Cannot align scores with groups: expected a DataFrame",
  ],
  "groups by the name of a column": [
    () => grouped("sector"),
    'expected a DataFrame, got "sector"; make one of them',
  ],
  "horizons for periods": [
    () => analyzeFactor!(SAMPLE_SCORES, prices, { horizons: [1] }),
    'got "horizons"; did you mean periods?',
  ],
  "bins for quantiles": [
    () => analyzeFactor!(SAMPLE_SCORES, prices, { bins: 10 }),
    'got "bins"; did you mean quantiles?',
  ],
  "a chart of an analysis without await": [
    () => icChart!(sampleAnalysis()),
    "expected an analysis, got the promise of one; await it first",
  ],
  "period for horizon": [
    () => icChart!(result, { period: 5 }),
    'got "period"; did you mean horizon?',
  ],
  "plot without columns": [
    () => plot!(FRAME),
    'expected an object of options, such as { x: "date" }, got nothing',
  ],
  "plot by position": [
    () => plot!(FRAME, "x", "x"),
    'expected an object of options, such as { x: "date" }, got "x"',
  ],
  "kind for mark": [
    () => plot!(FRAME, { x: "x", y: "x", kind: "bar" }),
    'got "kind"; did you mean mark?',
  ],
  "hue for color": [
    () => plot!(FRAME, { x: "x", y: "x", hue: "ticker" }),
    'got "hue"; did you mean color?',
  ],
  "a number among the columns for y": [
    () => plot!(FRAME, { x: "ticker", y: ["x", 5] }),
    "expected y to be",
  ],
  "a number for a title": [
    () => plot!(FRAME, { x: "x", y: "x", title: 5 }),
    "expected title to be text, got 5",
  ],
  "scatter for point": [
    () => plot!(FRAME, { x: "x", y: "x", mark: "scatter" }),
    'expected mark to be one of "point", "line", "bar", "histogram", got "scatter"',
  ],
  "dpi for scale": [() => chart["toPng"]!({ dpi: 300 }), 'got "dpi"; did you mean scale?'],
  "help of a slip": [
    () => api["help"]!("panle"),
    'got "panle" (did you mean "panel"?); help("all") lists all',
  ],
  "help of a number": [
    () => api["help"]!(5),
    "expected a function or a name, such as help(analyzeFactor)",
  ],
});

mistakes("where results are saved to", {
  "a sheet into a folder that is not there": [
    () => sheet["save"]!("nofolder/x.html"),
    'Cannot save a sheet to nofolder/x.html: expected the folder nofolder, got none; make it first: await Deno.mkdir("nofolder", { recursive: true })',
  ],
  "a chart into a folder that is not there": [
    () => chart["save"]!(join(folder, "no", "x.png")),
    "got none; make it first: await Deno.mkdir(",
  ],
  "a chart onto a folder": [
    () => chart["save"]!(join(folder, "taken.png")),
    "expected the path of a file, got that of a folder; add a name",
  ],
  "a chart as EPS": [
    () => chart["save"]!(join(folder, "x.eps")),
    "expected path to be the name of a file that ends with .png, .svg, .pdf, .html, .json",
  ],
  "a sheet as PDF": [
    () => sheet["save"]!("x.pdf"),
    "expected path to be the name of a file that ends with .html",
  ],
  "a part of a sheet that is not there": [
    () => sheet["part"]!("returs"),
    'expected name to be one of "summary", "judgement", "information"',
  ],
  "a release as one CSV": [
    () => exportRelease!(SAMPLE_SCORES, "rel.csv"),
    'expected the path of a folder, in which one Parquet file per year is written, got the name of a file, "rel.csv"; leave its ending out, or write one file by release.writeParquet(path) or release.writeCSV(path)',
  ],
  "a dataset as one Parquet file": [
    () => exportDataset!(prices, "closes.parquet"),
    'got the name of a file, "closes.parquet"; leave its ending out',
  ],
  "a release to nowhere": [
    () => exportRelease!(SAMPLE_SCORES),
    "expected the path of a folder, got nothing",
  ],
  "a dataset that is not there": [
    () => openDataset!(join(folder, "none")),
    "expected a version with files, got none",
  ],
});
