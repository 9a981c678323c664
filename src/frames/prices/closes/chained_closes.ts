import type { DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { missingText, type ReadPricesOptions } from "../prices_options.ts";
import { sortRows } from "./sorted_rows.ts";

/** Numbers that vendors write for a missing value, such as -99.99 and -999. */
export const MISSING_CODE = /^-9{2,}(\.9+)?$/;
const SAME = 5e-5;

/**
 * An index that has the returns of a column, with those of a delisting in its last row; it begins at 1 + the first return.
 * Returns of a delisting that equal those of their rows are in them already.
 *
 * @param frame `date`, `ticker`, `returns` and, if there are any, `delisting`
 * @param options Those of `readPrices()`
 * @param name The column of the returns, if they are of a frame that `readPrices()` has not read
 * @returns `date`, `ticker` and `close`, in the order of the frame
 * @throws {RangeError} If a return is below −1
 */
export function chainedCloses(
  action: string,
  frame: DataFrame,
  options: Pick<ReadPricesOptions, "missing" | "percent">,
  name?: string,
): DataFrame {
  const rows = sortRows(frame);
  const [returns, last] = [rows.numbers("returns"), rows.numbers("delisting")];
  const unit = options.percent === true ? 100 : 1;
  const wrong = returns.findIndex((value) => value < -unit || MISSING_CODE.test(String(value)));
  if (wrong !== -1) {
    const got = `${returns[wrong]} on ${rows.place(wrong).replace(" ", " for ")}`;
    const advice = returnsAdvice(String(returns[wrong]), options, name);
    throw new RangeError(
      `Cannot ${action}: expected returns of at least -${unit}, got ${got}; ${advice}`,
    );
  }
  const isIn = holdDelistings(returns, last);
  let level = 1;
  const closes = returns.map((value, row) => {
    if (rows.tickers[row] !== rows.tickers[row - 1]) level = 1;
    const delisting = isIn ? NaN : last[row]!;
    if (Number.isNaN(value) && Number.isNaN(delisting)) return NaN;
    const [own, more] = [value, delisting].map((part) => Number.isNaN(part) ? 0 : part / unit);
    level *= (1 + own!) * (1 + more!);
    return level;
  });
  return frame.select("date", "ticker").withColumns(rows.inFrame("close", closes));
}

/** `true` if the returns hold those of a delisting: where a row has both, they are the same. */
function holdDelistings(returns: Float64Array, last: Float64Array): boolean {
  const both = last.reduce<number[]>((rows, value, row) => {
    if (value === value && returns[row] === returns[row]) rows.push(row);
    return rows;
  }, []);
  return both.length > 0 &&
    both.filter((row) => Math.abs(returns[row]! - last[row]!) <= SAME).length > both.length / 2;
}

function returnsAdvice(
  value: string,
  options: Pick<ReadPricesOptions, "missing" | "percent">,
  name: string | undefined,
): string {
  if (MISSING_CODE.test(value)) {
    const missing = `use missing: ${missingText(options, value)}`;
    return `${name === undefined ? missing : "make it null"} if it stands for no return`;
  }
  if (options.percent === true) return "correct the file";
  const call = name === undefined
    ? "percent: true"
    : `readPrices(prices, { returns: ${describe(name)}, percent: true })`;
  return `use ${call} if they are in percent`;
}
