import { emptyIcValues, type IcValues } from "../../dense/rank/rank_correlation.ts";
import type { RankIcInput } from "./rank_ic.ts";

/** Pearson's correlation of scores with the returns of each horizon, session by session, in two passes each. */
export function pearsonIc(
  input: RankIcInput,
  part: { readonly codes: Int32Array; readonly code: number } | null,
): readonly IcValues[] {
  const { scores, returns, span: [from, to], width, minNames } = input;
  return returns.map((values) => {
    const result = emptyIcValues(to - from);
    const [x, y] = [new Float64Array(width), new Float64Array(width)];
    for (let d = from; d < to; d++) {
      let n = 0;
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        const has = !Number.isNaN(scores[cell]!) && !Number.isNaN(values[cell]!) &&
          (part === null || part.codes[cell] === part.code);
        if (!has) continue;
        x[n] = scores[cell]!;
        y[n++] = values[cell]!;
      }
      result.counts[d - from] = n;
      const reason = reasonOf(x, y, { n, minNames });
      result.reasons[d - from] = reason;
      if (reason === 0) result.values[d - from] = correlation(x, y, n);
    }
    return result;
  });
}

function reasonOf(
  x: Float64Array,
  y: Float64Array,
  { n, minNames }: { n: number; minNames: number },
): number {
  if (n < Math.max(minNames, 2)) return 1;
  if (isConstant(x, n)) return 2;
  return isConstant(y, n) ? 3 : 0;
}

function isConstant(values: Float64Array, n: number): boolean {
  for (let i = 1; i < n; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** Pearson's correlation of the first n values, which are not all equal. */
export function correlation(x: Float64Array, y: Float64Array, n: number): number {
  let [meanX, meanY] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanX += x[i]! / n;
    meanY += y[i]! / n;
  }
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [a, b] = [x[i]! - meanX, y[i]! - meanY];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}
