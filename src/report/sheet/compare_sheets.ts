import pl, { type DataFrame } from "nodejs-polars";
import { cutSample } from "../../analysis/factor/analysis_sample.ts";
import { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { describeSample } from "../../analysis/factor/scores_origin.ts";
import { ANSWERS, judgement } from "../../analysis/judgement/judgement.ts";
import { checkOptions, oneOf, ruleOf, TEXT } from "../../base/arguments/check_options.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";
import { andText } from "../../base/wording/words.ts";
import { keyNumbers } from "./key_numbers.ts";
import { chartOfAll, differencesOf, distinctNames } from "./paired.ts";
import { Sheet } from "./sheet.ts";
import { SheetPart } from "./sheet_part.ts";

const ACTION = "compare analyses";
const ORDER = ["first", "second", "third", "fourth", "fifth", "sixth"];
const COMMON = ', which are their common period; { period: "whole" } compares the whole periods';

/**
 * Compares two to six analyses on one sheet, of several factors, of vintages of one, or of one factor raw and neutral: first the paired
 * differences from the first analysis, session by session, of the IC, the quantile spread and the net return, with their intervals, and a
 * picture of all; then the numbers side by side, and the answer of each judgement over all its sessions.
 *
 * @param analyses Two to six results of `analyzeFactor()`
 * @param options Names of the analyses, in their order (by default the columns of their scores, or "first", "second" and so on if
 *   some are the same), and the sessions in numbers and charts: `common` for those from the later start to the earlier end,
 *   `whole` for all sessions of each analysis
 * @throws {TypeError} If one is not an analysis, or an option is unknown
 * @throws {RangeError} If they are less than two or more than six, or have no session in common and `period` is not "whole"
 */
export function compareSheets(
  analyses: readonly FactorAnalysis[],
  options: { readonly names?: readonly string[]; readonly period?: "common" | "whole" } = {},
): Sheet {
  assertAnalyses(analyses);
  checkOptions("call compareSheets()", options, rulesFor(analyses.length));
  const { names = defaultNames(analyses), period = "common" } = options;
  const { shown, sentence } = period === "common"
    ? overCommonPeriod(analyses)
    : overWholePeriods(analyses);
  const subtitle = shown.map((analysis, i) => `${names[i]}: ${describeSample(analysis)}`).join(" ");
  const [first, ...others] = names;
  const differences = differencesOf(shown, names);
  const parts = [
    new SheetPart({
      name: "differences",
      title: "Paired differences",
      paragraphs: [...differences.sentences, sentence],
      charts: [chartOfAll(shown, names)],
      tables: {
        "Differences, session by session, over the sessions that both have": differences.table,
      },
    }),
    new SheetPart({
      name: "numbers",
      title: "Side by side",
      tables: { "Key numbers": keyTable(shown, distinctNames(names)) },
    }),
    ...analyses.map((analysis, i) => answerPart(analysis, shown[i]!, [ORDER[i]!, names[i]!])),
  ];
  return new Sheet({ title: `${first} compared with ${andText(others)}`, subtitle }, parts);
}

/** The answer of an analysis over all its sessions. */
function answerPart(
  analysis: FactorAnalysis,
  shown: FactorAnalysis,
  [order, name]: readonly [string, string],
): SheetPart {
  const { topics } = judgement(analysis);
  return new SheetPart({
    name: `${order}_judgement`,
    title: `Judgement: ${name}`,
    paragraphs: shown === analysis ? [] : [`All sessions: ${describeSample(analysis)}`],
    topics: topics.filter(({ topic }) => ANSWERS.some((one) => one === topic)),
  });
}

function assertAnalyses(analyses: unknown): asserts analyses is readonly FactorAnalysis[] {
  const other = Array.isArray(analyses)
    ? analyses.find((one) => !(one instanceof FactorAnalysis))
    : analyses;
  if (!Array.isArray(analyses) || other !== undefined) {
    throw wrongKind(ACTION, other, {
      expected: "an array of results of analyzeFactor(), such as compareSheets([first, second])",
      advice: "await analyzeFactor(scores, prices) gives one",
    });
  }
  if (analyses.length < 2 || analyses.length > ORDER.length) {
    throw new RangeError(
      `Cannot ${ACTION}: expected 2 to ${ORDER.length} analyses, got ${analyses.length}; tearSheet(analysis) shows one`,
    );
  }
}

function rulesFor(count: number) {
  return {
    names: ruleOf(
      `${count} names, one per analysis`,
      (value) => Array.isArray(value) && value.length === count && value.every(TEXT.accepts),
    ),
    period: oneOf("common", "whole"),
  };
}

function overCommonPeriod(both: readonly FactorAnalysis[]) {
  const spans = both.map(spanOf);
  const first = spans.map((span) => span.first).toSorted().at(-1)!;
  const last = spans.map((span) => span.last).toSorted()[0]!;
  if (first > last) {
    const periods = spans.map((span) => `${span.first} to ${span.last}`).join(" and ");
    throw new RangeError(
      `Cannot ${ACTION}: expected sessions that all have, got ${periods}; give { period: "whole" } to compare the whole periods`,
    );
  }
  const isWhole = spans.every((span) => span.first === first && span.last === last);
  return {
    shown: both.map((analysis, i) =>
      spans[i]!.first === first && spans[i]!.last === last
        ? analysis
        : new FactorAnalysis(cutSample(analysis.sample, { first, last }))
    ),
    sentence: `All analyses cover the same sessions, ${first} to ${last}${isWhole ? "" : COMMON}.`,
  };
}

function overWholePeriods(both: readonly FactorAnalysis[]) {
  const spans = both.map(spanOf).map(({ first, last }) => `${first} to ${last}`);
  return {
    shown: both,
    sentence: new Set(spans).size === 1
      ? `All analyses cover the same sessions, ${spans[0]}.`
      : `The periods differ (${spans.join(" and ")}), so the results may differ for that reason ` +
        "alone.",
  };
}

function spanOf({ aligned: { dense, sessions } }: FactorAnalysis) {
  return { first: sessions[dense.from] ?? "", last: sessions[dense.to - 1] ?? "" };
}

/** Key numbers of a tear sheet. */
/** Key numbers of a tear sheet, a column per analysis, whose name may be that of another. */
function keyTable(shown: readonly FactorAnalysis[], names: readonly string[]): DataFrame {
  const found = shown.map((analysis) =>
    new Map(
      keyNumbers(analysis, analysis.aligned.periods[0]!)
        .map(({ label, value, note }) => [label, note === "" ? value : `${value} (${note})`]),
    )
  );
  const rows = [...new Set(found.flatMap((own) => [...own.keys()]))];
  const columns = found.map((own, i) =>
    pl.Series(names[i]!, rows.map((row) => own.get(row) ?? null), pl.Utf8)
  );
  return pl.DataFrame([pl.Series("key number", rows, pl.Utf8), ...columns]);
}

function defaultNames(analyses: readonly FactorAnalysis[]): readonly string[] {
  const names = analyses.map(({ origin }) => origin.score);
  return new Set(names).size < names.length ? ORDER.slice(0, names.length) : names;
}
