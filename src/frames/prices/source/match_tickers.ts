import pl, { type DataFrame } from "nodejs-polars";
import { assertColumns } from "../../frame/assert_columns.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import { readDays } from "../../frame/times/read_days.ts";

const NEVER = 2_932_896;

/**
 * Replaces tickers of the source by those of a table, on the dates for which it says so; others stay as they are.
 *
 * @param table `ticker`, `other` (as the source has it), and `from` and `to` (both included; null is open) if it has them
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If two rows of the table have one ticker of the source on one date
 */
export function matchTickers(rows: DataFrame, table: DataFrame): DataFrame {
  const action = "read prices with tickers";
  assertFrame(action, table);
  assertColumns(action, table, ["ticker", "other"]);
  const bound = (name: string, open: number) =>
    pl.Series(
      name,
      table.columns.includes(name)
        ? readDays(action, table, name, { open })
        : new Int32Array(table.height).fill(open),
      pl.Int32,
    );
  const known = table.select("ticker", "other").rename({ ticker: "own", other: "ticker" })
    .withColumns(bound("from", -NEVER), bound("to", NEVER));
  const day = pl.col("date").cast(pl.Int32);
  const found = rows.select("date", "ticker").unique().join(known, { on: "ticker", how: "inner" })
    .filter(pl.col("from").ltEq(day).and(pl.col("to").gtEq(day))).select("date", "ticker", "own");
  if (found.select("date", "ticker").unique().height < found.height) {
    throw new RangeError(
      `Cannot ${action}: expected one ticker on each date for one of the source, got two rows of the table; give ` +
        "from and to dates that do not overlap",
    );
  }
  return rows.join(found, { on: ["date", "ticker"], how: "left" })
    .withColumns(pl.col("own").fillNull(pl.col("ticker")).alias("ticker")).drop("own");
}
