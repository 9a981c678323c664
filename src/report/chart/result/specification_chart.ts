import type { DataFrame } from "nodejs-polars";
import type { SpecificationCurve } from "../../../analysis/selection/specification_curve.ts";
import { wrongKind } from "../../../base/arguments/wrong_kind.ts";
import { heldOutOf } from "../../../frames/frame/provenance/held_out.ts";
import { medianOf } from "../../../base/statistics/moments.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { pPhrase } from "../../../base/wording/p_text.ts";
import { aboveZeroText } from "../../../base/wording/sentences/selection_text.ts";
import { heldOutText } from "../../../base/wording/sentences/held_out_text.ts";
import type { Chart } from "../chart.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { resultFootnote } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { type Choice, choicesPanel, estimatesPanel, ROWS } from "./_specification_panels.ts";

const ACTION = "draw a specification curve";
const CHOICES = ["horizon", "entry", "correlation", "neutral", "winsor", "buckets", "period"];
const ESTIMATES = ["mean", "low", "high", "p", "sessions"];
const MOST = 450;

/**
 * Draws a specification curve (Simonsohn, Simmons and Nelson, 2020): above, the mean IC of every specification with its 95% interval, the
 * smallest first, with the median; below, a dot in the row of each choice that the specification above it makes.
 *
 * Choices of which all specifications make the same are named in the subtitle and have no row. Of more than 450 specifications every so
 * many are drawn, always with the first and the last, and the subtitle says so.
 *
 * @param curve The result of `specificationCurve()`
 * @param options Title, width and footnote
 * @throws {TypeError} If it is not a specification curve, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { specificationCurve } from "scoreframe/analysis";
 * import { specificationChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const curve = await specificationCurve(await api.history("ecpnd"), prices, { draws: 99 });
 * const chart = specificationChart(curve, { footnote: "ecpnd" });
 * if (!chart.description.includes("in 54 specifications")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function specificationChart(
  curve: SpecificationCurve,
  options: ResultChartOptions = {},
): Chart {
  const { title, widthPx = 640, footnote } = readResultOptions(ACTION, options, {});
  assertCurve(curve);
  const all = rowsOf(curve.table, [...CHOICES, ...ESTIMATES]);
  const known = all.filter((row) => !isNaN(numberIn(row, "mean")));
  const subject = {
    title,
    about: "Specification curve: mean IC of every specification, the smallest first",
    sample: "",
    footnote: footnoteOf(curve.table, footnote),
    widthPx,
  };
  if (known.length === 0) return layOutNothing(subject, "no specification has an IC");
  const choices = CHOICES.map((name) => choiceOf(name, known));
  const drawn = thin(known.map((row, i) => ({ rank: i + 1, ...row })));
  const varied = choices.filter(({ values }) => values.length > 1);
  const fixed = choices.filter(({ values }) => values.length === 1).map(({ name }) => name);
  const rows = drawn.map((row) => without(row, fixed));
  const extent = { count: known.length, width: widthPx, median: medianOfMeans(known) };
  return layOutFinding(subject, {
    finding: findingOf(curve, known),
    subtitle: [
      notesOf(choices, { rest: all.length - known.length, known, drawn }).join(". "),
    ],
    details: [medianSentence(curve, known), ...choiceSentences(varied, known)].join(". "),
    sharesTime: true,
    datasets: { [ROWS]: rows },
    views: [
      estimatesPanel(rows, varied, extent),
      ...varied.length === 0 ? [] : [choicesPanel(rows, varied, extent)],
    ],
  });
}

function assertCurve(curve: unknown): asserts curve is SpecificationCurve {
  const { table, summary } = (curve ?? {}) as Partial<SpecificationCurve>;
  const has = (frame: DataFrame | undefined, names: readonly string[]) =>
    names.every((name) => frame?.columns?.includes(name) === true);
  if (has(table, [...CHOICES, ...ESTIMATES]) && has(summary, ["p_median"])) return;
  throw wrongKind(ACTION, curve, {
    expected: "the result of specificationCurve()",
    advice: "await specificationCurve(scores, prices) gives it",
  });
}

function footnoteOf(table: DataFrame, given: string): string {
  const heldOut = heldOutOf(table);
  const held = heldOut === null ? "" : `. ${heldOutText(heldOut).replace(/\.$/, "")}`;
  return resultFootnote(table, `${given}${held}`);
}

/** Values of one choice: numbers ascending, texts in order of first appearance. */
function choiceOf(name: string, rows: readonly Row[]): Choice {
  const values = [...new Set(rows.map((row) => row[name]!))];
  const isNumber = values.every((value) => typeof value === "number");
  return {
    name,
    values: isNumber ? values.toSorted((a, b) => Number(a) - Number(b)) : values.toSorted(),
  };
}

function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** Every n-th row, and the last one. */
function thin(rows: readonly Row[]): readonly Row[] {
  const step = Math.ceil(rows.length / MOST);
  return rows.filter((_, i) => i % step === 0 || i === rows.length - 1);
}

function findingOf(curve: SpecificationCurve, known: readonly Row[]): string {
  const [smallest, largest] = [known[0], known.at(-1)].map((row) => numberIn(row, "mean"));
  const p = numberIn(rowsOf(curve.summary)[0], "p_median");
  const test = isNaN(p) ? "no joint test" : `joint ${pPhrase(p)}`;
  return `Mean IC between ${decimalText(smallest!, 3)} and ${decimalText(largest!, 3)} in ${
    countText(known.length, "specification")
  }; ${test}`;
}

function medianOfMeans(rows: readonly Row[]): number {
  return medianOf(rows.map((row) => numberIn(row, "mean")));
}

/** Median, and the shares above zero and with a p value below 0.05. */
function medianSentence(curve: SpecificationCurve, known: readonly Row[]): string {
  const above = known.filter((row) => numberIn(row, "mean") > 0).length / known.length;
  const significant = numberIn(rowsOf(curve.summary)[0], "significant");
  const tested = isNaN(significant)
    ? ""
    : `; ${percentText(significant, 0)} have an unadjusted p below 0.05`;
  return `The median is ${decimalText(medianOfMeans(known), 3)}, and ${
    aboveZeroText(above)
  }${tested}`;
}

/** Choices of the smallest and largest estimate, then the median of the specifications by choice. */
function choiceSentences(varied: readonly Choice[], known: readonly Row[]): readonly string[] {
  if (varied.length === 0) return [];
  const said = (row: Row) => varied.map(({ name }) => `${name} ${row[name]}`).join(", ");
  const ends = `The smallest has ${said(known[0]!)}; the largest ${said(known.at(-1)!)}`;
  const medians = varied.map(({ name, values }) => {
    const each = values.map((value) =>
      `${decimalText(medianOfMeans(known.filter((row) => row[name] === value)), 3)} for ${value}`
    );
    return `Medians by ${name}: ${each.join(", ")}`;
  });
  return [ends, ...medians];
}

/** Notes on how to read the picture, and on what it omits. */
function notesOf(
  choices: readonly Choice[],
  { rest, known, drawn }: {
    readonly rest: number;
    readonly known: readonly Row[];
    readonly drawn: readonly Row[];
  },
): readonly string[] {
  const same = choices.filter(({ values }) => values.length === 1)
    .map(({ name, values }) => `${name} ${values[0]}`);
  const step = Math.ceil(known.length / MOST);
  return [
    "Lines: pointwise 95% confidence intervals; dots: choices of each specification; dashed: " +
    `the median, ${decimalText(medianOfMeans(known), 3)}`,
    ...same.length === 0 ? [] : [`Common to all: ${same.join(", ")}`],
    ...rest === 0 ? [] : [`${countText(rest, "specification")} without an IC left out`],
    ...drawn.length === known.length
      ? []
      : [`Shown: one of every ${step} specifications, with the first and the last`],
  ];
}
