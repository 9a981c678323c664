import { countText } from "../../inference/number_text.ts";
import type { PriceGrid } from "./price_grid.ts";
import { WHY, type WindowReturns } from "./window_returns.ts";

/** What of forward returns is described. */
export interface DescribedReturns {
  /** The sessions, as dates. */
  readonly sessions: readonly string[];
  /** The prices. */
  readonly grid: PriceGrid;
  /** The returns of each horizon. */
  readonly windows: ReadonlyMap<number, WindowReturns>;
  /** What to look at in the prices. */
  readonly notes: { readonly height: number };
}

/** Says how many returns there are for each horizon, how many end early, and how many notes there are. */
export function describeReturns(
  { sessions, grid, windows, notes }: DescribedReturns,
): string {
  const span = sessions.length === 0 ? "" : `, ${sessions[0]} to ${sessions.at(-1)}`;
  const head = `${countText(sessions.length, "session")}${span}, ` +
    `${countText(grid.tickers.length, "ticker")}.`;
  const lines = [...windows].map(([horizon, { why }]) => {
    let [plain, ended, none] = [0, 0, 0];
    for (let cell = 0; cell < why.length; cell++) {
      if (grid.present[cell] === 0) continue;
      if (why[cell] === WHY.plain) plain++;
      else if (why[cell] === WHY.ended) ended++;
      else none++;
    }
    return `${countText(horizon, "session")}: ${countText(plain, "return")}, ${ended} to a last ` +
      `close, ${none} without.`;
  });
  const large = notes.height === 0
    ? []
    : [`${countText(notes.height, "note")} on the prices: see notes.`];
  return [head, ...lines, ...large].join("\n");
}
