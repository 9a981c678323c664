import { StatedResult } from "../table/stated_result.ts";
import type { DataFrame } from "nodejs-polars";
import { type OptionRules, type Rule, ruleOf } from "../../base/arguments/check_options.ts";
import type { ColumnTable } from "../../frames/frame/typed/columns.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { reconcile } from "../factor_test/reconcile.ts";
import type { specificationCurve } from "../selection/specification_curve.ts";
import { CAPACITY_COLUMNS } from "../series/costs/capacity.ts";
import { HOLDING_COLUMNS } from "../series/costs/holding_periods.ts";

/** Results on the same scores that a judgement states beside those of the analysis. */
export interface JudgementOptions {
  /**
   * Result of {@link specificationCurve}. Adds the range of the mean IC over all specifications, and their joint p value, to
   * multiple testing.
   *
   * @default none
   */
  readonly curve?: Awaited<ReturnType<typeof specificationCurve>>;
  /**
   * Result of {@link reconcile}. Adds the share of rows of the release that differ from the scores known at the time, and the
   * difference of the mean ICs, to robustness.
   *
   * @default none
   */
  readonly reconciled?: ReturnType<typeof reconcile>;
  /**
   * Result of {@link capacity}. Adds the capital at which the mean net return is zero to turnover and costs.
   *
   * @default none
   */
  readonly capacity?: TableFrame<typeof CAPACITY_COLUMNS>;
  /**
   * Result of {@link holdingPeriods}. Adds the holding period with the highest net return to turnover and costs.
   *
   * @default none
   */
  readonly holdingPeriods?: TableFrame<typeof HOLDING_COLUMNS>;
}

/** Rules of the options that a judgement and a tear sheet share. */
export const JUDGEMENT_RULES: OptionRules<JudgementOptions> = {
  curve: ruleOf(
    "the result of specificationCurve()",
    (value) => value instanceof StatedResult && "summary" in value.tables,
  ),
  reconciled: ruleOf(
    "the result of reconcile()",
    (value) => value instanceof StatedResult && "ics" in value.tables,
  ),
  capacity: resultTable("the result of capacity()", CAPACITY_COLUMNS),
  holdingPeriods: resultTable("the result of holdingPeriods()", HOLDING_COLUMNS),
};

/** A frame with at least the columns of a result and a row. */
function resultTable<Table extends ColumnTable>(
  required: string,
  columns: Table,
): Rule<TableFrame<Table>> {
  const names = Object.keys(columns);
  return ruleOf(required, (value) => {
    const frame = value as Partial<DataFrame> | null;
    return Array.isArray(frame?.columns) && (frame.height ?? 0) > 0 &&
      names.every((name) => frame.columns!.includes(name));
  });
}
