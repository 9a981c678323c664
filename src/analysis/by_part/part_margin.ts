import type { ForwardReturnsOptions } from "../aligned/prices/forward_returns.ts";
import type { AnalysisPlan } from "../factor/analysis_options.ts";

/** How many sessions beside a part its tables need. */
export interface PartMargin {
  /** Sessions before the part. */
  readonly before: number;
  /** Sessions after it. */
  readonly after: number;
}

// The last bin of ages is open from here on.
const OLDEST_AGE = 63;

/** The sessions that a part needs: earlier ones for ages and overlapping windows, later ones for returns. */
export function marginOf(
  { periods, lags, align }: AnalysisPlan,
  { entryLag = 0 }: Pick<ForwardReturnsOptions, "entryLag">,
): PartMargin {
  const longest = Math.max(...periods);
  return {
    before: Math.max(longest, OLDEST_AGE, (align.maxAgeSessions ?? 0) + 1),
    after: entryLag + Math.max(longest, ...lags),
  };
}
