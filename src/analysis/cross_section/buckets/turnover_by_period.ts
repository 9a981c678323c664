import type { DataFrame } from "nodejs-polars";
import { meanOf } from "../../../base/statistics/moments.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readNumbers } from "../../table/read_columns.ts";
import { quantileTurnover } from "./quantile_turnover.ts";
import type { HasBuckets } from "./to_quantized.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const PERIOD_COLUMNS = {
  period: "count",
  quantile: "count",
  mean: "number",
  low: "number",
  high: "number",
  sessions: "count",
} as const;

const ACTION = "average the turnover of quantiles";

/**
 * Mean turnover of each quantile over several numbers of sessions: one row per number and quantile, `period`,
 * `quantile`, `mean`, `low`, `high` (5% and 95% quantiles over sessions; nearest rank), `sessions`. Null where no session has one.
 *
 * @param first Result of {@link quantileTurnover} for neighbouring sessions or signals
 * @param of The buckets and further numbers of sessions, if the buckets are in memory
 */
export function turnoverByPeriod(
  first: DataFrame,
  of: { readonly quantized: HasBuckets; readonly periods: readonly number[] } | null,
): TableFrame<typeof PERIOD_COLUMNS> {
  const further = of === null ? [] : of.periods.filter((period) => period > 1).map((period) => ({
    period,
    table: quantileTurnover(of.quantized, { period, compare: "sessions" }),
  }));
  const rows = [{ period: 1, table: first }, ...further].flatMap(({ period, table }) =>
    averages(table).map((row) => ({ period, ...row }))
  );
  return tableOfRows(rows, PERIOD_COLUMNS, {
    sessions: (row) => row.n,
  });
}

function averages(table: DataFrame) {
  const [quantiles, values] = [
    readNumbers(ACTION, table, "quantile"),
    readNumbers(ACTION, table, "turnover"),
  ];
  const count = quantiles.reduce((most, quantile) => Math.max(most, quantile), 0);
  return Array.from({ length: count }, (_, i) => {
    const own = values.filter((value, row) => quantiles[row] === i + 1 && value === value).sort();
    const at = (share: number) => own[Math.ceil(share * own.length) - 1] ?? null;
    const mean = own.length === 0 ? null : meanOf(own);
    return { quantile: i + 1, mean, low: at(0.05), high: at(0.95), n: own.length };
  });
}
