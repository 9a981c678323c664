import type { DataFrame } from "nodejs-polars";
import { type DateInput, toCalendarDate } from "../../base/arguments/time_input.ts";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import { align } from "../aligned/align.ts";
import { forwardReturns } from "../aligned/prices/forward_returns.ts";
import { quantize } from "../cross_section/buckets/quantize.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import type { DenseScores } from "../dense/dense_frames.ts";
import type { AnalyzeFactorOptions } from "../factor/analysis_options.ts";
import type { AlignOptions } from "../aligned/sessions/place_rows.ts";
import {
  givenOptions,
  MARKET_RULES,
  type PriceMarketOptions,
} from "../aligned/prices/price_market.ts";
import type { SessionSeries } from "../inference/tested_mean.ts";
import { onCommonSessions, readSeries } from "../series/read_series.ts";
import { forgetOrders, sortedOrders } from "../dense/rank/orders.ts";
import { drawIn } from "../transform/winsorize.ts";

/** The choices of which every combination is a specification. */
export interface Choices {
  /** Horizons in sessions. @default [1, 5, 21] */
  readonly horizons: readonly number[];
  /** Sessions of entry. @default ["next"] */
  readonly entry: readonly ("next" | "same")[];
  /** Ranks or values. @default ["spearman", "pearson"] */
  readonly correlation: readonly ("spearman" | "pearson")[];
  /** Returns as they are, or less the mean of their group. @default ["none"], with groups ["none", "group"] */
  readonly neutral: readonly ("none" | "group")[];
  /** Shares of each tail of the scores that are winsorised. @default [0, 0.01, 0.05] */
  readonly winsor: readonly number[];
  /** Numbers of buckets that scores are replaced by; 0 for the scores themselves. @default [0, 5, 10] */
  readonly buckets: readonly number[];
  /** Periods by name, each with the first and the last day that count. @default { all: {} } */
  readonly periods: Readonly<
    Record<string, { readonly from?: DateInput; readonly to?: DateInput }>
  >;
}

/** A combination of choices, but for the horizon and the period. */
type Choice = {
  readonly [Name in Exclude<keyof Choices, "horizons" | "periods">]: Choices[Name][number];
};

/** A combination of choices with its ICs. */
export type Specification = ReturnType<typeof specificationsOf>[number];

type Asked =
  & Partial<Choices>
  & Pick<AnalyzeFactorOptions, "score" | "groups" | "minNames">
  & Omit<PriceMarketOptions, "periodsPerYear">
  & { readonly signal?: AbortSignal | undefined };

/** The ICs of every combination. Returns are sorted once for each entry, scores once for each change of them. */
export async function measureSpecifications(
  action: string,
  scores: DataFrame,
  prices: DataFrame | string,
  { signal, ...asked }: Asked,
): Promise<readonly Specification[]> {
  const { horizons = [1, 5, 21], entry = ["next"], periods = { all: {} } } = asked;
  const spans = Object.entries(periods).map(([period, span]) => ({
    period,
    days: readSpan(action, period, span),
  }));
  const returns = await forwardReturns(prices, {
    periods: horizons.toSorted((a, b) => a - b),
    ...givenOptions<PriceMarketOptions>(asked, MARKET_RULES),
  });
  const found: Specification[] = [];
  for (const one of entry) {
    const { dense } = align(scores, returns, {
      entry: one,
      ...givenOptions<AlignOptions>(asked, { score: null, groups: null }),
    });
    for await (const ics of correlated(dense, asked)) {
      signal?.throwIfAborted();
      const choice = { ...ics.choice, entry: one };
      found.push(...specificationsOf(choice, readSeries(action, ics.frame), spans));
    }
  }
  return found;
}

function specificationsOf(
  choice: Choice,
  series: readonly SessionSeries[],
  spans: readonly { readonly period: string; readonly days: Days }[],
) {
  return spans.flatMap(({ period, days }) =>
    series.map((all) => {
      return { ...choice, period, horizon: all.horizon, series: within(all, days) };
    })
  );
}

/** The ICs of all horizons for each choice that changes scores or returns. */
async function* correlated(dense: DenseScores, asked: Asked) {
  const { correlation = ["spearman", "pearson"], winsor = [0, 0.01, 0.05], buckets = [0, 5, 10] } =
    asked;
  const { neutral = asked.groups === undefined ? ["none"] : ["none", "group"] } = asked;
  const sides = [...dense.returns.values()];
  const least = asked.minNames === undefined ? {} : { minNames: asked.minNames };
  try {
    for (const side of sides) sortedOrders(side, dense.tickers.length);
    for (const share of winsor) {
      for (const count of buckets) {
        const scores = changed(dense, share, count);
        for (const method of correlation) {
          for (const of of neutral) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            const options = { method, groupNeutral: of === "group", ...least } as const;
            const frame = informationCoefficient({ dense: { ...dense, scores } }, options);
            const choice = { correlation: method, neutral: of, winsor: share, buckets: count };
            yield { frame, choice } as const;
          }
        }
        forgetOrders(scores);
      }
    }
  } finally {
    sides.forEach(forgetOrders);
  }
}

function changed(dense: DenseScores, share: number, count: number): Float64Array {
  const scores = share === 0 ? dense.scores.slice() : drawIn(dense, share);
  if (count === 0) return scores;
  const { buckets } = quantize({ dense: { ...dense, scores } }, { quantiles: count });
  forgetOrders(scores);
  return Float64Array.from(buckets, (bucket) => bucket === 0 ? NaN : bucket);
}

type Days = readonly [from: number, to: number];

function readSpan(action: string, period: string, span: unknown): Days {
  const { from, to } = (span ?? {}) as Choices["periods"][string];
  const dayOf = (name: string, value: DateInput | undefined, none: number) =>
    value === undefined
      ? none
      : toEpochDay(toCalendarDate(action, `${name} of the period ${period}`, value));
  return [dayOf("from", from, -Infinity), dayOf("to", to, Infinity)];
}

function within(series: SessionSeries, [from, to]: Days): SessionSeries {
  const values = series.values.map((value, i) =>
    series.days[i]! >= from && series.days[i]! <= to ? value : NaN
  );
  return onCommonSessions([{ ...series, values }])[0]!;
}
