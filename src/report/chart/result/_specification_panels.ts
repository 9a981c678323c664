import type { ChartSpec } from "../chart_spec.ts";
import { looksBy, meanTips, quantity, ruleAt, tip, zoom } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { isApart, numberIn, type Row, type Value } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SHAPES, TEXT_COLOR } from "../palette.ts";

/** Name of the data set that both panels share. */
export const ROWS = "specifications";

/** Choice with its values. */
export interface Choice {
  readonly name: string;
  readonly values: readonly Value[];
}

/** Extent of the common axis, and the width of both panels. */
interface Extent {
  readonly count: number;
  readonly width: number;
}

const APART = "95% CI excludes zero";
const NOT_APART = "95% CI includes zero";
const UNTESTED = "no interval";
const VERDICT =
  `!isValid(datum.low) ? '${UNTESTED}' : datum.low > 0 || datum.high < 0 ? '${APART}' : '${NOT_APART}'`;
const JUDGED = { calculate: VERDICT, as: "verdict" };
const ROW_PX = 14;

/** Estimates with their intervals in the order of their size, the median and zero. */
export function estimatesPanel(
  rows: readonly Row[],
  choices: readonly Choice[],
  { count, width, median }: Extent & { readonly median: number },
): ChartSpec {
  const x = rankAxis(count, { title: null, labels: false });
  const y = (field: string) => quantity(field, { title: "mean IC" });
  const drawn = { rows: ROWS, transform: [JUDGED], x, color: byVerdict(rows, "color") };
  const line = { strokeWidth: count > 150 ? 1 : 2, opacity: 0.45 };
  const tooltip = [
    ...choices.map(({ name }) => tip(name, name)),
    ...meanTips("mean IC"),
    tip("p", "p", ".4f"),
  ];
  return {
    width,
    height: 220,
    layer: [
      ruleAt(0),
      mark("rule", { ...drawn, ...line, y: y("low"), y2: "high" }),
      mark("point", {
        ...{ ...drawn, ...dot(rows), params: zoom("curve_zoom") },
        ...{ y: y("mean"), shape: byVerdict(rows, "shape"), tooltip },
      }),
      ruleAt(median, { color: TEXT_COLOR, strokeDash: [4, 3] }),
    ],
  };
}

/** One row per value of each choice, with a dot for each specification that has it. */
export function choicesPanel(
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
  return {
    width,
    height: ROW_PX * domain.length,
    ...mark("point", {
      rows: ROWS,
      transform: [
        JUDGED,
        { fold: choices.map(({ name }) => name), as: ["choice", "chosen"] },
        { calculate: "datum.choice + ' ' + datum.chosen", as: "row" },
      ],
      ...dot(rows),
      x: rankAxis(count, { title: "specifications by ascending mean IC", labels: true }),
      y: { field: "row", type: "nominal", title: null, scale: { domain }, axis },
      color: byVerdict(rows, "color"),
      tooltip: [tip("row", "choice"), tip("mean", "mean IC", ".4f")],
    }),
  };
}

function rankAxis(
  count: number,
  { title, labels }: { readonly title: string | null; readonly labels: boolean },
): ChartSpec {
  return {
    field: "rank",
    type: "quantitative",
    title,
    scale: { domain: [0.5, count + 0.5], zero: false, nice: false },
    axis: { grid: false, tickMinStep: 1, format: ",d", labels, ticks: labels },
  };
}

/** Dots small enough to separate neighbours. */
function dot({ length }: readonly Row[]): ChartSpec {
  return { filled: true, size: length > 300 ? 7 : length > 100 ? 12 : 24, opacity: 1 };
}

const STYLES: Readonly<Record<string, { readonly color: string; readonly shape: string }>> = {
  [APART]: { color: MAIN_COLOR, shape: SHAPES[0] },
  [NOT_APART]: { color: OTHER_COLOR, shape: SHAPES[1] },
  [UNTESTED]: { color: QUIET_COLOR, shape: SHAPES[2] },
};

function byVerdict(rows: readonly Row[], look: "color" | "shape"): ChartSpec {
  const found: ReadonlySet<string> = new Set(
    rows.map((row) => isNaN(numberIn(row, "low")) ? UNTESTED : isApart(row) ? APART : NOT_APART),
  );
  const domain = Object.keys(STYLES).filter((verdict) => found.has(verdict));
  return looksBy("verdict", domain, domain.map((verdict) => STYLES[verdict]![look]));
}
