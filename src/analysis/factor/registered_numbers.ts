import pl, { type DataFrame } from "nodejs-polars";
import { dayLit, rowsBefore } from "../../frames/frame/provenance/held_out.ts";
import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { align } from "../aligned/align.ts";
import { forwardReturns } from "../aligned/prices/forward_returns.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { informationSummary } from "../series/information_summary.ts";

interface Plan {
  readonly horizons: readonly number[];
  readonly universe: string | readonly string[] | null;
  readonly minNames: number;
}

interface Sample {
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly pricesBefore: string | null;
}

/** Mean rank IC of a registered test in one sample, with its test, for each horizon of the plan. */
export function registeredNumbers(
  plan: Plan,
  { scores, prices }: { readonly scores: DataFrame; readonly prices: DataFrame },
  sample: Sample,
): readonly RegisteredNumber[] {
  const { name, from, to, pricesBefore } = sample;
  const late = from === null ? scores : scores.filter(pl.col("date").gtEq(dayLit(from)));
  const early = to === null ? late : late.filter(pl.col("date").ltEq(dayLit(to)));
  const seen = pricesBefore === null ? early : rowsBefore(early, pricesBefore);
  const rows = inUniverse(seen, plan.universe);
  const known = pricesBefore === null ? prices : rowsBefore(prices, pricesBefore);
  if (rows.height === 0 || known.height === 0) {
    throw new RangeError(
      `Cannot run the registered test: expected scores and prices in the sample ${name}, got ${rows.height} score rows ` +
        `and ${known.height} of prices; look at the dates and the universe of the plan`,
    );
  }
  const aligned = align(rows, forwardReturns(known, { periods: plan.horizons }));
  const ic = informationCoefficient(aligned, { minNames: plan.minNames });
  const table = informationSummary(ic).table.toRecords();
  return plan.horizons.map((horizon) => {
    const row = table.find((one) => one.horizon === horizon);
    const { sessions = 0, mean = null, low = null, high = null, p = null } = row ?? {};
    return { sample: name, horizon, sessions: sessions ?? 0, meanIc: mean, low, high, p };
  });
}

function inUniverse(scores: DataFrame, universe: Plan["universe"]): DataFrame {
  if (universe === null) return scores;
  return typeof universe === "string"
    ? scores.filter(pl.col("universe").eq(pl.lit(universe)))
    : scores.filter(pl.col("ticker").isIn([...universe]));
}
