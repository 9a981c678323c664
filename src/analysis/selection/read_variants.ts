import { wrongKind } from "../../base/arguments/list_text.ts";
import { FactorAnalysis } from "../factor/factor_analysis.ts";
import { onCommonSessions } from "../series/common_sessions.ts";
import { readSeries, type SeriesInput, type SeriesOptions } from "../series/read_series.ts";
import type { SessionSeries } from "../inference/session_series.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";

/** The series of variants by name: of each a frame by session, or an analysis, of which the ICs are taken. */
export type Variants = Readonly<Record<string, SeriesInput | FactorAnalysis>>;

const LEAST_SHARE = 0.5;

/** A series of a variant. */
export interface VariantSeries {
  /** Name of the variant. */
  readonly variant: string;
  /** Its values. */
  readonly series: SessionSeries;
}

/** The series of variants, over the sessions in which all of them have a value. */
export interface CommonVariants {
  /** Series with a value in each of these sessions. */
  readonly variants: readonly VariantSeries[];
  /** Series with fewer values than any test takes or in fewer than half of the sessions, which would leave few to the others. */
  readonly short: readonly VariantSeries[];
  /** Number of sessions in which any of them has a value. */
  readonly sessions: number;
}

/**
 * Reads the series of variants: one for each horizon and group of each.
 *
 * @param action What needs them, worded to follow "Cannot"
 * @throws {TypeError} If they are not an object of frames or analyses
 */
export function readVariants(
  action: string,
  variants: unknown,
  options: SeriesOptions,
): CommonVariants {
  if (!isNamed(variants)) {
    throw wrongKind(action, variants, {
      expected: "the series of variants by name",
      advice:
        "such as { level: icOfLevel, change: icOfChange }, each a frame with session and ic, or an analysis",
    });
  }
  const all = Object.entries(variants).flatMap(([variant, input]) =>
    readSeries(
      `${action} (variant ${variant})`,
      input instanceof FactorAnalysis ? input.ic : input as SeriesInput,
      options,
    ).map((series): VariantSeries => ({ variant, series }))
  );
  // A series alone is left without its nulls.
  const values = all.map((one) => ({ ...one, series: onCommonSessions([one.series])[0]! }));
  const sessions = new Set(values.flatMap(({ series: { days } }) => [...days])).size;
  const least = Math.max(LEAST_SESSIONS, LEAST_SHARE * sessions);
  const isLong = ({ series }: VariantSeries) => series.values.length >= least;
  const long = values.filter(isLong);
  const common = onCommonSessions(long.map(({ series }) => series));
  return {
    variants: long.map(({ variant }, i) => ({ variant, series: common[i]! })),
    short: values.filter((one) => !isLong(one)),
    sessions,
  };
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length > 0;
}
