import pl, { type DataFrame } from "nodejs-polars";
import { chainedCloses } from "../../../frames/prices/closes/chained_closes.ts";
import { stateOfCloses } from "../../../frames/prices/closes/close_state.ts";
import {
  factorNames,
  refuseTwoCloses,
  refuseUnadjusted,
} from "../../../frames/prices/closes/refuse_frame.ts";
import { columnsOfRole } from "../../../frames/prices/vendor_names.ts";
import { readDayColumn } from "../../table/read_columns.ts";

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
