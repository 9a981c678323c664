import { isConstant, meanOf } from "../../base/statistics/moments.ts";
import { studentTwoSided } from "../inference/distribution/distributions.ts";
import { stationaryBlockLength } from "../inference/method/block_length.ts";
import { stationaryDraws } from "../inference/method/stationary_bootstrap.ts";
import { toObservations } from "../inference/observations.ts";
import type { Reason } from "../reason.ts";
import {
  comparedStatistic,
  criticalValue,
  drawnMaxima,
  shareBeyond,
  stepwiseP,
} from "./family_p.ts";
import {
  familyDegrees,
  type FamilyPlan,
  LEAST_COSINES,
  type MadeFamily,
  makeFamily,
} from "./make_family.ts";
import type { CommonVariants, VariantSeries } from "./read_variants.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";

/** Options of {@link testFamily}, with every default stated. */
export interface FamilyOptions {
  /** White's reality check (2000), Hansen's SPA (2005), or Romano and Wolf's StepM (2005). */
  readonly method: "reality-check" | "spa" | "stepm";
  readonly studentize: FamilyPlan["studentize"];
  readonly isTwoSided: boolean;
  readonly draws: number;
  readonly seed: number;
  /** Mean length of a block; `null` for the automatic one. */
  readonly block: number | null;
  readonly level: number;
}

/** A variant with its adjusted p value. */
export interface FamilyRow extends VariantSeries {
  readonly n: number;
  readonly mean: number | null;
  readonly standardError: number | null;
  readonly t: number | null;
  readonly df: number | null;
  readonly p: number | null;
  readonly adjusted: number | null;
  readonly reason: Reason | null;
}

/** The test that the best of all variants has no relation. */
export interface FamilyTest {
  readonly variants: number;
  readonly sessions: number;
  readonly overlap: number;
  readonly block: number;
  readonly draws: number;
  readonly statistic: number;
  readonly critical: number;
  readonly lower: number;
  readonly consistent: number;
  readonly upper: number;
}

/** The variants, best first and those without a test last, and the test of all of them; `null` if none can be tested. */
export interface TestedFamily {
  readonly rows: readonly FamilyRow[];
  readonly test: FamilyTest | null;
}

/** Tests the variants of a family with one set of draws. */
export function testFamily(
  { variants, short }: Pick<CommonVariants, "variants" | "short">,
  options: FamilyOptions,
): TestedFamily {
  const facts = variants.map((one) => ({ ...one, ...factsOf(one) }));
  const tested = facts.filter(({ reason }) => reason === null);
  const few = short.map((one) => ({ ...one, overlap: 1, reason: "too_few_windows" as const }));
  const missing = [...facts.filter(({ reason }) => reason !== null), ...few].map(withoutTest);
  if (tested.length === 0) return { rows: missing, test: null };
  const n = tested[0]!.series.values.length;
  const overlaps = tested.map(({ overlap }) => overlap);
  const block = options.block ?? familyBlock(tested.map(({ series }) => series.values), overlaps);
  const { draws: count, seed, isTwoSided, studentize } = options;
  const family = makeFamily(
    tested.map(({ series }) => series.values),
    stationaryDraws({ n, block, draws: count, seed }),
    { studentize, isTwoSided, block, count, overlaps },
  );
  const judged = judge(family, options);
  const rows = tested.map((one, k) => ({ one, k }))
    .toSorted((a, b) => comparedStatistic(family, b.k) - comparedStatistic(family, a.k))
    .map(({ one, k }) => rowOf(one, { family, k, adjusted: judged.adjusted[k]! }));
  const whole = { variants: tested.length, sessions: n, overlap: Math.max(...overlaps) };
  return {
    rows: [...rows, ...missing],
    test: { ...whole, block, draws: count, ...judged.test },
  };
}

function judge(family: MadeFamily, { method, level }: FamilyOptions) {
  const best = Math.max(...family.statistics.map((_, k) => comparedStatistic(family, k)));
  const maxima = {
    lower: drawnMaxima(family, "lower"),
    consistent: drawnMaxima(family, "consistent"),
    upper: drawnMaxima(family, "upper"),
  };
  const usual = maxima[method === "reality-check" ? "upper" : "consistent"];
  const adjusted = method === "stepm"
    ? stepwiseP(family, "consistent")
    : family.statistics.map((_, k) => shareBeyond(usual, comparedStatistic(family, k)));
  return {
    adjusted,
    test: {
      statistic: best,
      critical: criticalValue(usual, level),
      lower: shareBeyond(maxima.lower, best),
      consistent: shareBeyond(maxima.consistent, best),
      upper: shareBeyond(maxima.upper, best),
    },
  };
}

/** Mean of the automatic block lengths, at least twice the largest overlap. */
function familyBlock(columns: readonly Float64Array[], overlaps: readonly number[]): number {
  return Math.max(1, meanOf(columns.map(stationaryBlockLength)), 2 * Math.max(...overlaps));
}

interface Facts {
  readonly overlap: number;
  readonly reason: Reason | null;
}

function factsOf({ series }: VariantSeries): Facts {
  const { values, overlap } = toObservations(series);
  if (values.length < LEAST_SESSIONS || familyDegrees(values.length, overlap) < LEAST_COSINES) {
    return { overlap, reason: "too_few_windows" };
  }
  return { overlap, reason: isConstant(values) ? "no_variance" : null };
}

function rowOf(
  { variant, series }: VariantSeries,
  { family, k, adjusted }: {
    readonly family: MadeFamily;
    readonly k: number;
    readonly adjusted: number;
  },
): FamilyRow {
  const mean = meanOf(series.values);
  const standardError = family.standardErrors[k]!;
  const df = family.degrees?.[k] ?? null;
  const t = mean / standardError;
  const p = df === null ? null : studentTwoSided(t, df);
  const n = series.values.length;
  return { variant, series, n, mean, standardError, t, df, p, adjusted, reason: null };
}

function withoutTest({ variant, series, reason }: VariantSeries & Facts): FamilyRow {
  const nothing = { standardError: null, t: null, df: null, p: null, adjusted: null };
  const n = series.values.length;
  return { variant, series, n, mean: n === 0 ? null : meanOf(series.values), ...nothing, reason };
}
