import type { DataFrame } from "nodejs-polars";
import type { specificationCurve } from "../../../analysis/selection/specification_curve.ts";
import { wrongKind } from "../../../base/arguments/list_text.ts";
import { medianOf } from "../../../base/statistics/moments.ts";
import { countText, decimalText, percentText, pPhrase } from "../../../base/wording/number_text.ts";
import { heldOutText } from "../../../base/wording/sentences/held_out_text.ts";
import { aboveZeroText } from "../../../base/wording/sentences/selection_text.ts";
import { heldOutOf } from "../../../frames/frame/provenance/held_out.ts";
import type { Chart } from "../chart.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  resultOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import {
  isApart,
  type Known,
  numberIn,
  type Row,
  rowsOf,
  type Value,
  withNumber,
} from "../grammar/values.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { looksBy, meanTips, quantity, ruleAt, tip, zoom } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SHAPES, TEXT_COLOR } from "../palette.ts";

const ACTION = "draw a specification curve";
const CHOICES = ["horizon", "entry", "correlation", "neutral", "winsor", "buckets", "period"];
const ESTIMATES = ["mean", "low", "high", "p", "sessions"];
const MOST = 450;

/** Name of the data set that both panels share. */
const ROWS = "specifications";
const APART = "95% CI excludes zero";
const NOT_APART = "95% CI includes zero";
const UNTESTED = "no interval";
const VERDICT =
  `!isValid(datum.low) ? '${UNTESTED}' : datum.low > 0 || datum.high < 0 ? '${APART}' : '${NOT_APART}'`;
const JUDGED = { calculate: VERDICT, as: "verdict" };
const ROW_PX = 14;
const STYLES: Readonly<Record<string, { readonly color: string; readonly shape: string }>> = {
  [APART]: { color: MAIN_COLOR, shape: SHAPES[0] },
  [NOT_APART]: { color: OTHER_COLOR, shape: SHAPES[1] },
  [UNTESTED]: { color: QUIET_COLOR, shape: SHAPES[2] },
};

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
  curve: Awaited<ReturnType<typeof specificationCurve>>,
  options: ResultChartOptions = {},
): Chart {
  const { title, widthPx = 640, footnote } = readResultOptions(ACTION, options, {});
  assertCurve(curve);
  const all = rowsOf(curve.table, [...CHOICES, ...ESTIMATES]);
  const known = withNumber(all, "mean");
  const heldOut = heldOutOf(curve.table);
  const held = heldOut === null ? "" : `. ${heldOutText(heldOut)}`;
  const subject = {
    title,
    about: "Specification curve: mean IC of every specification, the smallest first",
    sample: "",
    ...resultOrigin(curve.table, `${footnote}${held}`),
    widthPx,
  };
  if (known.length === 0) return layOutNothing(subject, "no specification has an IC");
  const choices = CHOICES.map((name) => choiceOf(name, known));
  const varied = choices.filter(({ values }) => values.length > 1);
  const fixed = choices.filter(({ values }) => values.length === 1);
  const step = Math.ceil(known.length / MOST);
  const rows = known.map((row, i) => ({ rank: i + 1, ...row }))
    .filter((_, i) => i % step === 0 || i === known.length - 1);
  const extent = { count: known.length, width: widthPx, median: medianOfMeans(known) };
  return layOutFinding(subject, {
    finding: findingOf(curve, known),
    subtitle: [notesOf(fixed, known, { rest: all.length - known.length, step }).join(". ")],
    details: [medianSentence(curve, known), endsText(varied, known)].join(". "),
    sharesTime: true,
    datasets: { [ROWS]: rows },
    views: [
      estimatesPanel(rows, varied, extent),
      ...varied.length === 0 ? [] : [choicesPanel(rows, varied, extent)],
    ],
  });
}

type SpecificationCurve = Awaited<ReturnType<typeof specificationCurve>>;
type Specification = Known<Row, "mean">;

function assertCurve(curve: unknown): asserts curve is SpecificationCurve {
  const { table, tables } = (curve ?? {}) as Partial<SpecificationCurve>;
  const has = (frame: DataFrame | undefined, names: readonly string[]) =>
    names.every((name) => frame?.columns?.includes(name) === true);
  if (has(table, [...CHOICES, ...ESTIMATES]) && has(tables?.summary, ["p_median"])) return;
  throw wrongKind(ACTION, curve, {
    expected: "the result of specificationCurve()",
    advice: "await specificationCurve(scores, prices) gives it",
  });
}

/** Values of one choice in ascending order. */
function choiceOf(name: string, rows: readonly Row[]): Choice {
  const values = [...new Set(rows.map((row) => row[name]!))];
  const isNumber = values.every((value) => typeof value === "number");
  return { name, values: values.toSorted(isNumber ? (a, b) => Number(a) - Number(b) : undefined) };
}

function findingOf(
  { tables: { summary } }: SpecificationCurve,
  known: readonly Specification[],
): string {
  const [smallest, largest] = [known[0]!, known.at(-1)!].map(({ mean }) => decimalText(mean, 3));
  const p = rowsOf(summary)[0]?.p_median ?? null;
  const said = p === null ? "no joint test" : `joint ${pPhrase(p)}`;
  const count = countText(known.length, "specification");
  return `Mean IC between ${smallest} and ${largest} in ${count}; ${said}`;
}

function medianOfMeans(rows: readonly Specification[]): number {
  return medianOf(rows.map(({ mean }) => mean));
}

/** Median, and the shares above zero and with a p value below 0.05. */
function medianSentence(
  { tables: { summary } }: SpecificationCurve,
  known: readonly Specification[],
): string {
  const above = known.filter(({ mean }) => mean > 0).length / known.length;
  const significant = rowsOf(summary)[0]?.significant ?? null;
  const tested = significant === null
    ? ""
    : `; ${percentText(significant, 0)} have an unadjusted p below 0.05`;
  return `The median is ${decimalText(medianOfMeans(known), 3)}, and ` +
    `${aboveZeroText(above)}${tested}`;
}

/** Choices of the smallest and largest estimate. */
function endsText(varied: readonly Choice[], known: readonly Specification[]): string {
  const said = (row: Row) => varied.map(({ name }) => `${name} ${row[name]}`).join(", ");
  return varied.length === 0
    ? "No choice varies"
    : `The smallest has ${said(known[0]!)}; the largest ${said(known.at(-1)!)}`;
}

/** Notes on how to read the picture, and on what it omits. */
function notesOf(
  fixed: readonly Choice[],
  known: readonly Specification[],
  { rest, step }: Readonly<Record<"rest" | "step", number>>,
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

/** Choice with its values. */
interface Choice {
  readonly name: string;
  readonly values: readonly Value[];
}

type Extent = Readonly<Record<"count" | "width" | "median", number>>;

/** Estimates with their intervals in the order of their size, the median and zero. */
function estimatesPanel(
  rows: readonly Row[],
  choices: readonly Choice[],
  { count, width, median }: Extent,
): ChartSpec {
  const x = rankAxis(count, null);
  const y = (field: string) => quantity(field, { title: "mean IC" });
  const drawn = { rows: ROWS, transform: [JUDGED], x, color: byVerdict(rows, "color") };
  const line = { strokeWidth: count > 150 ? 1 : 2, opacity: 0.45 };
  const tooltip = [
    ...choices.map(({ name }) => tip(name, name)),
    ...meanTips("mean IC"),
    tip("p", "p", ".4f"),
  ];
  const layer = [
    ruleAt(0),
    mark("rule", { ...drawn, ...line, y: y("low"), y2: "high" }),
    mark("point", {
      ...drawn,
      ...dot(rows),
      params: zoom("curve_zoom"),
      y: y("mean"),
      shape: byVerdict(rows, "shape"),
      tooltip,
    }),
    ruleAt(median, { color: TEXT_COLOR, strokeDash: [4, 3] }),
  ];
  return { width, height: 220, layer };
}

/** One row per value of each choice, with a dot for each specification that has it. */
function choicesPanel(
  rows: readonly Row[],
  choices: readonly Choice[],
  { count, width }: Extent,
): ChartSpec {
  // An empty row separates two choices.
  const domain = choices.flatMap(({ name, values }, i) => [
    ...i === 0 ? [] : [" ".repeat(i)],
    ...values.map((value) => `${name} ${value}`),
  ]);
  const axis = { domain: false, ticks: false, grid: false, labelLimit: 220 };
  const drawn = mark("point", {
    rows: ROWS,
    transform: [
      JUDGED,
      { fold: choices.map(({ name }) => name), as: ["choice", "chosen"] },
      { calculate: "datum.choice + ' ' + datum.chosen", as: "row" },
    ],
    ...dot(rows),
    x: rankAxis(count, "specifications by ascending mean IC"),
    y: { field: "row", type: "nominal", title: null, scale: { domain }, axis },
    color: byVerdict(rows, "color"),
    tooltip: [tip("row", "choice"), tip("mean", "mean IC", ".4f")],
  });
  return { width, height: ROW_PX * domain.length, ...drawn };
}

function rankAxis(count: number, title: string | null): ChartSpec {
  const shown = { labels: title !== null, ticks: title !== null };
  return {
    field: "rank",
    type: "quantitative",
    title,
    scale: { domain: [0.5, count + 0.5], zero: false, nice: false },
    axis: { grid: false, tickMinStep: 1, format: ",d", ...shown },
  };
}

/** Dots small enough to separate neighbours. */
function dot({ length }: readonly Row[]): ChartSpec {
  return { filled: true, size: length > 300 ? 7 : length > 100 ? 12 : 24, opacity: 1 };
}

function byVerdict(rows: readonly Row[], look: "color" | "shape"): ChartSpec {
  const found: ReadonlySet<string> = new Set(
    rows.map((row) => isNaN(numberIn(row, "low")) ? UNTESTED : isApart(row) ? APART : NOT_APART),
  );
  const domain = Object.keys(STYLES).filter((verdict) => found.has(verdict));
  return looksBy("verdict", domain, domain.map((verdict) => STYLES[verdict]![look]));
}
