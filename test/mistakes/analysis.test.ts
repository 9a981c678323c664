import pl from "nodejs-polars";
import * as scoreframe from "../../src/analysis/mod.ts";
import { makeMarket } from "../helpers/market.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const {
  adjustPValues,
  align,
  alphaBeta,
  analyzeFactor,
  combine,
  doubleSort,
  eventReturns,
  factorWeights,
  famaMacBeth,
  forwardReturns,
  halfLife,
  informationCoefficient,
  informationSummary,
  judgement,
  trialLog,
  monotonicity,
  neutralize,
  orthogonalize,
  permutationTest,
  positions,
  quantize,
  stability,
  tradingCosts,
  winsorize,
} = scoreframe as unknown as Cell;

const { scores, prices } = makeMarket(60, (_, noise) => noise);
const quick = { progress: false, lags: [1, 2, 5], periods: [1], entry: "same" };
const analyze = (options: object) => analyzeFactor!(scores, prices, { ...quick, ...options });
// Without the ends of its lines.
const judged = async (analysis: unknown) => String(judgement!(await analysis)).replace(/\s+/g, " ");
const returns = forwardReturns!(prices, { periods: [1, 5] });
const data = (align!(scores, returns) as { data: pl.DataFrame }).data;
const ic = informationCoefficient!(data, {}) as pl.DataFrame;
const portfolio = pl.DataFrame({
  session: ["2026-10-29", "2026-10-30"],
  return: [0.01, 0.02],
  traded: [1, 1],
});
const events = pl.DataFrame({ session: ["2010-01-11"], ticker: ["T1"] });

mistakes("options of an analysis", {
  "a horizon named in the singular": [
    () => analyze({ period: [10] }),
    'got "period"; did you mean periods? such as { periods: [1, 5, 21] }',
  ],
  "no horizon": [
    () => analyze({ periods: [] }),
    "expected periods to be whole numbers of sessions, at least 1, such as [1, 5, 21], got an empty array",
  ],
  "a horizon of 0": [
    () => analyze({ periods: [0] }),
    "expected periods to be whole numbers of sessions, at least 1, such as [1, 5, 21], got [0]",
  ],
  "pandas' horizons": [
    () => analyze({ periods: ["5D"] }),
    'expected periods to be whole numbers of sessions, at least 1, such as [1, 5, 21], got ["5D"]',
  ],
  "a horizon as text": [
    () => analyze({ periods: "5" }),
    'expected periods to be whole numbers of sessions, at least 1, such as [1, 5, 21], got "5"',
  ],
  "two sessions and a half as a horizon": [
    () => forwardReturns!(prices, { periods: 2.5 }),
    "expected periods to be whole numbers of sessions, at least 1, such as [1, 5, 21], got 2.5",
  ],
  "alphalens' name of horizons": [
    () => analyze({ horizons: [1] }),
    'got "horizons"; did you mean periods?',
  ],
  "one quantile": [
    () => analyze({ quantiles: 1 }),
    "expected quantiles to be a whole number of at least 2, got 1",
  ],
  "quantiles by their edges": [
    () => analyze({ quantiles: [0, 0.5, 1] }),
    "expected quantiles to be a whole number of at least 2, got [0, 0.5, 1]",
  ],
  "more quantiles than stocks": [
    () => judged(analyze({ quantiles: 200 })),
    "There are no returns by quantile: 200 quantiles need",
  ],
  "alphalens' bins": [() => analyze({ bins: 5 }), 'got "bins"; did you mean quantiles?'],
  "one stock as enough": [
    () => analyze({ minNames: 1 }),
    "expected minNames to be a whole number of at least 2, got 1",
  ],
  "more stocks than there are": [
    () => judged(analyze({ minNames: 50 })),
    "no session has more than 12 stocks",
  ],
  "lags from 0": [
    () => analyze({ lags: [0, 1] }),
    "expected lags to be whole numbers of sessions, at least 1, such as [1, 5, 21, 63], got [0, 1]",
  ],
  "lags as a range": [() => analyze({ lags: "1:63" }), 'such as [1, 5, 21, 63], got "1:63"'],
  "lags beyond the data": [
    () => judged(analyze({ lags: Array.from({ length: 90 }, (_, i) => i + 1) })),
    "the longest in the data",
  ],
  "a negative rate": [
    () => analyze({ oneWayBps: -10 }),
    "expected oneWayBps to be rates of 0 or at least 0.05 basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10), got -10",
  ],
  "rates as text": [
    () => analyze({ oneWayBps: ["10"] }),
    'such as [0, 5, 10] (as a share of the traded value, 0.001 is 10), got ["10"]',
  ],
  "a trial log's folder": [
    () => analyze({ trialLog: "tests" }),
    'expected trialLog to be the result of trialLog(), which takes a folder, got "tests"',
  ],
  "a trial log's name": [
    () => informationSummary!(ic, { trialLog: "tests" }),
    'expected trialLog to be the result of trialLog(), which takes a folder, got "tests"',
  ],
  "a trial log of options": [
    () => trialLog!({ folder: "tests" }),
    "expected the path of a folder, got an object with the fields folder",
  ],
  "a signal's controller": [
    () => analyze({ signal: new AbortController() }),
    "expected signal to be an AbortSignal",
  ],
  "progress as text": [
    () => analyze({ progress: "no" }),
    'expected progress to be true or false, got "no"',
  ],
  "options of returns as text": [
    () => analyze({ returns: "pad" }),
    'expected returns to be an object such as { ended: "null" }, got "pad"',
  ],
  "an entry by its price": [
    () => analyze({ entry: "close" }),
    'expected entry to be "next" or "same", got "close"',
  ],
  "options instead of prices": [
    () => analyzeFactor!(scores, quick),
    "expected a DataFrame, got an object with the fields progress, lags",
  ],
  "prices before scores": [
    () => analyzeFactor!(prices, scores, quick),
    "expected scores first and prices second, got a DataFrame with the columns",
  ],
  "scores without stocks in common": [() =>
    analyzeFactor!(
      scores,
      prices.withColumns(pl.col("ticker").str.replace("T", "N").alias("ticker")),
      quick,
    ), "expected tickers that are in the prices, got none"],
  "three distinct scores in five quantiles": [() =>
    judged(analyzeFactor!(
      scores.withColumns(
        pl.col("ticker").str.slice(1).cast(pl.Int32).modulo(pl.lit(3)).cast(pl.Float64).alias(
          "score",
        ),
      ),
      prices,
      quick,
    )), "The scores have 3 distinct values, which 5 quantiles cannot separate: { quantiles: 3 }"],
});

mistakes("options of the functions of an analysis", {
  "statsmodels' HAC": [
    () => informationSummary!(ic, { inference: "hac" }),
    "expected method to be one of ewc, newey-west, hansen-hodrick, non-overlapping, bootstrap",
  ],
  "a lag of text": [
    () => informationSummary!(ic, { inference: { method: "newey-west", lag: "auto" } }),
    'expected lag to be a whole number of at least 0, got "auto"',
  ],
  "scipy's null hypothesis": [
    () => informationSummary!(ic, { popmean: 0 }),
    'oneSession, trialLog, what, of, got "popmean"',
  ],
  "prices as a series": [
    () => informationSummary!(prices),
    "expected a column of values, such as ic, spread, return, slope, value",
  ],
  "an array of ICs": [
    () => informationSummary!([0.1, 0.2]),
    "expected a DataFrame, got an array of 2",
  ],
  "sessions as an array": [
    () => stability!(ic, { sessions: ["2010-01-04"] }),
    "with sessions: expected a DataFrame, got an array of 1",
  ],
  "two ICs a session": [
    () => stability!(pl.concat([ic, ic])),
    "expected one value per session, got several for 2010-01-05",
  ],
  "a decay without lags": [
    () => halfLife!(ic),
    "expected the column lag, got session, horizon, ic",
  ],
  "quantiles that were not made": [
    () => monotonicity!(ic),
    "expected two quantiles or more, got 0; give a frame with a column quantile or group",
  ],
  "one number of quantiles for two": [
    () => doubleSort!(data, { first: "score", quantiles: 3 }),
    "expected quantiles to be two whole numbers from 2 to 100, such as [3, 3], got 3",
  ],
  "a column that is not there": [
    () => doubleSort!(data, { first: "size" }),
    "expected the column size, got session, ticker, score",
  ],
  "a slope without its list": [
    () => famaMacBeth!(data, { on: "score" }),
    'expected on to be an array of column names, got "score"',
  ],
  "no slopes": [
    () => famaMacBeth!(data, { on: [] }),
    "expected an array of column names, got an empty array",
  ],
  "a formula": [
    () => famaMacBeth!(data, "return ~ score"),
    'expected an object of options ({ on, transform, bySession, inference }), got "return ~ score"',
  ],
  "prices instead of returns, around events": [
    () => eventReturns!(events, prices),
    "expected the result of forwardReturns(), got a DataFrame with the columns date, ticker, close; call eventReturns(events, forwardReturns(prices",
  ],
  "days before an event as text": [
    () => eventReturns!(events, returns, { before: "5D" }),
    'expected before to be a whole number from 0 to 10,000, got "5D"',
  ],
  "events without tickers": [
    () => eventReturns!(events.drop("ticker"), returns),
    "expected the column ticker, got session",
  ],
  "an adjustment of statsmodels": [
    () => adjustPValues!([0.1, 0.2], "fdr_bh"),
    'or "bonferroni", got "fdr_bh"',
  ],
  "one p value": [
    () => adjustPValues!(0.03),
    "expected an array of numbers from 0 to 1 or null, got 0.03",
  ],
  "a column of p values": [
    () => adjustPValues!(pl.Series("p", [0.1])),
    'a column gives one, such as table.getColumn("p").toArray()',
  ],
  "percent as p values": [
    () => adjustPValues!([5, 1]),
    "expected numbers from 0 to 1 or null, got 5 at 0",
  ],
  "a group that is not there": [
    () => informationCoefficient!(data, { by: "group" }),
    "expected groups, got data without; give align() a frame of groups",
  ],
  "a part by the name of a column": [
    () => informationCoefficient!(data, { by: "sector" }),
    'expected by to be "group", "month", "age", an expression, or an array of "month" and "group", got "sector"',
  ],
  "a comparison as a subset": [
    () => quantize!(data, { subset: true }),
    'expected subset to be an expression such as pl.col("raw").gtEq(5), got true',
  ],
  "kendall": [
    () => informationCoefficient!(data, { method: "kendall" }),
    'expected method to be "spearman" or "pearson", got "kendall"',
  ],
  "permutation within what is not there": [
    () => permutationTest!(data, { within: "group" }),
    "expected scores with groups, got none; give groups to align()",
  ],
  "permutation of a horizon": [
    () => permutationTest!(data.drop("return_1")),
    "expected returns over 1 session, got those over 5; add 1 to the periods",
  ],
  "a market of levels": [
    () => alphaBeta!(portfolio, prices),
    "got date, ticker, close; name yours in the option value",
  ],
  "a holding of 0": [
    () => positions!(factorWeights!(data), { holding: 0 }),
    "expected holding to be a whole number of at least 1, got 0",
  ],
  "groups as alphalens names them": [
    () => analyze({ byGroup: true }),
    'expected groups or neutral, got "byGroup"; { groups } gives ICs and quantile returns of each group',
  ],
  "neutral to groups as alphalens names it": [
    () => analyze({ groupNeutral: true }),
    '{ neutral: { group: "sector" } } scores that are neutral to it',
  ],
  "a weighting of pandas": [
    () => factorWeights!(data, { weighting: "first" }),
    'or an object such as { value: "cap" }, got "first"',
  ],
  "a portfolio without what was traded": [
    () => tradingCosts!(portfolio.drop("traded")),
    "expected the column traded, got session, return",
  ],
  "scipy's limits": [
    () => winsorize!(data, { limits: 0.01 }),
    'expected one of the options share, score, got "limits"',
  ],
  "factors as arguments": [
    () => combine!(data, ["score", "size"]),
    'such as { on: ["score", "other_score"] }, got an array of 2',
  ],
  "a regressor as text": [
    () => orthogonalize!(data, "size"),
    'expected an array of column names, got "size"',
  ],
});

mistakes("a step of an analysis that is left out", {
  "the rows of a result that is no frame": [
    () =>
      align!(
        neutralize!(scores.withColumns(pl.lit("x").alias("sector")), { group: "sector" }),
        returns,
      ),
    "got a result whose data are a DataFrame with the columns date, ticker, score, sector; give its .data",
  ],
  "scores that are in no sessions yet": [
    () => informationCoefficient!(scores),
    "give the result of align(scores, forwardReturns(prices))",
  ],
  "parts by a column that is not beside the aligned scores": [
    () => informationCoefficient!(align!(scores, returns), { by: pl.col("size") }),
    'got Cannot find the column "size": expected one of session, ticker, score, return_1, return_5, known_at, age, session_number; join',
  ],
  "sectors that are not beside the scores": [
    () => neutralize!(scores, { group: "sector" }),
    "expected the column sector, got date, ticker, score; join what is missing to the scores",
  ],
  "a condition on a column that is not beside the scores": [
    () => align!(scores, returns, { where: pl.col("cap").gt(5) }),
    'expected one of date, ticker, score; join the columns that it needs to the scores, or write pl.lit("cap") if it is a text',
  ],
});
