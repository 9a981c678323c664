import pl, { type DataFrame } from "nodejs-polars";
import * as analysis from "../../src/analysis/mod.ts";

type Call = (...given: unknown[]) => unknown;

/** Public functions of the analysis, as a cell calls them. */
export const FUNCTIONS = Object.fromEntries(
  Object.entries(analysis).filter(([name, value]) =>
    typeof value === "function" && /^[a-z]/.test(name)
  ),
) as unknown as Readonly<Record<string, Call>>;

const SESSIONS = 24;
const TICKERS = 5;
const cells = Array.from({ length: SESSIONS * TICKERS }, (_, i) => ({
  day: Math.floor(i / TICKERS),
  name: i % TICKERS,
}));
// Weekdays from 2026-03-02 on, which are sessions.
const dayOf = (day: number) => new Date(Date.UTC(2026, 2, 2 + 7 * Math.floor(day / 5) + day % 5));
const column = (name: string, type: pl.DataType, read: (day: number, name: number) => unknown) =>
  pl.Series(name, cells.map((cell) => read(cell.day, cell.name)), type);

const session = column("session", pl.Date, dayOf);
const date = column("date", pl.Date, dayOf);
const ticker = column("ticker", pl.Utf8, (_, name) => `T${name}`);
const score = column("score", pl.Float64, (day, name) => Math.sin(day * day + 3 * name));
const size = column("size", pl.Float64, (day, name) => Math.cos(day + name * name));
const group = column("group", pl.Utf8, (_, name) => name % 2 === 0 ? "a" : "b");
const horizon = column("horizon", pl.Int32, () => 1);

const series = (name: string) =>
  pl.DataFrame([
    pl.Series("session", Array.from({ length: SESSIONS }, (_, day) => dayOf(day)), pl.Date),
    pl.Series("horizon", Array(SESSIONS).fill(1), pl.Int32),
    pl.Series(
      name,
      Array.from({ length: SESSIONS }, (_, day) => Math.sin(7 * day) / 10),
      pl.Float64,
    ),
  ]);

const money = (name: string) => series(name).rename({ session: "date" });
const noisy = series("ic").withColumns(
  pl.Series("ic", Array.from({ length: SESSIONS }, (_, day) => Math.cos(day * day))),
);
const prices = pl.DataFrame([
  date,
  ticker,
  column("close", pl.Float64, (day, name) => 100 + 10 * Math.cos(day + 5 * name)),
]);
const scores = pl.DataFrame([date, ticker, score]);
const data = pl.DataFrame([
  ...[session, ticker, score, size, group],
  column("return_1", pl.Float64, (day, name) => Math.cos(day * name + day) / 50),
  column("return_5", pl.Float64, (day, name) => Math.cos(day * name) / 20),
]);
const weights = pl.DataFrame([
  session,
  ticker,
  column("weight", pl.Float64, (_, n) => (n - 2) / 6),
]);
const buckets = pl.DataFrame([
  ...[session, horizon],
  column("quantile", pl.Int32, (_, name) => name + 1),
  column("return", pl.Float64, (day, name) => Math.sin(day * day * name) / 50),
]);
const decay = pl.DataFrame([
  session,
  column("lag", pl.Int32, (_, name) => name + 1),
  column("ic", pl.Float64, (day, name) => Math.sin(day * day * name) / 50),
]);
const traded = series("return").withColumns(pl.lit(0.1).alias("traded"));
const trades = traded.withColumns(pl.lit(1e-7).alias("impact"), pl.lit(1e6).alias("capital_limit"));
const volumes = data.select("session", "ticker").withColumns(
  pl.lit(10).alias("close"),
  pl.lit(1000).alias("volume"),
  pl.lit("none").alias("adjusted"),
);
const events = pl.DataFrame({ session: ["2026-03-16", "2026-03-18"], ticker: ["T1", "T2"] });
const returns = analysis.forwardReturns(prices, { periods: [1, 5] });
const aligned = analysis.align(scores, returns);
const quantized = data.withColumns(column("quantile", pl.Int32, (_, name) => name + 1));
const quick = { progress: false, lags: [1, 2], periods: [1] };

/** A call of each function that answers. */
export const ANSWERED: Readonly<Record<string, readonly unknown[]>> = {
  adjustPValues: [[0.1, 0.2, null], "holm"],
  align: [scores, returns, {}],
  alphaBeta: [money("return"), money("return"), {}],
  analyzeFactor: [scores, prices, quick],
  backtestOverfitting: [{ a: series("ic"), b: noisy }, { blocks: 4 }],
  bestOf: [{ a: series("ic"), b: noisy }, { draws: 99 }],
  combine: [data, { on: ["score", "size"] }],
  factorCoverage: [data],
  cumulativeReturns: [series("return"), {}],
  doubleSort: [data, { first: "score", second: "size" }],
  drawdowns: [series("return"), {}],
  eventReturns: [events, returns, {}],
  exportPortfolio: [data, weights],
  factorCorrelation: [data, ["score", "size"], {}],
  factorReturns: [data, weights, {}],
  factorWeights: [data, {}],
  famaMacBeth: [data, { on: ["score"] }],
  forwardReturns: [prices, { periods: [1, 5] }],
  halfLife: [decay],
  holdingPeriods: [data, weights, { holding: [1, 2] }],
  informationCoefficient: [data, {}],
  informationSummary: [series("ic"), {}],
  informationTable: [series("ic")],
  judgement: [await analysis.analyzeFactor(scores, prices, quick), {}],
  // Texts would be folders.
  trialLog: [],
  meanReturnByQuantile: [quantized, {}],
  monotonicity: [buckets, {}],
  neutralReturns: [data, data, { on: ["size"] }],
  calendarReturns: [traded.rename({ session: "date" }), {}],
  cumulativeNetReturns: [traded, {}],
  orthogonalize: [data, ["size"]],
  performance: [series("return"), {}],
  activePerformance: [money("return"), money("return"), {}],
  permutationTest: [data, {}],
  probeLookAhead: [() => prices, { prices }, { times: { prices: "date" } }],
  reconcile: [scores, scores, { periods: [1] }],
  portfolioExposures: [weights, data, { on: ["size"] }],
  portfolioReturns: [data, weights, {}],
  positions: [weights, { holding: 2 }],
  quantileSpread: [quantized, {}],
  quantileStatistics: [quantized],
  quantileTurnover: [quantized, {}],
  cumulativeQuantileReturns: [quantized],
  quantize: [data, {}],
  rankAutocorrelation: [data, {}],
  rollingMean: [series("ic"), {}],
  specificationCurve: [scores, prices, {
    ...{ horizons: [1], correlation: ["spearman"], winsor: [0], buckets: [0], draws: 99 },
  }],
  stability: [series("ic"), {}],
  tradingCosts: [traded, {}],
  tradeLiquidity: [data, weights, volumes, {}],
  capacity: [trades, {}],
  marketRegimes: [data, {}],
  winsorize: [data, {}],
  changes: [scores, { sessions: 1 }],
  neutralize: [data, { group: "group", on: ["size"] }],
};

/** Names that options of any function have. */
export const OPTIONS = [
  ...["periods", "quantiles", "bins", "minNames", "lags", "oneWayBps", "trialLog", "signal"],
  ...["progress", "entry", "delayMs", "groups", "calendar", "statuses", "maxAgeSessions"],
  ...[
    "returns",
    "score",
    "frequency",
    "periodsPerYear",
    "inference",
    "against",
    "oneSession",
    "what",
  ],
  ...["of", "method", "by", "groupNeutral", "form", "compat", "ties", "subset", "top", "bottom"],
  ...["gross", "period", "names", "weighting", "neutral", "holding", "missing", "ended", "price"],
  ...["entryLag", "sessions", "first", "second", "kind", "on", "transform", "before", "after"],
  ...["abnormal", "bootstrap", "window", "draws", "seed", "path", "weights", "bySession", "within"],
  ...["date", "ticker", "close", "limits", "demean", "value", "variants", "edges", "trials"],
  ...["studentize", "sides", "level", "block", "blocks"],
  ...["horizons", "correlation", "winsor", "buckets", "times", "time", "curve", "reconciled"],
];

/** Values of other kinds. */
export const HOSTILE: readonly unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1, 5, 2.5, NaN, Infinity, -Infinity, 1e300, 10n],
  ...["", "x", "ic", "score", "5D", "2026-01-01", [], [0], [1], ["5D"], [null], [NaN], [1, 5], [[
    1,
  ]]],
  ...[{}, { a: 1 }, { columns: 5 }, { columns: ["session"] }, { dense: {} }, { dense: null }],
  ...[{ dense: { scores: new Float64Array(2) } }, { length: 3 }, { method: "x" }, { method: null }],
  ...[
    new Map(),
    new Set([1]),
    new Date(),
    new Date(NaN),
    /x/,
    Symbol("x"),
    () => 1,
    Promise.resolve(1),
  ],
  ...[new Error("x"), new Float64Array(3), new Uint8Array(2), Object.create(null)],
  ...[
    pl.DataFrame(),
    pl.Series("x", [1]),
    pl.col("x"),
    scores,
    prices,
    data,
    weights,
    buckets,
    returns,
  ],
  ...[aligned, events, data.lazy(), data.groupBy("session"), new Proxy({}, {}), "x".repeat(5000)],
];

/** What frames lack, or have too much of. */
export const SPOILT: readonly ((frame: DataFrame, name: string) => unknown)[] = [
  (frame, name) => frame.drop(name),
  (frame, name) => frame.rename({ [name]: `${name}_x` }),
  (frame, name) => frame.withColumns(pl.lit(null).alias(name)),
  (frame, name) => frame.withColumns(pl.lit("x").alias(name)),
  (frame, name) => frame.withColumns(pl.lit(NaN).alias(name)),
  (frame, name) => frame.withColumns(pl.lit(1).alias(name)),
  (frame, name) => frame.withColumns(pl.lit(true).alias(name)),
  (frame, name) => frame.withColumns(pl.lit(1e300).alias(name)),
  (frame, name) => frame.withColumns(pl.col(name).cast(pl.Utf8).alias(name)),
  (frame, name) => frame.withColumns(pl.col(name).cast(pl.Utf8).cast(pl.Categorical).alias(name)),
  (frame, name) => frame.withColumns(pl.col(name).shift(3).alias(name)),
  (frame) => frame.head(0),
  (frame) => frame.head(1),
  (frame) => pl.concat([frame, frame]),
  (frame) => frame.toRecords(),
  (frame) => frame.toObject(),
  (frame) => frame.lazy(),
];
