import { wrongKind } from "../../base/arguments/list_text.ts";
import { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import {
  checkOption,
  checkOptions,
  oneOf,
  type OptionRules,
  severalOf,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { JUDGEMENT_RULES, type JudgementOptions } from "../../analysis/judgement/fact.ts";
import { describeSample } from "../../analysis/factor/scores_origin.ts";
import { analysisParts, shownParts } from "./analysis_parts.ts";
import { sampleOf } from "../chart/grammar/subject/analysis_subject.ts";
import { Sheet } from "./sheet.ts";

/** Options of {@link tearSheet}. */
export interface TearSheetOptions extends JudgementOptions {
  /**
   * Heading.
   *
   * @default the column of the scores
   */
  readonly title?: string;
  /**
   * Horizon of the charts that show one, in sessions.
   *
   * @default the shortest
   */
  readonly horizon?: number;
  /**
   * Names of the parts to include.
   *
   * @default all: summary, judgement, losses, information, returns, coverage, costs, stability, permutation, caveats, trialLog, methods
   */
  readonly parts?: readonly string[];
}

const RULES: OptionRules<TearSheetOptions> = {
  title: TEXT,
  horizon: whole(1),
  parts: severalOf("an array of names of parts", TEXT.accepts),
  ...JUDGEMENT_RULES,
};

/**
 * Tear sheet of a factor analysis: a first screen with three sentences, eight numbers and three pictures, then the judgement, information
 * coefficient, returns, costs, stability and methods. What is not shown is a part by name, such as losses, coverage, tests and tables.
 *
 * A notebook displays it; `save("sheet.html")` writes one file without network access or scripts, light and dark, for the screen and
 * A4. Each chart has its description below it. Cost: a second or two, for the charts.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Heading, horizon, parts
 * @throws {TypeError} If the argument is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon, or the sheet no such part
 *
 * @example Usage
 * ```ts
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { tearSheet } from "scoreframe/sheet";
 * import pl from "nodejs-polars";
 *
 * const date = ["2026-10-28", "2026-10-29", "2026-10-30"].flatMap((day) => [day, day]);
 * const ticker = ["A", "B", "A", "B", "A", "B"];
 * const scores = pl.DataFrame({ date, ticker, score: [0.1, 0.9, 0.2, 0.8, 0.3, null] });
 * const prices = pl.DataFrame({ date, ticker, close: [10, 20, 11, 19, 12, 18] });
 * const analysis = await analyzeFactor(scores, prices, { periods: [1], progress: false });
 * const sheet = tearSheet(analysis, { parts: ["judgement", "losses"] });
 * console.assert(sheet.text.includes("1 has no score (16.7%)"));
 * console.assert((await sheet.toHtml()).includes("<svg"));
 * ```
 */
export function tearSheet(analysis: FactorAnalysis, options: TearSheetOptions = {}): Sheet {
  const action = "make a tear sheet";
  if (!(analysis instanceof FactorAnalysis)) {
    throw wrongKind(action, analysis, {
      expected: "the result of analyzeFactor()",
      advice: "await analyzeFactor(scores, prices) gives it",
    });
  }
  checkOptions(action, options, RULES);
  const {
    title = `Tear sheet of ${analysis.origin.score}`,
    horizon = analysis.aligned.periods[0]!,
    parts,
    ...beside
  } = options;
  const head = { title, subtitle: describeSample(analysis), sample: sampleOf(analysis) };
  const plan = { horizon, beside };
  const make = analysisParts(analysis, plan);
  const names = oneOf(...Object.keys(make));
  const shown = (parts ?? shownParts(plan)).map((name) => {
    checkOption(action, "parts", name, { ...names, isKind: () => true });
    return make[name]!();
  });
  return new Sheet(head, shown, make);
}
