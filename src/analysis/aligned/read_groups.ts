import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { DenseGroups } from "../dense/dense_scores.ts";
import { readDays, readTexts } from "../table/read_columns.ts";
import pl from "nodejs-polars";

const ACTION = "align scores with groups";
const NEVER = 2_932_896;

/**
 * Lays groups out as sessions × tickers.
 *
 * @param groups `ticker`, `group`, and if groups change `from` and `to` (dates, both included; null is open)
 * @throws {TypeError} If a column is missing, or a ticker has two groups in one session
 */
export function readGroups(
  groups: DataFrame,
  of: { days: Int32Array; tickers: readonly string[] },
): DenseGroups {
  assertFrame(ACTION, groups);
  const { names: tickers, codes: tickerOf } = readTexts(ACTION, groups, "ticker");
  const { names, codes: groupOf } = readTexts(ACTION, groups, "group");
  const [from, to] = [bounds(groups, "from", -NEVER), bounds(groups, "to", NEVER)];
  const places = new Map(of.tickers.map((ticker, place) => [ticker, place]));
  const width = of.tickers.length;
  const codes = new Int32Array(of.days.length * width).fill(-1);
  for (let row = 0; row < tickerOf.length; row++) {
    const ticker = places.get(tickers[tickerOf[row]!] ?? "");
    if (ticker === undefined || groupOf[row] === -1) continue;
    for (const [d, day] of of.days.entries()) {
      if (day < from[row]! || day > to[row]!) continue;
      const known = codes[d * width + ticker]!;
      if (known !== -1 && known !== groupOf[row]) {
        throw new TypeError(
          `Cannot ${ACTION}: one group a ticker and session is required, ` +
            `${of.tickers[ticker]} is in ${names[known]} and ${names[groupOf[row]!]}; ` +
            "give from and to dates that do not overlap",
        );
      }
      codes[d * width + ticker] = groupOf[row]!;
    }
  }
  const areUndated = !groups.columns.includes("from") && !groups.columns.includes("to");
  return { names, codes, areUndated };
}

function bounds(groups: DataFrame, name: string, open: number): Int32Array {
  if (!groups.columns.includes(name)) return new Int32Array(groups.height).fill(open);
  const filled = groups.select(pl.col(name).cast(pl.Date).cast(pl.Int32).fillNull(pl.lit(open)));
  return readDays(ACTION, filled.withColumns(pl.col(name).cast(pl.Int32).cast(pl.Date)), name);
}
