/** Types of the tables of statistics, prices and analyses: checked by `deno check`, never run. */
import pl, { type DataFrame } from "nodejs-polars";
import {
  coverage,
  readPrices,
  type ReleaseFrameColumns,
  typed,
  type TypedFrame,
} from "../../../../mod.ts";
import {
  align,
  analyzeFactor,
  backtestOverfitting,
  bestOf,
  changes,
  cumulativeReturns,
  doubleSort,
  drawdowns,
  eventReturns,
  exportPortfolio,
  type FactorAnalysis,
  famaMacBeth,
  type ForwardReturns,
  type halfLife,
  informationCoefficient,
  informationTable,
  meanReturnByQuantile,
  neutralize,
  neutralReturns,
  orthogonalize,
  performance,
  permutationTest,
  portfolioReturns,
  probeLookAhead,
  quantileSpread,
  quantileStatistics,
  quantize,
  reconcile,
  specificationCurve,
  tradeLiquidity,
  trialLog,
  type Weights,
  winsorize,
} from "../../../../src/analysis/mod.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;
/** Compiles if both types are the same. */
declare function same<A, B>(...proof: Equal<A, B> extends true ? [] : [never]): void;
/** Names of a frame's columns. */
type Names<Frame> = Frame extends TypedFrame<infer Columns> ? keyof Columns : never;

declare const analysis: FactorAnalysis;
declare const own: DataFrame;
declare const returns: ForwardReturns;
declare const weights: Weights;
declare const someKeys: ("month" | "group")[];

export function tables(): void {
  same<Names<typeof analysis.ic>, "session" | "horizon" | "ic" | "n" | "reason">();
  same<Names<typeof analysis.decay>, "session" | "lag" | "ic" | "n" | "reason">();
  same<Names<typeof analysis.turnover>, "session" | "quantile" | "turnover" | "n" | "reason">();
  same<
    Names<typeof analysis.rankAutocorrelation>,
    "session" | "autocorrelation" | "n" | "reason"
  >();
  const sessions: (Date | null)[] = analysis.ic.getColumn("session").toArray();
  const ics: (number | null)[] = analysis.ic.getColumn("ic").toArray();
  const reasons: (string | null)[] = analysis.ic.getColumn("reason").toArray();
  const means: (number | null)[] = analysis.summary.table.getColumn("mean").toArray();
  const checks: (string | null)[] = analysis.summary.tables.checks.getColumn("check").toArray();
  const fading: number | null = analysis.halfLife.toRecords()[0]!.half_life;
  const sharpe: number | null = analysis.performance.toRecords()[0]!.sharpe;
  const peak: Date | null = analysis.drawdowns.toRecords()[0]!.peak;
  const rebalanced: (boolean | null)[] = analysis.portfolio.getColumn("rebalanced").toArray();
  const p = analysis.permutation?.getColumn("p");
  analysis.costs.sort("one_way_bps").select("one_way_bps", "net_annual");
  // @ts-expect-error: the column is called ic
  analysis.ic.getColumn("rank_ic");
  // @ts-expect-error: decay is by lag
  analysis.decay.getColumn("horizon");
  // @ts-expect-error: the column is called one_way_bps
  analysis.costs.sort("bps");
  // @ts-expect-error: a portfolio has no quantiles
  analysis.portfolio.getColumn("quantile");
  // @ts-expect-error: it is null where no permutation was made
  analysis.permutation.getColumn("p");
  // @ts-expect-error: the column is called sharpe
  void analysis.performance.toRecords()[0]!.sharpe_ratio;
  // @ts-expect-error: a session is a date and no text
  const texts: (string | null)[] = analysis.ic.getColumn("session").toArray();
  void [sessions, ics, reasons, means, checks, fading, sharpe, peak, rebalanced, p, texts];
}

export async function statistics(): Promise<void> {
  const made = await analyzeFactor(own, own);
  same<typeof made, FactorAnalysis>();
  const aligned = align(own, returns);
  same<Names<ReturnType<typeof halfLife>>, Names<typeof made.halfLife>>();
  const trough: (Date | null)[] = drawdowns(own).getColumn("trough").toArray();
  const wealth: (number | null)[] = cumulativeReturns(made.portfolio).getColumn("wealth").toArray();
  const book = portfolioReturns(aligned, weights);
  // @ts-expect-error: the column is called tracking_error
  activePerformance(book, book).getColumn("trackingError");
  // @ts-expect-error: the column is called traded
  book.getColumn("turnover");
  const neutral = neutralReturns(aligned, own, { on: ["beta"] });
  // @ts-expect-error: the column is called left_out
  neutral.removed.getColumn("leftOut");
  const trades = tradeLiquidity(aligned, weights, own);
  // @ts-expect-error: the column is called missing_traded
  trades.getColumn("missing_weight");
  // @ts-expect-error: the column is called p
  permutationTest(aligned).getColumn("p_value");
  const { prices } = await readPrices("prices.csv").withReport();
  same<Names<typeof prices>, "date" | "ticker" | "close">();
  const days: (Date | null)[] = (await readPrices(own)).getColumn("date").toArray();
  const shares: (number | null)[] = coverage(own).getColumn("share").toArray();
  // Inputs are loose: typed frames, frames typed again, and one's own.
  performance(typed(own, { session: pl.Date, return: pl.Float64 }));
  // @ts-expect-error: the column is called max_drawdown
  performance(made.portfolio).getColumn("drawdown");
  // @ts-expect-error: prices have no volume
  prices.getColumn("volume");
  // @ts-expect-error: the column is called row_count
  coverage(own).getColumn("rows");
  // @ts-expect-error: a string is no frame of returns
  performance("returns.csv");
  void [trough, wealth, days, shares];
}

export function options(): void {
  const aligned = align(own, returns);
  const sessions: (Date | null)[] = aligned.data.getColumn("session").toArray();
  const forward: (number | null)[] = aligned.data.getColumn("return_21").toArray();
  const why: (string | null)[] = returns.data.getColumn("why_5").toArray();
  returns.notes.getColumn("what");
  const quantized = quantize(aligned);
  const byMonth = informationCoefficient(aligned, { by: ["month", "group"] });
  meanReturnByQuantile(quantized, { by: "group" }).getColumn("group");
  // @ts-expect-error: without groups there is no column of them
  meanReturnByQuantile(quantized).getColumn("group");
  quantized.data.getColumn("quantile");
  quantized.sizes.getColumn("moved");
  const ics: (number | null)[] = informationCoefficient(aligned).getColumn("ic").toArray();
  informationCoefficient(aligned, { lags: [1, 2] }).getColumn("lag");
  const months: DataFrame = informationCoefficient(aligned, { by: "month" });
  same<Names<typeof byMonth>, "month" | "horizon" | "group" | "ic" | "n" | "reason">();
  informationCoefficient(aligned, { by: "age" }).getColumn("age");
  informationCoefficient(aligned, { by: pl.col("score").gt(0) }).getColumn("part");
  informationCoefficient(aligned, { by: someKeys }).getColumn("session");
  // @ts-expect-error: months have no session
  informationCoefficient(aligned, { by: "month" }).getColumn("session");
  // @ts-expect-error: groups were not asked for
  informationCoefficient(aligned, { by: ["month"] }).getColumn("group");
  // @ts-expect-error: an IC is split by group, month, age or an expression
  informationCoefficient(aligned, { by: "sector" });
  meanReturnByQuantile(quantized).getColumn("excess_low");
  meanReturnByQuantile(quantized, { bySession: true }).getColumn("deviation");
  quantileSpread(quantized).summary.getColumn("standard_error");
  quantileSpread(quantized).data.getColumn("n_top");
  doubleSort(own, { first: "size" }).cells.getColumn("second");
  famaMacBeth(aligned).getColumn("r_squared");
  famaMacBeth(aligned, { bySession: true }).getColumn("value");
  eventReturns(own, returns).getColumn("cumulative");
  reconcile(own, own).tables.rows.getColumn("change");
  bestOf({ a: own, b: own }).table.getColumn("p_adjusted");
  backtestOverfitting({ a: own, b: own }).table.getColumn("pbo");
  informationTable(own).getColumn("kurtosis");
  quantileStatistics(own).getColumn("share");
  // @ts-expect-error: the session is not among the means
  meanReturnByQuantile(quantized).getColumn("session");
  // @ts-expect-error: a horizon of five sessions is return_5
  aligned.data.getColumn("return5");
  // @ts-expect-error: quantiles come with quantize()
  aligned.data.getColumn("quantile");
  // @ts-expect-error: the column is called lag
  informationCoefficient(aligned, { lags: [1] }).getColumn("horizon");
  // @ts-expect-error: coefficients of sessions have no test
  famaMacBeth(aligned, { bySession: true }).getColumn("p");
  // @ts-expect-error: the column is called p_adjusted
  bestOf({ a: own, b: own }).table.getColumn("p_holm");
  // @ts-expect-error: the column is called cumulative
  eventReturns(own, returns).getColumn("car");
  void [sessions, forward, why, ics, months];
}

export function transforms(history: TypedFrame<ReleaseFrameColumns<"ecpnd">>): void {
  const aligned = align(own, returns);
  same<ReturnType<typeof winsorize<typeof aligned>>, typeof aligned.data>();
  const drawn: (number | null)[] = winsorize(aligned).getColumn("score").toArray();
  const { removed } = neutralize(history, { on: ["size"] });
  const removedOn: (Date | null)[] = removed.getColumn("date").toArray();
  const slopes: (number | null)[] = removed.getColumn("slope_size").toArray();
  // @ts-expect-error: the column is called left_out
  removed.getColumn("leftOut");
  // @ts-expect-error: a release has dates
  removed.getColumn("session");
  const plain: DataFrame = orthogonalize(own, ["size"]);
  same<ReturnType<typeof changes<DataFrame>>, DataFrame>();
  const { returns: earned } = exportPortfolio(aligned, weights);
  // @ts-expect-error: losses by ticker have no session
  aligned.loss.byTicker().getColumn("session");
  // @ts-expect-error: a change replaces the score
  changes(history, { sessions: 5 }).getColumn("change");
  // @ts-expect-error: the column is called return
  earned.getColumn("returns");
  void [drawn, plain, removedOn, slopes];
}

export async function probes(): Promise<void> {
  const curve = await specificationCurve(own, own);
  const { runs } = await probeLookAhead(({ scores }) => scores!, { scores: own });
  // @ts-expect-error: the column is called cut
  runs.getColumn("at");
  const log: (number | null)[] = trialLog().table().getColumn("p_adjusted").toArray();
  // @ts-expect-error: the column is called p_median
  curve.tables.summary.getColumn("median_p");
  // @ts-expect-error: the column is called first_at
  trialLog().table().getColumn("at");
  void log;
}
