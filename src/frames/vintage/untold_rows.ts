import pl, { type DataFrame } from "nodejs-polars";

const IDS = ["snapshot_id", "download_sha256"];

/**
 * Counts scored rows without a set or release in a frame whose other rows have one, such as stacked rows that lost their
 * provenance.
 *
 * @param scores Names of score columns; the first existing one counts
 */
export function untoldRows(frame: DataFrame, scores: readonly string[]): number {
  const ids = IDS.filter((name) => frame.columns.includes(name));
  const score = scores.find((name) => frame.columns.includes(name));
  if (ids.length === 0 || score === undefined) return 0;
  const isTold = ids.map((name) => pl.col(name).isNotNull()).reduce((some, id) => some.or(id));
  const [told, untold] = frame.select(
    isTold.cast(pl.Float64).sum().alias("told"),
    isTold.not().and(pl.col(score).isNotNull()).cast(pl.Float64).sum().alias("untold"),
  ).row(0) as number[];
  return (told ?? 0) === 0 ? 0 : untold ?? 0;
}
