import { demean, dot, isConstant } from "../../../base/statistics/moments.ts";

/**
 * Automatic block length of the stationary bootstrap (Politis and White, 2004, corrected by Patton, Politis and White, 2009),
 * at most a third of the number of values. It can be below 1.
 */
export function stationaryBlockLength(values: Float64Array): number {
  const n = values.length;
  if (n < 3 || isConstant(values)) return 1;
  const covariances = insignificantFrom(demean(values));
  const bandwidth = covariances.length - 1;
  let g = 0;
  let variance = covariances[0]!;
  for (let lag = 1; lag <= bandwidth; lag++) {
    const weight = Math.min(1, 2 * (1 - lag / bandwidth));
    g += 2 * weight * lag * covariances[lag]!;
    variance += 2 * weight * covariances[lag]!;
  }
  const largest = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  return Math.min(Math.cbrt(g ** 2 / variance ** 2 * n), largest);
}

// Autocovariances up to twice the lag after which a run of autocorrelations is insignificant.
function insignificantFrom(x: Float64Array): Float64Array {
  const n = x.length;
  const run = Math.max(5, Math.floor(Math.log10(n)));
  const lags = Math.min(Math.ceil(Math.sqrt(n)) + run, n - 2);
  const bound = 2 * Math.sqrt(Math.log10(n) / n);
  const covariances = new Float64Array(lags + 1);
  const squares = runningSquares(x);
  let small = 0;
  let bandwidth: number | null = null;
  for (let lag = 0; lag <= (bandwidth ?? lags); lag++) {
    if (bandwidth === null && lag >= run && small >= run) {
      bandwidth = Math.min(2 * Math.max(lag - run, 1), lags);
      if (lag > bandwidth) break;
    }
    const product = dot(x.subarray(lag), x.subarray(0, n - lag));
    covariances[lag] = product / n;
    if (bandwidth !== null) continue;
    const size = Math.sqrt((squares[n]! - squares[lag + 1]!) * squares[n - lag - 1]!);
    small = Math.abs(product) < bound * size ? small + 1 : 0;
  }
  return covariances.subarray(0, (bandwidth ?? lags) + 1);
}

/** Cumulative sums of squares, starting with 0. */
function runningSquares(x: Float64Array): Float64Array {
  const sums = new Float64Array(x.length + 1);
  for (let t = 0; t < x.length; t++) sums[t + 1] = sums[t]! + x[t]! * x[t]!;
  return sums;
}
