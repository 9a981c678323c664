import pl, { type DataFrame } from "nodejs-polars";
import { chainedCloses } from "../../../frames/prices/closes/chained_closes.ts";
import { type CloseState, stateOfCloses } from "../../../frames/prices/closes/close_state.ts";
import {
  factorNames,
  refuseTwoCloses,
  refuseUnadjusted,
} from "../../../frames/prices/closes/refuse_frame.ts";
import { columnsOfRole } from "../../../frames/prices/vendor_names.ts";
import { readDayColumn } from "../../table/read_columns.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { describe } from "../../../base/contract/violation.ts";
import { assertFrame, FRAME } from "../../../frames/frame/assert_frame.ts";
import type { SessionRules } from "../../../frames/prices/dates/dates_to_sessions.ts";
import {
  FREQUENCIES,
  type Frequency,
  FREQUENCY_NAMES,
  PERIODS_PER_YEAR,
} from "../../../frames/prices/dates/frequency.ts";
import { distinctDays } from "../../dense/days.ts";

const ACTION = "compute forward returns";

/**
 * The prices with closes that returns can be made of: adjusted ones, because a split halves those as traded, or an index of the returns
 * of a frame without closes.
 *
 * @throws {TypeError} If closes are raw or there are several, with the option or the call for each
 */
export function adjustedPrices(
  frame: DataFrame,
  { columns = {}, price = "close" }: {
    readonly columns?: Partial<Record<"date" | "ticker" | "close", string>>;
    readonly price?: "close" | "open";
  },
): DataFrame {
  if (price !== "close" || columns.close !== undefined) return frame;
  const { date = "date", ticker = "ticker" } = columns;
  const [returns, ...others] = columnsOfRole(frame.columns, "returns");
  const isOfReturns = returns !== undefined && others.length === 0 &&
    columnsOfRole(frame.columns, "plain").length === 0;
  if (isOfReturns && frame.columns.includes(ticker)) {
    return chainedCloses(ACTION, dated(frame, { date, ticker }, { returns }), {}, returns)
      .rename({ date, ticker }).withColumns(pl.lit(true).alias("adjusted"));
  }
  refuseTwoCloses(
    ACTION,
    frame.columns,
    (name) => `{ columns: { close: ${JSON.stringify(name)} } }`,
  );
  if (!frame.columns.includes("adjusted")) refuseFactors(frame, { date, ticker });
  if (stateOfCloses(frame) !== "none") return frame;
  throw new TypeError(
    `Cannot ${ACTION}: expected closes that are adjusted for splits and dividends, got closes as traded (adjusted is none); ` +
      'read them with the factors of the file, or use { columns: { close: "close" } } to take them as they are',
  );
}

/** Refuses closes that move against a split beside them. */
function refuseFactors(frame: DataFrame, keys: Keys): void {
  const found = factorNames(frame.columns);
  const isWhole = ["close", keys.ticker].every((name) => frame.columns.includes(name));
  if (found.length === 0 || !isWhole) return;
  const roles = Object.fromEntries(["close", ...found].map((name) => [name, name]));
  refuseUnadjusted(ACTION, dated(frame, keys, roles));
}

interface Keys {
  readonly date: string;
  readonly ticker: string;
}

/** `date`, `ticker` and columns of numbers by their roles. */
function dated(
  frame: DataFrame,
  { date, ticker }: Keys,
  roles: Readonly<Record<string, string>>,
): DataFrame {
  return frame.select(
    pl.col(ticker).cast(pl.Utf8).alias("ticker"),
    ...Object.entries(roles).map(([role, name]) =>
      pl.col(name).cast(pl.Float64, false).alias(role)
    ),
  ).withColumns(pl.Series("date", readDayColumn(ACTION, frame, date), pl.Int32).cast(pl.Date));
}

/** Options for prices that are not the daily closes of US sessions. */
export interface PriceMarketOptions {
  /**
   * Spacing of the prices. A weekly, monthly, quarterly or yearly close belongs to the last session on or before its date
   * within the same period. Horizons, lags and ages count such periods.
   *
   * @default "daily"
   */
  readonly frequency?: Frequency;
  /** Day of a week, month, quarter or year that dates label. @default "end" */
  readonly labels?: "start" | "end";
  /** Treatment of rows on dates that are not sessions: an error, or omitted and reported. @default "refuse" */
  readonly strays?: "refuse" | "omit";
  /** The largest share of sessions without any price, which have none. @default 0.05 */
  readonly maxMissing?: number;
  /** Accepts closes of which three in four do not move. @default false */
  readonly still?: boolean;
  /**
   * Sessions of the market: those of the US market, or `"own"` for the dates of the prices, for other markets. A frame with
   * `date`, `open_at` and `close_at` names the sessions of another market and their instants, which scores with instants need.
   *
   * @default "us"
   */
  readonly calendar?: "us" | "own" | DataFrame;
  /**
   * Returns of one period in a year, for annual numbers.
   *
   * @default 252, 52, 12, 4 or 1 by the frequency; for daily prices with their own calendar, the dates per year
   */
  readonly periodsPerYear?: number;
}

/** The market that prices belong to. */
export interface PriceMarket {
  /** Spacing of the prices. */
  readonly frequency: Frequency;
  /** Name of one period: session, week, month, quarter or year. */
  readonly unit: string;
  /** Returns of one period in a year. */
  readonly periodsPerYear: number;
  /** Origin of the sessions: the US market, the dates of the prices, or a frame. */
  readonly calendar: "us" | "own" | DataFrame;
  /** Mark of the closes, by their adjustment: `none`, `splits`, or `all` for dividends, too; `unknown` without a mark. */
  readonly adjusted: CloseState;
}

const FREQUENCY: rules.Rule<Frequency> = rules.ruleBy("a frequency", (action, given: Frequency) => {
  if (FREQUENCY_NAMES.includes(given)) return;
  // pandas writes "M", "ME" and "W".
  const letter = String(given).slice(0, 1).toLowerCase();
  const meant = FREQUENCY_NAMES.find((name) => name.startsWith(letter));
  throw new RangeError(
    `Cannot ${action}: expected frequency to be one of ${FREQUENCY_NAMES.join(", ")}, got ` +
      describe(given) + (meant === undefined ? "" : `; did you mean "${meant}"?`),
  );
});

/** Accepted options for prices that are not the daily closes of US sessions. */
export const MARKET_RULES: rules.OptionRules<PriceMarketOptions> = {
  frequency: FREQUENCY,
  calendar: rules.ruleOf(
    '"us", "own" or a frame with date, open_at and close_at',
    (value) => value === "us" || value === "own" || FRAME.accepts(value),
    { isKind: (value) => typeof value === "string" },
  ),
  periodsPerYear: PERIODS_PER_YEAR,
  labels: rules.oneOf("start", "end"),
  strays: rules.oneOf("refuse", "omit"),
  maxMissing: rules.between(0, 1),
  still: rules.FLAG,
};

/** The options among others that have a rule, and are given. */
export function givenOptions<Options extends object>(
  options: object,
  known: object,
): Partial<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) =>
      value !== undefined && Object.hasOwn(known, name)
    ),
  ) as Partial<Options>;
}

const MAX_MISSING = 0.05;
const DAYS_OF_YEAR = 365.25;

/**
 * Reads the rules that map dates of prices to sessions.
 *
 * @throws {RangeError} If an option is out of range
 */
export function readSessionRules(
  action: string,
  { frequency = "daily", calendar, labels, strays = "refuse", maxMissing = MAX_MISSING }:
    PriceMarketOptions,
): SessionRules {
  const market = readMarket(action, calendar);
  return { frequency, market, strays, maxMissing, ...(labels === undefined ? {} : { labels }) };
}

function readMarket(action: string, calendar: unknown): SessionRules["market"] {
  if (calendar === undefined || calendar === "us") return "us";
  if (calendar === "own") return "own";
  assertFrame(action, calendar);
  return distinctDays(readDayColumn(action, calendar, "date").toSorted());
}

/**
 * The market of prices whose dates were assigned to sessions.
 */
export function toPriceMarket(
  days: Int32Array,
  { frequency = "daily", calendar = "us", periodsPerYear }: PriceMarketOptions,
  adjusted: CloseState = "unknown",
): PriceMarket {
  const isCounted = calendar !== "us" && frequency === "daily";
  const usual = isCounted ? datesOfYear(days) : FREQUENCIES[frequency].perYear;
  const { unit } = FREQUENCIES[frequency];
  return { frequency, unit, calendar, periodsPerYear: periodsPerYear ?? usual, adjusted };
}

/** Dates per year, rounded; 252 where there are too few to estimate it. */
function datesOfYear(days: Int32Array): number {
  const span = (days.at(-1) ?? 0) - (days[0] ?? 0);
  if (span < DAYS_OF_YEAR / 4) return FREQUENCIES.daily.perYear;
  return Math.round((days.length - 1) * DAYS_OF_YEAR / span);
}
