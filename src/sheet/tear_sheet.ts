import { wrongKind } from "../arguments/wrong_kind.ts";
import { FactorAnalysis } from "../analysis/factor/factor_analysis.ts";
import { assertKnownOptions } from "../arguments/check_options.ts";
import { analysisParts } from "./analysis_parts.ts";
import { Sheet } from "./sheet.ts";

/** Options of {@link tearSheet}. */
export interface TearSheetOptions {
  /**
   * Heading.
   *
   * @default the column of the scores
   */
  readonly title?: string;
  /**
   * Horizon of the charts that show one, in sessions.
   *
   * @default 1
   */
  readonly horizon?: number;
  /**
   * Names of the parts that are wanted.
   *
   * @default all: judgement, losses, information, returns, costs, coverage, stability, noise, caveats, ledger, methods
   */
  readonly parts?: readonly string[];
}

/**
 * Puts a factor analysis on one sheet: the judgement first, then what was lost, information, returns, turnover and costs, coverage,
 * stability, the noise control, caveats, the ledger of variants, and the methods in a paragraph.
 *
 * A notebook shows it; `save("sheet.html")` writes one file that needs no network and no script, light and dark, for the
 * screen and for A4. What a picture shows stands beneath it in words. Cost: a second or two, for the pictures.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Heading, horizon, parts
 * @throws {TypeError} If it is no analysis, or an option unknown
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
 * console.assert(sheet.text.includes("1 has no score (16.7 %)"));
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
  assertKnownOptions(action, options, ["title", "horizon", "parts"]);
  const { title = `Tear sheet of ${analysis.origin.score}`, horizon = 1, parts } = options;
  const head = { title, subtitle: describeSample(analysis) };
  const whole = new Sheet(head, analysisParts(analysis, { horizon }));
  return parts === undefined ? whole : new Sheet(head, parts.map((name) => whole.part(name)));
}

/** What was analysed, and over what. */
export function describeSample({ origin, aligned: { dense, sessions } }: FactorAnalysis): string {
  const count = Math.max(0, dense.to - dense.from);
  const span = count === 0 ? "no session" : `${sessions[dense.from]} to ${sessions[dense.to - 1]}`;
  const synthetic = origin.isSynthetic ? " Synthetic." : "";
  return `${origin.what}, ${span}, ${count} sessions, ${dense.tickers.length} tickers.${synthetic}`;
}
