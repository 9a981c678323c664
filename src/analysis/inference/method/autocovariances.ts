import { demean } from "../../../base/statistics/moments.ts";

/** Autocovariances of values at lags 0 … lags, each divided by n. */
export function autocovariances(values: ArrayLike<number>, lags: number): Float64Array {
  const n = values.length;
  const x = demean(values);
  return Float64Array.from({ length: lags + 1 }, (_, lag) => {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += x[t]! * x[t - lag]!;
    return sum / n;
  });
}
