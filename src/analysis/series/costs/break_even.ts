import { testMean } from "../../inference/test_mean.ts";
import type { SessionSeries } from "../../inference/session_series.ts";

/** The rate at which costs take the whole return, as a share of the traded value. */
export interface BreakEven {
  /** Mean return over mean traded; `null` if nothing is traded. */
  readonly rate: number | null;
  /** Lower end of its 95% interval; `null` if there is no test, or the interval has no end. */
  readonly low: number | null;
  /** Upper end of its 95% interval. */
  readonly high: number | null;
}

/**
 * The break-even rate of a portfolio, with the interval of Fieller (1954): all rates at which zero is within the
 * interval of the mean net return.
 */
export function breakEven(gross: SessionSeries, traded: Float64Array): BreakEven {
  const of = (values: Float64Array) => testMean({ ...gross, values });
  const [earned, paid] = [of(gross.values), of(traded)];
  if (earned.mean === null || paid.mean === null || paid.mean === 0) {
    return { rate: null, low: null, high: null };
  }
  const rate = earned.mean / paid.mean;
  const nothing = { rate, low: null, high: null };
  if (earned.standardError === null) return nothing;
  const critical = (earned.high! - earned.mean) / earned.standardError;
  const variance = (error: number | null) => (error ?? 0) ** 2;
  const [a, c] = [variance(earned.standardError), variance(paid.standardError)];
  const both = of(gross.values.map((value, i) => value - rate * traded[i]!));
  // The variance of gross − rate · traded is a − 2 b rate + c rate².
  const b = rate === 0 ? 0 : (a + c * rate ** 2 - variance(both.standardError)) / (2 * rate);
  const square = paid.mean ** 2 - critical ** 2 * c;
  const half = earned.mean * paid.mean - critical ** 2 * b;
  const root = half ** 2 - square * (earned.mean ** 2 - critical ** 2 * a);
  if (!(square > 0) || !(root >= 0)) return nothing;
  return { rate, low: (half - Math.sqrt(root)) / square, high: (half + Math.sqrt(root)) / square };
}
