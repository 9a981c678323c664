import type { DataFrame } from "nodejs-polars";
import { toDense } from "../../dense/from_data_frame.ts";
import { presentCells } from "../../dense/to_data_frame.ts";
import { assertColumns, assertFrame } from "../../../frames/frame/assert_frame.ts";
import { readNumbers } from "../../table/read_columns.ts";
import type { Quantized } from "./quantize.ts";

/** Scores with the bucket of each session and ticker. */
export type HasBuckets = Pick<Quantized, "dense" | "buckets" | "count">;

/**
 * The buckets of the input of a statistic: the result of `quantize()`, or a frame of its rows.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If it is neither, or has no column `quantile`
 */
export function toQuantized(action: string, data: HasBuckets | DataFrame): HasBuckets {
  const given = data as Partial<HasBuckets> | null | undefined;
  if (given?.buckets instanceof Uint16Array) return data as HasBuckets;
  if ((given as { dense?: unknown } | null | undefined)?.dense !== undefined) {
    throw new TypeError(
      `Cannot ${action}: expected quantiles, got aligned scores; give the result of quantize()`,
    );
  }
  assertFrame(action, data);
  assertColumns(action, data, ["quantile"]);
  const dense = toDense(action, data);
  const buckets = new Uint16Array(dense.scores.length);
  // A frame's rows may come in any order; those of the cells do not.
  const sorted = data.sort(["session", "ticker"]);
  const quantiles = readNumbers(action, sorted, "quantile");
  let count = 0;
  for (const [row, cell] of presentCells(dense.present).entries()) {
    const bucket = quantiles[row]! || 0;
    buckets[cell] = bucket;
    if (bucket > count) count = bucket;
  }
  return { dense, buckets, count };
}
