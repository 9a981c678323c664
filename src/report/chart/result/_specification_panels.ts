import type { ChartSpec } from "../chart_spec.ts";
import { looksBy, meanTips, quantity, ruleAt, tip, zoom } from "../grammar/encodings.ts";
import { numberIn, type Row, type Value } from "../grammar/values.ts";
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
  const found = verdictsOf(rows);
  const x = rankAxis(count, { title: null, labels: false });
  const y = (field: string) => quantity(field, { title: "mean IC" });
  const drawn = { data: { name: ROWS }, transform: [JUDGED] };
  return {
    width,
    height: 220,
    layer: [
      ruleAt(0),
      {
        ...drawn,
        mark: { type: "rule", strokeWidth: count > 150 ? 1 : 2, opacity: 0.45 },
        encoding: { x, y: y("low"), y2: { field: "high" }, color: byVerdict(found, "color") },
      },
      {
        ...drawn,
        params: zoom("curve_zoom"),
        mark: { type: "point", filled: true, size: dotSize(rows.length), opacity: 1 },
        encoding: {
          x,
          y: y("mean"),
          color: byVerdict(found, "color"),
          shape: byVerdict(found, "shape"),
          tooltip: tipsOf(choices),
        },
      },
      {
        data: { values: [{ at: median }] },
        mark: { type: "rule", color: TEXT_COLOR, strokeDash: [4, 3] },
        encoding: { y: { field: "at", type: "quantitative" } },
      },
    ],
  };
}

function tipsOf(choices: readonly Choice[]): readonly ChartSpec[] {
  return [
    ...choices.map(({ name }) => tip(name, name)),
    ...meanTips("mean IC"),
    tip("p", "p", ".4f"),
  ];
}

/** One row per value of each choice, with a dot for each specification that has it. */
export function choicesPanel(
  rows: readonly Row[],
  choices: readonly Choice[],
  { count, width }: Extent,
): ChartSpec {
  const names = choices.map(({ name }) => name);
  // An empty row separates two choices.
  const labels = choices.flatMap(({ name, values }, i) => [
    ...i === 0 ? [] : [" ".repeat(i)],
    ...values.map((value) => `${name} ${value}`),
  ]);
  return {
    width,
    height: ROW_PX * labels.length,
    data: { name: ROWS },
    transform: [
      JUDGED,
      { fold: names, as: ["choice", "chosen"] },
      { calculate: "datum.choice + ' ' + datum.chosen", as: "row" },
    ],
    mark: { type: "point", filled: true, size: dotSize(rows.length), opacity: 1 },
    encoding: {
      x: rankAxis(count, { title: "specifications by ascending mean IC", labels: true }),
      y: {
        field: "row",
        type: "nominal",
        title: null,
        scale: { domain: labels },
        axis: { domain: false, ticks: false, grid: false, labelLimit: 220 },
      },
      color: byVerdict(verdictsOf(rows), "color"),
      tooltip: [tip("row", "choice"), tip("mean", "mean IC", ".4f")],
    },
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

/** Area of a dot, small enough to separate neighbours. */
function dotSize(count: number): number {
  return count > 300 ? 7 : count > 100 ? 12 : 24;
}

function verdictsOf(rows: readonly Row[]): readonly string[] {
  const found: ReadonlySet<string> = new Set(rows.map((row) => {
    const [low, high] = [numberIn(row, "low"), numberIn(row, "high")];
    return isNaN(low) ? UNTESTED : low > 0 || high < 0 ? APART : NOT_APART;
  }));
  return [APART, NOT_APART, UNTESTED].filter((verdict) => found.has(verdict));
}

const STYLES: Readonly<Record<string, { readonly color: string; readonly shape: string }>> = {
  [APART]: { color: MAIN_COLOR, shape: SHAPES[0] },
  [NOT_APART]: { color: OTHER_COLOR, shape: SHAPES[1] },
  [UNTESTED]: { color: QUIET_COLOR, shape: SHAPES[2] },
};

function byVerdict(domain: readonly string[], look: "color" | "shape"): ChartSpec {
  return looksBy("verdict", domain, domain.map((verdict) => STYLES[verdict]![look]));
}
