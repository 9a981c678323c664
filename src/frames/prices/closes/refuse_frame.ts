import type { DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { isSplitBy, moveText, tryFactor } from "./factor_readings.ts";
import { priceColumns } from "./price_columns.ts";
import { sortRows } from "./sorted_rows.ts";

/**
 * Refuses closes of a frame that may be raw: beside adjusted ones, or one of several that no name tells apart.
 *
 * @param call Text of the option that names a column
 * @throws {TypeError} If the frame has several columns of closes, with their names
 */
export function refuseTwoCloses(
  action: string,
  columns: readonly string[],
  call: (name: string) => string,
): void {
  if (!columns.includes("close") || columns.includes("raw")) return;
  const { closes } = priceColumns(columns, {});
  const adjusted = closes.filter(({ claim }) => claim === "adjusted");
  const meant = adjusted.length > 0 ? adjusted : closes.filter(({ claim }) => claim === "plain");
  if (adjusted.length === 0 && meant.length < 2) return;
  const names = closes.map(({ name }) => describe(name)).join(" and ");
  const calls = meant.map(({ name }) => call(name)).join(" or ");
  throw new TypeError(
    `Cannot ${action}: expected one column of closes, got ${names}; use ${calls}, the one that is ` +
      "adjusted for splits and dividends",
  );
}

/**
 * Refuses closes of a frame that the factors beside them show as traded.
 *
 * @param frame `date`, `ticker`, `close` and the factors
 * @throws {TypeError} With the call that adjusts them
 */
export function refuseUnadjusted(action: string, frame: DataFrame): void {
  const rows = sortRows(frame);
  for (const name of factorNames(frame.columns)) {
    const trial = tryFactor(rows, rows.numbers("close"), rows.numbers(name));
    if (!isSplitBy(trial)) continue;
    const { row, move, added } = trial.moves.toSorted((a, b) =>
      Math.abs(b.added[trial.best]) - Math.abs(a.added[trial.best])
    )[0]!;
    const moves = `${moveText(move)} as it is, ${moveText(move + added[trial.best])} with it`;
    throw new TypeError(
      `Cannot ${action}: expected closes that are adjusted for splits and dividends, got ${name} ` +
        `beside closes as traded (${rows.place(row)} ${moves}); use ` +
        `readPrices(prices, { factor: { ${trial.best}: ${describe(name)} } })`,
    );
  }
}

/** Columns of factors of a frame of closes. */
export function factorNames(columns: readonly string[]): readonly string[] {
  return priceColumns(columns, { close: "close" }).factors.map(({ name }) => name);
}
