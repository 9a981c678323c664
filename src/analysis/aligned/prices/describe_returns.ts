import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { sampleText } from "../../../base/wording/sentences/sample_text.ts";
import type { PriceGrid } from "./price_grid.ts";
import { WHY, type WindowReturns } from "./window_returns.ts";

/** Forward returns to describe. */
export interface DescribedReturns {
  /** The sessions, as dates. */
  readonly sessions: readonly string[];
  /** The market, which names the periods. */
  readonly market: { readonly unit: string };
  /** The prices. */
  readonly grid: PriceGrid;
  /** The returns of each horizon. */
  readonly windows: ReadonlyMap<number, WindowReturns>;
  /** Notes on the prices. */
  readonly notes: { readonly height: number };
}

/** Number of returns by horizon in sentences: whole ones, those that end early, missing ones. */
export function describeReturns(
  { sessions, grid, windows, notes, market }: DescribedReturns,
): string {
  const head = `${sampleText(sessions, grid.tickers.length)}.`;
  const lines = [...windows].map(([horizon, { why }]) => {
    let [plain, ended, none] = [0, 0, 0];
    for (let cell = 0; cell < why.length; cell++) {
      if (grid.present[cell] === 0) continue;
      if (why[cell] === WHY.plain) plain++;
      else if (why[cell] === WHY.ended) ended++;
      else none++;
    }
    return `At ${countText(horizon, "session")}, ${countText(plain, "return")} ${
      plain === 1 ? "is" : "are"
    } whole, ${groupThousands(ended)} ${
      ended === 1 ? "ends" : "end"
    } at the last close of a delisted stock, ${groupThousands(none)} ${
      none === 1 ? "is" : "are"
    } missing.`;
  });
  const found = notes.height === 0
    ? []
    : [`The frame notes lists ${countText(notes.height, "finding")} on the prices.`];
  return periodText([head, ...lines, ...found].join("\n"), market.unit);
}
