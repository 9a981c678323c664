import pl, { type DataFrame } from "nodejs-polars";
import { studentTwoSided } from "../inference/distribution/distributions.ts";
import { deviationOf, meanOf } from "../../statistics/moments.ts";
import { readNumbers } from "../table/read_columns.ts";

interface Row {
  readonly horizon: number;
  readonly n: number;
  readonly mean: number;
  readonly deviation: number;
  readonly skewness: number;
  readonly kurtosis: number;
}

/**
 * The information table of alphalens, for comparison with its sheets only: its t takes neighbouring sessions for independent, which
 * for a horizon of 5 sessions calls a third of pure noise significant. Without this bias: `informationSummary()`.
 *
 * One row per horizon: `horizon`, `mean`, `deviation` (n − 1), `ratio`, `t` and `p` of a plain t test, `skewness` and `kurtosis` (biased, the
 * latter less 3), `n`.
 *
 * @param ic The result of {@link informationCoefficient}
 * @returns A frame of one row per horizon
 * @see alphalens-reloaded 0.5.1, `plot_information_table` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { informationTable } from "scoreframe/analysis";
 *
 * const ic = pl.DataFrame({ horizon: [1, 1, 1], ic: [0.1, 0.2, 0.3] });
 * const [ratio] = informationTable(ic).getColumn("ratio").toArray();
 * if (Math.abs(Number(ratio) - 2) > 1e-12) throw new Error("mean over deviation");
 * ```
 */
export function informationTable(ic: DataFrame): DataFrame {
  const action = "make the information table";
  const horizons = readNumbers(action, ic, "horizon");
  const values = readNumbers(action, ic, "ic");
  const rows = [...new Set(horizons)].toSorted((a, b) => a - b).map((horizon) =>
    rowOf(horizon, values.filter((value, i) => horizons[i] === horizon && !Number.isNaN(value)))
  );
  const t = ({ mean, deviation, n }: Row) => mean / deviation * Math.sqrt(n);
  const number = (name: string, read: (row: Row) => number) =>
    pl.Series(
      name,
      rows.map(read).map((value) => Number.isFinite(value) ? value : null),
      pl.Float64,
    );
  return pl.DataFrame([
    pl.Series("horizon", rows.map(({ horizon }) => horizon), pl.Int32),
    number("mean", ({ mean }) => mean),
    number("deviation", ({ deviation }) => deviation),
    number("ratio", ({ mean, deviation }) => mean / deviation),
    number("t", t),
    number("p", (row) => Number.isFinite(t(row)) ? studentTwoSided(t(row), row.n - 1) : NaN),
    number("skewness", ({ skewness }) => skewness),
    number("kurtosis", ({ kurtosis }) => kurtosis),
    pl.Series("n", rows.map(({ n }) => n), pl.Int32),
  ]);
}

function rowOf(horizon: number, values: Float64Array): Row {
  const n = values.length;
  const mean = n === 0 ? NaN : meanOf(values);
  const moment = (power: number) =>
    values.reduce((sum, value) => sum + (value - mean) ** power, 0) / n;
  return {
    horizon,
    n,
    mean,
    deviation: deviationOf(values) ?? NaN,
    skewness: moment(3) / moment(2) ** 1.5,
    kurtosis: moment(4) / moment(2) ** 2 - 3,
  };
}
