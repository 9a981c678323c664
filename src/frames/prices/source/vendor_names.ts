import { isTicker } from "../../../base/contract/identifier.ts";

/** Meaning of a column of prices. */
export type PriceRole =
  | ("date" | "ticker" | "close" | "raw" | "other" | "returns" | "delisting")
  | ("split" | "dividend" | "divide" | "multiply");

/** Meanings that a name states by itself. */
type NamedRole =
  | "date"
  | "ticker"
  | "adjusted"
  | "plain"
  | "raw"
  | "returns"
  | keyof typeof FACTORS;

// Names of vendors and libraries, in small letters and without signs; the first of a list wins.
const FACTORS = {
  split: ["split", "splits", "stocksplits", "splitfactor", "splitratio", "splitcoefficient"],
  dividend: ["dividend", "dividends", "divcash", "dividendamount", "cashdividend", "exdividend"],
  divide: ["ajexdi", "cfacpr", "dlyfacprc", "mthfacprc", "adjfactor", "adjustmentfactor"],
  multiply: ["trfd"],
};
const NAMES: Readonly<Record<NamedRole, readonly string[]>> = {
  date: [
    ...["date", "dates", "datadate", "day", "datum", "tradedate", "tradingday", "pricedate"],
    ...["observationdate", "caldt", "dlycaldt", "mthcaldt", "timestamp", "datetime", "session"],
    ...["time", "index"],
  ],
  ticker: [
    ...["ticker", "symbol", "tic", "sym", "tickers", "symbols", "actsymbol", "tradingsymbol"],
    ...["code", "ric", "instrument", "stock", "asset", "security", "sid", "name"],
  ],
  adjusted: [
    ...["adjclose", "adjustedclose", "closeadj", "closeadjusted", "adjcls", "adj", "adjprice"],
    ...["adjprc", "prcadj", "priceadj", "pxadj", "adjpx", "adjustedprice", "totalreturnindex"],
  ],
  plain: [
    ...["close", "closeprice", "closingprice", "closelast", "last", "lastprice", "pxlast", "price"],
    ...["priceclose"],
    ...["close1", "closeright", "closeleft", "closex", "closey", "closeduplicated0", "schluss"],
  ],
  raw: [
    ...["raw", "closeunadj", "closeunadjusted", "unadjustedclose", "rawclose", "closeraw"],
    ...["unadjclose", "prc", "prccd", "prccm", "dlyprc", "mthprc"],
  ],
  returns: ["ret", "return", "returns", "totalreturn", "dlyret", "mthret", "retadj", "dailyreturn"],
  ...FACTORS,
};
/** Names of the columns that say how closes were divided. */
export const FACTOR_ROLES = Object.keys(FACTORS) as readonly (keyof typeof FACTORS)[];

const INDEX = /^(|index|unnamed: ?\d+|__index_level_0__|level_0|column_1)$/i;
const FIELD_NAMES = [
  ...["adjusted close", "adjusted_close", "adj close", "adj_close", "adjclose", "px_last"],
  ...["px_volume", "px_open", "px_high", "px_low", "close", "open", "high", "low", "volume", "vol"],
  ...["vwap", "last", "price", "bid", "ask", "dividends", "stock splits", "capital gains"],
];
const FIELD = new RegExp(`^(${FIELD_NAMES.join("|")}|adj.*)(_duplicated_\\d+)?$`, "i");
const SIGN = "[._\\- |]";
const FIELD_OF_TICKER = new RegExp(
  `^(?<ticker>.+?)${SIGN}(?<field>${FIELD_NAMES.join("|")})$`,
  "i",
);
const TICKER_OF_FIELD = new RegExp(`^(?<field>${FIELD_NAMES.join("|")})${SIGN}(?<ticker>.+)$`, "i");

/** Columns of a role, in the order of the role's names. */
export function columnsOfRole(columns: readonly string[], role: NamedRole): readonly string[] {
  return NAMES[role].flatMap((name) => columns.filter((column) => letters(column) === name));
}

/** `true` for the row numbers of a table, as pandas writes them. */
export function isIndexName(name: string): boolean {
  return INDEX.test(name);
}

/** `true` for a name of a bar's fields. */
export function isFieldName(name: string): boolean {
  return FIELD.test(name) || letters(name) === "closelast";
}

/** Ticker and field of a column such as `AZQ.CLOSE` or `Close_AZQ`; `null` for another name. */
export function fieldOfTicker(name: string): { ticker: string; field: string } | null {
  const found = (FIELD_OF_TICKER.exec(name) ?? TICKER_OF_FIELD.exec(name))?.groups;
  return found === undefined ? null : { ticker: found["ticker"]!, field: found["field"]! };
}

/** `true` for the values of a column of tickers: all in the form of the API, and none a number. */
export function areTickers(values: readonly unknown[]): boolean {
  const texts = values.filter((value) => value !== null);
  return texts.length > 0 &&
    texts.every((text) =>
      typeof text === "string" && isTicker(text.trim().toUpperCase()) &&
      !/^[\d.+-]+[KMB]?$/i.test(text)
    );
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
