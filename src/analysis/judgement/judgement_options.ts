import { checkOptions, type OptionRules } from "../../arguments/check_options.ts";
import { Reconciled } from "../factor_test/reconcile.ts";
import { SpecificationCurve } from "../selection/specification_curve.ts";

/** Results on the same scores that a judgement states beside those of the analysis. */
export interface JudgementOptions {
  /**
   * Result of {@link specificationCurve}: the range of the mean IC over all specifications, and their joint p value, stand under
   * multiple testing.
   *
   * @default none
   */
  readonly curve?: SpecificationCurve;
  /**
   * Result of {@link reconcile}: how many rows of the release differ from the scores known at the time, and by how much its IC
   * flatters, stand under robustness.
   *
   * @default none
   */
  readonly reconciled?: Reconciled;
}

/** Rules of the options that a judgement and a tear sheet share. */
export const JUDGEMENT_RULES: OptionRules<JudgementOptions> = {
  curve: {
    required: "the result of specificationCurve()",
    accepts: (value) => value instanceof SpecificationCurve,
  },
  reconciled: {
    required: "the result of reconcile()",
    accepts: (value) => value instanceof Reconciled,
  },
};

/**
 * Refuses what is no result of its function.
 *
 * @throws {TypeError} If an option is unknown, or of another kind
 */
export function checkJudgementOptions(options: JudgementOptions): void {
  checkOptions("judge", options, JUDGEMENT_RULES);
}
