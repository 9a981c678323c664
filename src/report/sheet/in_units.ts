import pl, { type DataFrame } from "nodejs-polars";
import { BASIS_POINTS } from "../../base/wording/number_text.ts";

/** Display unit of a share or a return. */
export type Unit = "bps" | "%";

const FACTORS: Readonly<Record<Unit, number>> = { bps: BASIS_POINTS, "%": 100 };

/** A table with shares and returns in the units of sentences and charts, which the column names state. */
export function inUnits(frame: DataFrame, units: Readonly<Record<string, Unit>>): DataFrame {
  const columns = frame.columns.map((name) => {
    const unit = Object.hasOwn(units, name) ? units[name] : undefined;
    const series = frame.getColumn(name);
    if (unit === undefined) return series;
    const values = (series.toArray() as readonly (number | null)[])
      .map((value) => value === null ? null : value * FACTORS[unit]);
    return pl.Series(`${name}, ${unit}`, values, pl.Float64);
  });
  return pl.DataFrame(columns);
}
