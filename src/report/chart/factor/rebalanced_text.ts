import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";

/** Rebalancing of the portfolio of an analysis, in words. */
export function rebalancedText({ portfolio }: FactorAnalysis): string {
  const marks = portfolio.getColumn("rebalanced").toArray() as readonly boolean[];
  const traded = marks.filter(Boolean).length;
  return traded === marks.length
    ? "rebalanced each session"
    : `rebalanced in ${groupThousands(traded)} of ${countText(marks.length, "session")}`;
}
