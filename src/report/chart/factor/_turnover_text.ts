import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { decimalText, percentText } from "../../../base/wording/number_text.ts";
import { meanOfKnown, numberIn, type Row, rowsOf, withNumber } from "../grammar/values.ts";

/** Shares of new stocks. Rows as objects would take longer than the picture. */
export interface FreshShares {
  /** The shares that are known, by quantile, the lowest first. */
  readonly byQuantile: readonly (readonly [quantile: number, shares: readonly number[]])[];
  /** Session and quantile of the largest share; `null` of none. */
  readonly most:
    | { readonly share: number; readonly quantile: number; readonly session: string }
    | null;
}

/** Reads the shares of an analysis. */
export function freshOf({ turnover }: FactorAnalysis): FreshShares {
  const quantiles = turnover.getColumn("quantile").toArray() as readonly number[];
  const shares = turnover.getColumn("turnover").toArray() as readonly (number | null)[];
  const found = new Map<number, number[]>();
  let place = -1;
  for (const [row, share] of shares.entries()) {
    const own = found.get(quantiles[row]!) ?? [];
    if (own.length === 0) found.set(quantiles[row]!, own);
    if (share === null || Number.isNaN(share)) continue;
    own.push(share);
    if (place === -1 || share > shares[place]!) place = row;
  }
  const [row] = place === -1 ? [] : rowsOf(turnover.slice(place, 1), ["session"]);
  return {
    byQuantile: [...found].toSorted(([a], [b]) => a - b),
    most: row === undefined
      ? null
      : { share: shares[place]!, quantile: quantiles[place]!, session: String(row["session"]) },
  };
}

/** The first row with the lowest rank autocorrelation; rows without one do not count. */
function lowest(ranks: readonly Row[]): Row | undefined {
  const known = withNumber(ranks, "autocorrelation");
  return known.reduce<Row | undefined>(
    (a, b) =>
      a !== undefined && numberIn(a, "autocorrelation") <= numberIn(b, "autocorrelation") ? a : b,
    undefined,
  );
}

/** Turnover and rank autocorrelation in sentences. */
export function describeTurnover({ fresh, ranks, step }: {
  readonly fresh: FreshShares;
  readonly ranks: readonly Row[];
  readonly step: "session" | "signal";
}): string {
  const mean = meanOfKnown(fresh.byQuantile.flatMap(([, shares]) => shares));
  const rank = meanOfKnown(ranks.map((row) => numberIn(row, "autocorrelation")));
  if (mean === null || fresh.most === null || rank === null) {
    return "No two adjacent sessions have new scores to compare.";
  }
  const { share, quantile, session } = fresh.most;
  const least = lowest(ranks);
  return `On average ${percentText(mean)} of a quantile's stocks are new each ${step} (${
    byBucket(fresh)
  } from the lowest quantile to the highest), most in quantile ${quantile} on ${session} (${
    percentText(share)
  }). The rank autocorrelation between adjacent ${step}s averages ${
    decimalText(rank, 3)
  }, with its lowest on ${least!["session"]} (${
    decimalText(numberIn(least, "autocorrelation"), 3)
  }).`;
}

function byBucket({ byQuantile }: FreshShares): string {
  return byQuantile.map(([, shares]) => {
    const mean = meanOfKnown(shares);
    return mean === null ? "none" : percentText(mean);
  }).join(", ");
}
