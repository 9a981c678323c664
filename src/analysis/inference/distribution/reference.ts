import { UPPER_END } from "../../../base/statistics/moments.ts";
import {
  normalQuantile,
  normalTwoSided,
  studentQuantile,
  studentTwoSided,
} from "./distributions.ts";

/** Reference distribution of a t ratio. */
export interface Reference {
  /** Degrees of freedom of Student's t; `null` for another distribution. */
  readonly df: number | null;
  /** Two-sided p value of a ratio. */
  pOf(t: number): number;
  /** Two-sided critical value at 5%. */
  readonly critical: number;
  /** Quantile at 80%. */
  readonly fourFifths: number;
}

/** Student's t as the reference. */
export function studentReference(df: number): Reference {
  return {
    df,
    pOf: (t) => studentTwoSided(t, df),
    critical: studentQuantile(UPPER_END, df),
    fourFifths: studentQuantile(0.8, df),
  };
}

/** The normal distribution as the reference. */
export const NORMAL: Reference = {
  df: null,
  pOf: normalTwoSided,
  critical: normalQuantile(UPPER_END),
  fourFifths: normalQuantile(0.8),
};
