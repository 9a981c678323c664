import { plain } from "./nearest_name.ts";

// Names that pandas, alphalens, seaborn, requests and other clients have for what an option here is called.
const USUAL: Readonly<Record<string, readonly string[]>> = {
  apiKey: ["token", "secret", "auth", "password", "credentials", "api_token"],
  baseUrl: ["host", "endpoint", "server", "address", "base"],
  timeoutMs: ["timeoutseconds", "patience"],
  maxRetries: ["retries", "retry", "attempts"],
  at: ["asof", "as_of", "date", "datetime", "time", "when", "timestamp", "on", "ts"],
  asOf: ["at", "date", "time", "when"],
  ticker: ["symbol", "sid", "name", "stock"],
  tickers: ["symbols", "universe", "names", "stocks", "assets"],
  snapshotId: ["id", "snapshot", "set", "set_id"],
  sessions: ["start", "end", "begin", "since", "until", "date_range", "dates", "days"],
  from: ["start", "begin", "since", "start_date", "first"],
  to: ["end", "until", "end_date", "last"],
  every: ["freq", "frequency", "interval", "step"],
  delayMs: ["delay", "lag", "offset"],
  periods: ["horizon", "horizons", "forward", "windows", "holding_period"],
  horizon: ["period", "periods"],
  quantiles: ["bins", "buckets", "q", "n_quantiles", "n_bins", "deciles"],
  groups: ["sector", "sectors", "groupby", "group", "industry", "by_group"],
  oneWayBps: ["costs", "cost", "fees", "bps", "tcost", "transaction_cost"],
  placebo: ["noise", "permutations"],
  color: ["hue", "c", "colour", "by", "groupby", "legend"],
  mark: ["kind", "type", "style", "chart"],
  scale: ["dpi", "resolution"],
  widthPx: ["width", "figsize", "size"],
  title: ["name", "heading", "label"],
  parts: ["sections", "include", "tables"],
  separator: ["sep", "delimiter"],
  dateFormat: ["date_format", "format", "dayfirst", "parse_dates"],
  close: ["price", "px", "adj_close", "prices", "value"],
  date: ["date_col", "index", "time", "day"],
};

/** The known option that other tools call by a given name; `null` if there is none. */
export function usualName(name: string, known: readonly string[]): string | null {
  const given = plain(name);
  return known.find((option) => USUAL[option]?.some((other) => plain(other) === given)) ?? null;
}
