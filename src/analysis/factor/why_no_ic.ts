import type { DataFrame } from "nodejs-polars";
import { countText } from "../../base/wording/number_text.ts";

/**
 * Reasons why no session has an IC, by horizon; horizons with one are left out.
 *
 * @param ic ICs by session and horizon
 * @param of Minimum number of stocks of a session, and scores by session
 */
export function whyNoIc(
  ic: DataFrame,
  { minNames, bySession }: { readonly minNames: number; readonly bySession: DataFrame },
): ReadonlyMap<number, string> {
  const column = (frame: DataFrame, name: string) =>
    frame.getColumn(name).toArray() as readonly (number | string | null)[];
  const [horizons, values, counts, reasons] = ["horizon", "ic", "n", "reason"]
    .map((name) => column(ic, name)) as [
      readonly number[],
      readonly (number | null)[],
      readonly number[],
      readonly (string | null)[],
    ];
  const scored = (column(bySession, "scored") as readonly number[]).some((count) => count > 0);
  const isKnown = (value: number | null) => value !== null && !Number.isNaN(value);
  return new Map(
    [...Map.groupBy(horizons.keys(), (row) => horizons[row]!)]
      .filter(([, rows]) => !rows.some((row) => isKnown(values[row]!)))
      .map(([horizon, rows]) => {
        if (!scored) return [horizon, "no row has a score"];
        const most = rows.reduce((max, row) => Math.max(max, counts[row] ?? 0), 0);
        if (most === 0) return [horizon, "no session has a stock with both a score and a return"];
        if (most < minNames) {
          const stocks = `no session has more than ${countText(most, "stock")}`;
          return [
            horizon,
            `${stocks} with both a score and a return, and ${minNames} are required (minNames)`,
          ];
        }
        const isConstant = rows.some((row) => reasons[row] === "constant_scores");
        const what = isConstant ? "scores" : "returns";
        return [horizon, `in every session all ${what} are equal`];
      }),
  );
}
