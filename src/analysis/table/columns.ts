import type { TableFrame, TableRow } from "../../frames/frame/typed/table_frame.ts";

/**
 * The columns of all tables of the analysis: what each name is, and its kind. A name means one thing; where it has to have two
 * kinds, the second entry has a word behind a colon, which is no part of the column's name.
 */
export const COLUMNS = {
  /** Bounds of the ages of the scores, in sessions. */
  "age:label": "text",
  /** Share of the means above 0. */
  above: "number",
  /** Upper end of the 95% interval of `active_return`. */
  active_high: "number",
  /** Lower end of the 95% interval of `active_return`. */
  active_low: "number",
  /** Mean return above the benchmark, a session. */
  active_return: "number",
  /** Wealth of all scored stocks at equal weights, from 1. */
  all_names: "number",
  /** Alpha compounded over a year. */
  annual_alpha: "number",
  /** Alpha times the periods of a year. */
  annual_arithmetic: "number",
  /** Alpha compounded over a year. */
  annual_compounded: "number",
  /** Return compounded over a year. */
  annual_return: "number",
  /** Mean return times the periods of a year. */
  arithmetic_return: "number",
  /** Decision time of the scores, UTC. */
  at: "instant",
  /** Rank correlation of the scores with those of an earlier session, −1 to 1. */
  autocorrelation: "number",
  /** Return of all scored stocks at equal weights. */
  benchmark: "number",
  /** Name of the variant with the largest statistic. */
  best: "text",
  /** Slope on the return of all scored stocks. */
  beta: "number",
  /** Ticker of the trade that limits the capital. */
  binding: "text",
  /** Mean length of a block of the bootstrap, in sessions. */
  block: "number",
  /** Number of blocks that the sessions are cut into. */
  blocks: "count",
  /** Capital at which the mean net return is 0. */
  break_even_capital: "number",
  /** Upper end of the 95% interval of the break-even. */
  break_even_high: "number",
  /** Lower end of the 95% interval of the break-even. */
  break_even_low: "number",
  /** One-way cost at which the mean net return is 0, in basis points. */
  break_even_one_way_bps: "number",
  /** Number of buckets into which scores are pooled; 0 for the scores themselves. */
  buckets: "count",
  /** Publication time of the score set, UTC. */
  calculated_at: "instant",
  /** Annual return over the size of the largest fall. */
  calmar: "number",
  /** Capital of the portfolio, in the currency of the prices. */
  capital: "number",
  /** Largest capital whose trades stay within the share of the volume. */
  capital_limit: "number",
  /** The change, or the kind of a row of a comparison. */
  change: "text",
  /** Rows with another value. */
  changed: "count",
  /** The test beside the default one. */
  check: "text",
  /** Column of the output. */
  column: "text",
  /** Rows that were compared. */
  compared: "count",
  /** Rank correlation of two factors in a session, −1 to 1. */
  correlation: "number",
  /** Kind of the correlation of a specification: rank or Pearson. */
  "correlation:method": "text",
  /** Number of rows. */
  count: "count",
  /** Value that a statistic exceeds by chance at the level of the test. */
  critical: "number",
  /** Compounded return since the first one. */
  cumulative: "number",
  /** Upper end of the 95% interval of `cumulative`. */
  cumulative_high: "number",
  /** Lower end of the 95% interval of `cumulative`. */
  cumulative_low: "number",
  /** Two-sided p value of `cumulative`. */
  cumulative_p: "number",
  /** Time up to which the future was left as it was. */
  cut: "text",
  /** The session at whose close money is counted. */
  date: "date",
  /** Probability that the true Sharpe ratio is above the best of as many trials without skill. */
  deflated_sharpe: "number",
  /** Return from the peak to the trough, at most 0. */
  depth: "number",
  /** Smallest mean that the test detects with 80% power. */
  detectable: "number",
  /** Standard deviation, with n − 1. */
  deviation: "number",
  /** Degrees of freedom of the t distribution. */
  df: "count",
  /** Degrees of freedom of the numerator of `f`. */
  df1: "count",
  /** Degrees of freedom of the denominator of `f`. */
  df2: "number",
  /** The one mean minus the other. */
  difference: "number",
  /** Upper end of the 95% interval of `difference`. */
  difference_high: "number",
  /** Lower end of the 95% interval of `difference`. */
  difference_low: "number",
  /** Two-sided p value of `difference`. */
  difference_p: "number",
  /** Variance of the sessions' ICs over that of permuted ones. */
  dispersion: "number",
  /** Wealth over its highest value so far, less 1; at most 0. */
  drawdown: "number",
  /** Number of draws. */
  draws: "count",
  /** Largest score of a quantile. */
  edge: "number",
  /** Number of independent values that would have the same standard error. */
  effective_n: "number",
  /** Sessions with an empty cell. */
  empty: "count",
  /** Stocks that were not in the quantile before. */
  entered: "count",
  /** `next` if a session trades after a score is known, `same` if at that instant. */
  entry: "text",
  /** The error of the signal. */
  error: "text",
  /** Up to five rows, as session and ticker. */
  examples: "text",
  /** Standard error of `mean_excess`. */
  excess_standard_error: "number",
  /** Upper end of the 95% interval of `mean_excess`. */
  excess_high: "number",
  /** Kurtosis less that of a normal distribution. */
  excess_kurtosis: "number",
  /** Lower end of the 95% interval of `mean_excess`. */
  excess_low: "number",
  /** Mean of the permuted ICs. */
  expected: "number",
  /** Stocks whose score became too old. */
  expired: "count",
  /** Name of the exposure. */
  exposure: "text",
  /** F ratio of the joint test. */
  f: "number",
  /** Quantile of the first score, from 1. */
  first: "count",
  /** Time of the first trial of the variant, UTC. */
  first_at: "text",
  /** First session with such a row. */
  first_session: "date",
  /** Ticker of the first row that changed. */
  first_ticker: "text",
  /** Time of the first row that changed. */
  first_time: "text",
  /** Session from which the return is earned. */
  from: "date",
  /** Part of the return that came in later than its session. */
  gap_return: "number",
  /** Mean return before costs, a session. */
  gross: "number",
  /** Sum of the sizes of the weights; 0 of an empty book. */
  gross_weight: "number",
  /** Group of the stocks. */
  group: "text",
  /** Number of groups in a regression. */
  groups: "count",
  /** Lag after which the IC is halved, in sessions. */
  half_life: "number",
  /** Upper end of the 95% interval of `half_life`. */
  half_life_high: "number",
  /** Lower end of the 95% interval of `half_life`. */
  half_life_low: "number",
  /** Scores of exactly 0.5. */
  halves: "count",
  /** Upper end of the 95% interval, or of a bin. */
  high: "number",
  /** Share of the sessions with a value above 0. */
  hit_rate: "number",
  /** Sessions for which a signal is held. */
  holding: "count",
  /** Sessions from the entry to the exit. */
  horizon: "count",
  /** Information coefficient of a session, −1 to 1. */
  ic: "number",
  /** Price impact of the trades for a capital of 1, before its square root. */
  impact: "number",
  /** Mean cost of price impact, a session. */
  impact_cost: "number",
  /** Mean active return over its deviation, for a year. */
  information_ratio: "number",
  /** Upper end of the 95% interval of `information_ratio`. */
  information_ratio_high: "number",
  /** Lower end of the 95% interval of `information_ratio`. */
  information_ratio_low: "number",
  /** Kind of the row: a pile, a tail, a bin. */
  kind: "text",
  /** Mean IC of the scores known at the time. */
  known: "number",
  /** Kurtosis; 3 for a normal distribution. */
  kurtosis: "number",
  /** Sessions from the score to the start of the return. */
  lag: "count",
  /** Number of lags of the fit. */
  lags: "count",
  /** The largest value. */
  largest: "number",
  /** Completion time of the check, UTC. */
  last_checked_at: "instant",
  /** Last session with such a row. */
  last_session: "date",
  /** Rows after the cut. */
  later: "count",
  /** Mean IC of the release. */
  latest: "number",
  /** Stocks that are no more in the quantile. */
  left: "count",
  /** Scored stocks that a regression leaves out. */
  left_out: "count",
  /** IC at the shortest lag of the fit. */
  level: "number",
  /** Upper end of the 95% interval of `level`. */
  level_high: "number",
  /** Lower end of the 95% interval of `level`. */
  level_low: "number",
  /** Log odds of the rank out of sample. */
  logit: "number",
  /** Lower end of the 95% interval, or of a bin. */
  low: "number",
  /** Largest score. */
  max: "number",
  /** Largest fall of the wealth over that of the benchmark; at most 0. */
  max_active_drawdown: "number",
  /** Largest fall of the wealth from a peak; at most 0. */
  max_drawdown: "number",
  /** Mean over the sessions. */
  mean: "number",
  /** Mean return less that of all stocks. */
  mean_excess: "number",
  /** Mean rank out of sample of the best in sample, 0 to 1. */
  mean_rank: "number",
  /** The middle value. */
  median: "number",
  /** Median age of the scores, in sessions. */
  median_age: "number",
  /** Estimator of the standard error. */
  method: "text",
  /** Smallest score. */
  min: "number",
  /** Sessions, or returns, without a value. */
  missing: "count",
  /** Traded weight of the stocks without a volume. */
  missing_traded: "number",
  /** Weight of the stocks without a return. */
  missing_weight: "number",
  /** Calendar month, as `2026-01`. */
  month: "text",
  /** Share of the scores at the edge of a quantile that were moved. */
  moved: "number",
  /** p value of the test that the pattern is monotonic. */
  mr_p: "number",
  /** Number of values. */
  n: "count",
  /** Stocks of the lowest quantile. */
  n_bottom: "count",
  /** Stocks of the highest quantile. */
  n_top: "count",
  /** Mean number of stocks a session. */
  names: "number",
  /** Number of stocks. */
  "names:count": "count",
  /** Mean return after costs, a session. */
  net: "number",
  /** Net return compounded over a year. */
  net_annual: "number",
  /** `net_annual` at the upper end of the interval of `net`. */
  net_annual_high: "number",
  /** `net_annual` at the lower end of the interval of `net`. */
  net_annual_low: "number",
  /** Largest fall of the net wealth; at most 0. */
  net_drawdown: "number",
  /** Upper end of the 95% interval of `net`. */
  net_high: "number",
  /** Lower end of the 95% interval of `net`. */
  net_low: "number",
  /** Sum of the weights. */
  net_weight: "number",
  /** Exposures to which the scores of a specification are neutral. */
  neutral: "text",
  /** Quantile of the standard normal distribution. */
  normal: "number",
  /** The series, quantile or origin of the row. */
  of: "text",
  /** Sessions from the event. */
  offset: "count",
  /** One-way cost, in basis points of the traded value. */
  one_way_bps: "number",
  /** Scores of exactly 1. */
  ones: "count",
  /** The other options, as JSON. */
  options: "text",
  /** Value after the future was changed. */
  other: "text",
  /** Scored rows without a price at their entry. */
  outside: "count",
  /** Most windows that cover one session. */
  overlap: "count",
  /** Two-sided p value. */
  p: "number",
  /** p value adjusted for all rows of the table. */
  p_adjusted: "number",
  /** p value of Hansen's consistent test. */
  p_consistent: "number",
  /** Hansen's lower p value. */
  p_lower: "number",
  /** p value of the mean over the specifications. */
  p_mean: "number",
  /** p value of the median over the specifications. */
  p_median: "number",
  /** p value of the share of significant specifications. */
  p_significant: "number",
  /** Hansen's upper p value, that of the reality check. */
  p_upper: "number",
  /** Score as it was known. */
  panel: "number",
  /** Part of the sample: a half, a year. */
  part: "text",
  /** Number of parts. */
  parts: "count",
  /** Probability that the best in sample is below the median out of sample. */
  pbo: "number",
  /** Session of the highest wealth before a fall. */
  peak: "date",
  /** Sessions, or signals, back to the scores compared with. */
  period: "count",
  /** Calendar period, regime or part of the sample, by name. */
  "period:label": "text",
  /** Probability that the true Sharpe ratio is above 0. */
  probabilistic_sharpe: "number",
  /** Net profit of a year, in the currency of the prices. */
  profit_annual: "number",
  /** Sessions left out at the ends of blocks. */
  purged: "count",
  /** Quantile by session, from 1, the lowest scores. */
  quantile: "count",
  /** Share of the variance that the regression explains. */
  r_squared: "number",
  /** Rank out of sample of the best in sample, 0 to 1. */
  rank: "number",
  /** Rank correlation of the means with the numbers of the quantiles. */
  rank_correlation: "number",
  /** Mean over deviation. */
  ratio: "number",
  /** Mean IC of the scores as they are. */
  raw: "number",
  /** Reason why a value is null. */
  reason: "text",
  /** True if the book was traded to its target weights. */
  rebalanced: "flag",
  /** Session in which the peak is reached again; null if it is not. */
  recovery: "date",
  /** Wealth over that of all scored stocks. */
  relative: "number",
  /** Score of the release. */
  release: "number",
  /** Mean IC of the residual scores. */
  residual: "number",
  /** Return of the session, or of the period. */
  return: "number",
  /** Cost of a round trip, in basis points of the traded value. */
  round_trip_bps: "number",
  /** Rows whose value changed by rounding only. */
  rounded: "count",
  /** Number of rows. */
  rows: "count",
  /** Rows with a score. */
  scored: "count",
  /** Quantile of the second score, from 1. */
  second: "count",
  /** The session in which the score is traded. */
  session: "date",
  /** Sessions with a value. */
  sessions: "count",
  /** Share of the rows or scores, 0 to 1. */
  share: "number",
  /** Sharpe ratio for a year. */
  sharpe: "number",
  /** Standard error of `sharpe`. */
  sharpe_error: "number",
  /** Upper end of the 95% interval of `sharpe`. */
  sharpe_high: "number",
  /** Lower end of the 95% interval of `sharpe`. */
  sharpe_low: "number",
  /** True if the session has new weights. */
  signal: "flag",
  /** Share of the specifications with p below 5%. */
  significant: "number",
  /** Skewness. */
  skewness: "number",
  /** The smallest value. */
  smallest: "number",
  /** Smallest difference of adjacent quantiles. */
  smallest_step: "number",
  /** Mean return over its deviation below 0, for a year. */
  sortino: "number",
  /** Where in the analysis the number stands. */
  source: "text",
  /** Mean IC of the residual scores with residual returns. */
  specific: "number",
  /** Number of specifications. */
  specifications: "count",
  /** Number of the split, from 1. */
  split: "count",
  /** Number of splits. */
  splits: "count",
  /** Return of the highest less the lowest quantile. */
  spread: "number",
  /** The score of which the top and the bottom quantile are compared. */
  "spread:label": "text",
  /** Mean cost of the bid–ask spread, a session. */
  spread_cost: "number",
  /** Standard error of the mean. */
  standard_error: "number",
  /** The sentence. */
  statement: "text",
  /** Largest statistic of the variants. */
  statistic: "number",
  /** Status of the check of the score set. */
  status: "text",
  /** The two quantiles compared. */
  step: "text",
  /** Mean over its standard error. */
  t: "number",
  /** Coefficient of a regression. */
  term: "text",
  /** The ticker. */
  ticker: "text",
  /** Number of tickers. */
  tickers: "count",
  /** Number of times tried. */
  times: "count",
  /** Sessions from the peak to the trough. */
  to_trough: "count",
  /** Topic of the sentence. */
  topic: "text",
  /** Deviation of the active return, for a year. */
  tracking_error: "number",
  /** Mean sum of the sizes of all trades a session, of the capital. */
  traded: "number",
  /** Session of the lowest wealth after a peak. */
  trough: "date",
  /** Share of the book, or of a quantile, that is exchanged. */
  turnover: "number",
  /** `month` or `year`. */
  unit: "text",
  /** Events without a session or a ticker of the prices. */
  unplaced: "count",
  /** Events without a return at the offset. */
  unpriced: "count",
  /** Weight of the stocks without a close. */
  unpriced_weight: "number",
  /** Weight wanted of stocks without a close. */
  untraded: "number",
  /** Value of the row. */
  value: "number",
  /** Name of the variant. */
  variant: "text",
  /** Number of variants. */
  variants: "count",
  /** Deviation of the returns, for a year. */
  volatility: "number",
  /** Growth of 1. */
  wealth: "number",
  /** Weight of a stock, of the capital. */
  weight: "number",
  /** The finding, or the thing tried. */
  what: "text",
  /** Value on the whole data. */
  whole: "text",
  /** Windows that do not overlap. */
  windows: "number",
  /** Share of the scores winsorised in each tail. */
  winsor: "number",
  /** Column within whose values scores are compared. */
  within: "text",
  /** Share of the sessions whose trades stay within the share of the volume. */
  within_limit: "number",
  /** Deviate of the normal distribution. */
  z: "number",
  /** Scores of exactly 0. */
  zeros: "count",
} as const;

/** Columns that stand together in several tables. */
const TOGETHER = {
  test: "standard_error t df p low high",
  tested: "mean ...test sessions reason",
} as const;

type Dictionary = typeof COLUMNS;
type Words<Text extends string, Found extends string = never> = Text extends
  `${infer Head}\n  ${infer Tail}` ? Words<`${Head} ${Tail}`, Found>
  : Text extends `${infer Word} ${infer Tail}` ? Words<Tail, Found | Word>
  : Found | Text;
type Entries<Word extends string> = Word extends `...${infer Group extends keyof typeof TOGETHER}`
  ? Entries<Words<(typeof TOGETHER)[Group]>>
  : Word & keyof Dictionary;
type NameOfEntry<Entry> = Entry extends `${infer Name}:${string}` ? Name : Entry;

/**
 * Kinds of the columns of a table, which is a list of their names.
 *
 * @internal
 */
export type KindsOf<Names extends string> = {
  readonly [
    Entry in keyof Pick<Dictionary, Entries<Words<Names>>> as NameOfEntry<Entry>
  ]: Dictionary[Entry];
};

/** Frame with the columns of a table, which is a list of their names. */
export type TableOf<Names extends string> = TableFrame<KindsOf<Names>>;

/** A row of such a frame. */
export type RecordOf<Names extends string> = TableRow<KindsOf<Names>>;

/** The columns of a table, in order, with their kinds. */
export function kindsOf<const Names extends string>(names: Names): KindsOf<Names> {
  const entries = names.replaceAll(/\.\.\.tested/g, TOGETHER.tested)
    .replaceAll(/\.\.\.test/g, TOGETHER.test).split(/\s+/);
  return Object.fromEntries(
    entries.map((entry) => [entry.split(":")[0]!, COLUMNS[entry as keyof Dictionary]]),
  ) as KindsOf<Names>;
}
