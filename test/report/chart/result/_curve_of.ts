import pl from "nodejs-polars";
import { framed } from "../../../../src/frames/frame/typed/frame_of.ts";
import { type specificationCurve, StatedResult } from "../../../../src/analysis/mod.ts";

/** A specification with its estimate. */
export interface CurveRow {
  readonly horizon: number;
  readonly period: string;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A specification curve of rows, as `specificationCurve()` would give it. */
export function curveOf(
  rows: readonly CurveRow[],
  joint: number | null,
): Awaited<ReturnType<typeof specificationCurve>> {
  const column = (name: keyof CurveRow, type: typeof pl.Utf8 | typeof pl.Float64) =>
    pl.Series(name, rows.map((row) => row[name]), type);
  const same = (name: string, value: string | number) => pl.Series(name, rows.map(() => value));
  return new StatedResult(
    "",
    framed(pl.DataFrame([
      pl.Series("horizon", rows.map(({ horizon }) => horizon), pl.Int32),
      same("entry", "next"),
      same("correlation", "spearman"),
      same("neutral", "none"),
      same("winsor", 0.01),
      same("buckets", 5),
      column("period", pl.Utf8),
      same("sessions", 480),
      ...(["mean", "low", "high"] as const).map((name) => column(name, pl.Float64)),
      pl.Series("p", rows.map(({ low }) => low === null ? null : 0.04), pl.Float64),
    ])),
    {
      summary: framed(pl.DataFrame([
        pl.Series("significant", [0.25], pl.Float64),
        pl.Series("p_median", [joint], pl.Float64),
      ])),
    },
  );
}
