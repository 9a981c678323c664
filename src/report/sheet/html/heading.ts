/** Headings of columns whose names are not readable as they are. */
const HEADINGS: Readonly<Record<string, string>> = {
  names: "stocks",
  hit_rate: "above zero",
  detectable: "min. detectable",
  one_way_bps: "one-way cost, bps",
  round_trip_bps: "round-trip cost, bps",
  break_even_one_way_bps: "break-even cost, bps",
  break_even_low: "break-even low, bps",
  break_even_high: "break-even high, bps",
  r_squared: "R²",
  to_trough: "sessions to trough",
  what: "statistic",
  of: "scores",
  times: "runs",
  wealth: "growth of 1",
  missing: "without a return",
  sharpe: "Sharpe ratio",
  sharpe_error: "Sharpe ratio, standard error",
  sharpe_low: "Sharpe ratio, 95% CI low",
  sharpe_high: "Sharpe ratio, 95% CI high",
  sortino: "Sortino ratio",
  max_drawdown: "maximum drawdown",
  calmar: "Calmar ratio",
  probabilistic_sharpe: "probabilistic Sharpe ratio",
  deflated_sharpe: "deflated Sharpe ratio",
};

/** Name of a column as the heading of a table, with its unit: `mean_excess, bps` becomes `mean excess, bps`. */
export function heading(column: string): string {
  const [name = "", ...unit] = column.split(", ");
  const words = Object.hasOwn(HEADINGS, name) ? HEADINGS[name]! : name.replaceAll("_", " ");
  return [words, ...unit].join(", ");
}
