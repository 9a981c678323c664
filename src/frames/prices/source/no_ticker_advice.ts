/** Advice for rows without a ticker, which usually had the ticker NA, NULL or NAN. */
export const NO_TICKER_ADVICE =
  "pandas reads the tickers NA, NULL and NAN as missing, so that dropping these rows can drop " +
  "companies; read the source with keep_default_na=False and write it again";
