import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";

/** Rows of a release by column, without Polars. */
export interface ReleaseColumns {
  /** Session of each row, as epoch days. */
  readonly days: Int32Array;
  /** Number of the ticker of each row. */
  readonly numbers: Uint32Array;
  /** Score of each row; NaN stands for a missing one. */
  readonly scores: Float64Array;
  /** Tickers by their numbers. */
  readonly tickers: readonly string[];
}

/** Columns of a frame of a release, or of a lazy one, which is collected. */
export async function releaseColumns(
  frame: DataFrame | LazyDataFrame,
  factor: Factor,
): Promise<ReleaseColumns> {
  const lazy = "collect" in frame ? frame : frame.lazy();
  const score = scoreNameOf(factor);
  const rows = await lazy.select(
    pl.col("date").cast(pl.Int32),
    pl.col("ticker").cast(pl.Categorical),
    pl.col(score).fillNull(NaN),
  ).collect();
  const places = rows.getColumn("ticker");
  const names = places.unique();
  const codes = typed<Uint32Array>(names.cast(pl.UInt32));
  const tickers: string[] = names.cast(pl.Utf8).toArray();
  // Converts positions among all tickers of the process to numbers within this release.
  const numberOf = new Uint32Array(codes.reduce((a, b) => Math.max(a, b), 0) + 1);
  for (const [number, code] of codes.entries()) numberOf[code] = number;
  const numbers = typed<Uint32Array>(places.cast(pl.UInt32)).map((code) => numberOf[code]!);
  const days = typed<Int32Array>(rows.getColumn("date"));
  return { days, numbers, scores: typed<Float64Array>(rows.getColumn(score)), tickers };
}

function typed<Values>(series: pl.Series): Values {
  return series.rechunk().toTypedArray() as Values;
}
