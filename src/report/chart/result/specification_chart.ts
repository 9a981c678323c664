import type { SpecificationCurve } from "../../../analysis/selection/specification_curve.ts";
import { wrongKind } from "../../../base/arguments/wrong_kind.ts";
import { medianOf } from "../../../base/statistics/moments.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { pPhrase } from "../../../base/wording/p_text.ts";
import { heldOutText } from "../../../base/wording/sentences/held_out_text.ts";
import { aboveZeroText } from "../../../base/wording/sentences/selection_text.ts";
import { heldOutOf } from "../../../frames/frame/provenance/held_out.ts";
import type { Chart } from "../chart.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { resultFootnote } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { type Known, type Row, rowsOf, withNumber } from "../grammar/values.ts";
import { type Choice, choicesPanel, estimatesPanel, ROWS } from "./_specification_panels.ts";
import type { DataFrame } from "nodejs-polars";

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
  const known = withNumber(all, "mean");
  const subject = {
    title,
    about: "Specification curve: mean IC of every specification, the smallest first",
    sample: "",
    footnote: footnoteOf(curve.table, footnote),
    widthPx,
  };
  if (known.length === 0) return layOutNothing(subject, "no specification has an IC");
  const choices = CHOICES.map((name) => choiceOf(name, known));
  const varied = choices.filter(({ values }) => values.length > 1);
  const fixed = choices.filter(({ values }) => values.length === 1);
  const step = Math.ceil(known.length / MOST);
  const rows = known.map((row, i) => without({ rank: i + 1, ...row }, fixed))
    .filter((_, i) => i % step === 0 || i === known.length - 1);
  const extent = { count: known.length, width: widthPx, median: medianOfMeans(known) };
  return layOutFinding(subject, {
    finding: findingOf(curve, known),
    subtitle: [notesOf(fixed, { rest: all.length - known.length, known, step }).join(". ")],
    details: [medianSentence(curve, known), ...choiceSentences(varied, known)].join(". "),
    sharesTime: true,
    datasets: { [ROWS]: rows },
    views: [
      estimatesPanel(rows, varied, extent),
      ...varied.length === 0 ? [] : [choicesPanel(rows, varied, extent)],
    ],
  });
}

type Specification = Known<Row, "mean">;

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

/** Values of one choice in ascending order. */
function choiceOf(name: string, rows: readonly Row[]): Choice {
  const values = [...new Set(rows.map((row) => row[name]!))];
  const isNumber = values.every((value) => typeof value === "number");
  return { name, values: values.toSorted(isNumber ? (a, b) => Number(a) - Number(b) : undefined) };
}

function without(row: Row, choices: readonly Choice[]): Row {
  const names = choices.map(({ name }) => name);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

function findingOf({ summary }: SpecificationCurve, known: readonly Specification[]): string {
  const [smallest, largest] = [known[0]!, known.at(-1)!].map(({ mean }) => decimalText(mean, 3));
  const p = rowsOf(summary)[0]?.p_median ?? null;
  return `Mean IC between ${smallest} and ${largest} in ${
    countText(known.length, "specification")
  }; ${p === null ? "no joint test" : `joint ${pPhrase(p)}`}`;
}

function medianOfMeans(rows: readonly Specification[]): number {
  return medianOf(rows.map(({ mean }) => mean));
}

/** Median, and the shares above zero and with a p value below 0.05. */
function medianSentence({ summary }: SpecificationCurve, known: readonly Specification[]): string {
  const above = known.filter(({ mean }) => mean > 0).length / known.length;
  const significant = rowsOf(summary)[0]?.significant ?? null;
  const tested = significant === null
    ? ""
    : `; ${percentText(significant, 0)} have an unadjusted p below 0.05`;
  return `The median is ${decimalText(medianOfMeans(known), 3)}, and ` +
    `${aboveZeroText(above)}${tested}`;
}

/** Choices of the smallest and largest estimate, then the median of the specifications by choice. */
function choiceSentences(
  varied: readonly Choice[],
  known: readonly Specification[],
): readonly string[] {
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
  fixed: readonly Choice[],
  { rest, known, step }: {
    readonly rest: number;
    readonly known: readonly Specification[];
    readonly step: number;
  },
): readonly string[] {
  const same = fixed.map(({ name, values }) => `${name} ${values[0]}`);
  return [
    "Lines: pointwise 95% confidence intervals; dots: choices of each specification; dashed: " +
    `the median, ${decimalText(medianOfMeans(known), 3)}`,
    ...same.length === 0 ? [] : [`Common to all: ${same.join(", ")}`],
    ...rest === 0 ? [] : [`${countText(rest, "specification")} without an IC left out`],
    ...step === 1
      ? []
      : [`Shown: one of every ${step} specifications, with the first and the last`],
  ];
}
