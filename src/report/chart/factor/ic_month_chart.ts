import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AllHorizonsChartOptions, readHorizons } from "../grammar/subject/analysis_subject.ts";
import { meanTips, MONTHS, signed, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { CELL_TEXT_COLOR, QUIET_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf, textIn } from "../grammar/values.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";

const WHOLE_MONTH = 10;

const YEAR_PX = 130;
const NULL_LAYER: ChartSpec = {
  transform: [{ filter: "!isValid(datum.ic)" }],
  mark: { type: "text", text: "╱╱╱╱", fontSize: 12 },
  encoding: { tooltip: [tip("year", "year"), tip("month", "month"), tip("n", "sessions", "d")] },
};

/**
 * Draws the mean IC of each calendar month, one row per year and one column per month, and beside it the mean
 * of each year with its interval. Months of fewer than ten sessions are outlined, show their number, and are
 * left out of the description. Months without an IC are hatched; months outside the sample are empty. The colour
 * scale ends at the largest absolute value of a month of at least ten sessions.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon or "all", title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { icMonthChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = icMonthChart(analysis);
 * if (!chart.description.includes("Mean IC above zero in")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icMonthChart(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions = {},
): Chart {
  const subject = readHorizons(analysis, options, { about: "IC by month" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon));
  const known = panels.filter(({ cells }) => cells.some((row) => row["ic"] !== null));
  if (known.length === 0) return layOutNothing(subject, "no month has an IC");
  return layOutFinding(subject, {
    finding: findingOf(known[0]!.cells),
    subtitle: [
      `Mean IC of the sessions of a month, and of the year with its 95% confidence interval. Outlined: months with fewer than ${WHOLE_MONTH} sessions, with their number; hatched: months without an IC`,
    ],
    details: known.map(({ horizon, cells }) =>
      `${horizons.length > 1 ? `At ${countText(horizon, "session")}: ` : ""}${describe(cells)}`
    ).join(" "),
    views: known.map((panel) => ({
      ...horizons.length > 1 && { title: countText(panel.horizon, "session") },
      ...view(panel, widthPx),
    })),
  });
}

interface Panel {
  readonly horizon: number;
  /** A month each. */
  readonly cells: readonly Row[];
  /** A year each, with its interval. */
  readonly years: readonly Row[];
}

function readPanel({ detail, stability }: FactorAnalysis, horizon: number): Panel {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const cells = rowsOf(detail.icByMonth.filter(of)).map((row): Row => {
    const [year, month] = textIn(row, "month").split("-");
    const isShort = numberIn(row, "n") < WHOLE_MONTH;
    return {
      year: year!,
      month: MONTHS[Number(month) - 1]!,
      ic: row["ic"]!,
      n: row["n"]!,
      isShort,
    };
  });
  const years = rowsOf(stability.table.filter(of)).map((row): Row => ({
    year: row["part"]!,
    mean: row["mean"]!,
    low: row["low"]!,
    high: row["high"]!,
    sessions: row["sessions"]!,
    text: Number.isNaN(numberIn(row, "mean")) ? "no IC" : yearText(row),
  }));
  return { horizon, cells, years };
}

function yearText(row: Row): string {
  const three = (name: string) => decimalText(numberIn(row, name), 3);
  return Number.isNaN(numberIn(row, "low"))
    ? three("mean")
    : `${three("mean")} (${three("low")} to ${three("high")})`;
}

function view({ cells, years }: Panel, widthPx: number): ChartSpec {
  const most = largest(cells);
  const count = new Set(cells.map((row) => row["year"])).size;
  const x = { field: "month", type: "ordinal", sort: MONTHS, title: null };
  const y = { field: "year", type: "ordinal", title: null };
  const axis = { labelAngle: 0, domain: false, ticks: false };
  const height = Math.max(40, 26 * count);
  const months = {
    width: widthPx - YEAR_PX,
    height,
    data: { values: cells },
    encoding: {
      x: { ...x, scale: { domain: MONTHS }, axis: { ...axis, orient: "top" } },
      y: { ...y, axis },
    },
    layer: [...knownLayers(cells, { most, fontSize: fontSizeIn(widthPx) }), NULL_LAYER],
  };
  return { spacing: 8, hconcat: [months, yearsView(years, height)] };
}

function yearsView(years: readonly Row[], height: number): ChartSpec {
  return {
    width: YEAR_PX - 8,
    height,
    data: { values: years },
    mark: { type: "text", align: "left", x: 4, fontSize: 10 },
    encoding: {
      y: { field: "year", type: "ordinal", title: null, axis: null },
      text: { field: "text" },
      tooltip: [tip("year", "year"), ...meanTips("mean IC")],
    },
  };
}

// A month of few sessions is extreme by chance, and would leave the others without a colour.
function largest(cells: readonly Row[]): number {
  const size = (row: Row) => Math.abs(numberIn(row, "ic")) || 0;
  const whole = wholeMonths(cells);
  return (whole.length === 0 ? cells : whole).reduce((most, row) => Math.max(most, size(row)), 0);
}

/** Months that count in sentences and shares. */
function wholeMonths(cells: readonly Row[]): readonly Row[] {
  return cells.filter((row) => row["isShort"] === false && !Number.isNaN(numberIn(row, "ic")));
}

function findingOf(cells: readonly Row[]): string {
  const known = wholeMonths(cells);
  if (known.length === 0) return `No month has ${WHOLE_MONTH} sessions with an IC`;
  const above = known.filter((row) => numberIn(row, "ic") > 0).length;
  return `Mean IC above zero in ${above} of ${
    countText(known.length, "month")
  } with at least ${WHOLE_MONTH} sessions`;
}

function describe(cells: readonly Row[]): string {
  const known = wholeMonths(cells);
  const short = cells.filter((row) => row["isShort"] === true && row["ic"] !== null).length;
  const left = short === 0 ? "" : ` ${countText(short, "month")} with fewer sessions left out.`;
  if (known.length === 0) return left.trim();
  const sorted = known.toSorted((a, b) => numberIn(a, "ic") - numberIn(b, "ic"));
  const cell = (row: Row) =>
    `${row["month"]} ${row["year"]} (${decimalText(numberIn(row, "ic"), 3)})`;
  const years = [...new Set(known.map((row) => String(row["year"])))].map((year) => {
    const own = known.filter((row) => row["year"] === year);
    return `${own.filter((row) => numberIn(row, "ic") > 0).length} of ${own.length} in ${year}`;
  });
  return `By year: ${years.join(", ")}; the lowest month is ${cell(sorted[0]!)}, the highest ${
    cell(sorted.at(-1)!)
  }.${left}`;
}

// "−0.013" is 3.7 times as wide as its font is high.
function fontSizeIn(widthPx: number): number {
  return Math.max(6, Math.min(10, Math.floor((widthPx - YEAR_PX) / MONTHS.length / 3.7)));
}

function knownLayers(
  cells: readonly Row[],
  { most, fontSize }: { readonly most: number; readonly fontSize: number },
): readonly ChartSpec[] {
  // Two decimals would show cells of different colours as equal numbers.
  const format = most < 0.1 ? ".3f" : ".2f";
  const whole = { filter: "isValid(datum.ic) && !datum.isShort" };
  const short = { filter: "isValid(datum.ic) && datum.isShort" };
  const text = { field: "ic", type: "quantitative", format };
  const tooltip = [
    tip("year", "year"),
    tip("month", "month"),
    tip("ic", "mean IC", ".4f"),
    tip("n", "sessions", "d"),
  ];
  return [
    {
      transform: [whole],
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        color: signed("ic", "mean IC", most),
        tooltip,
      },
    },
    {
      transform: [whole],
      mark: { type: "text", fontSize, tooltip: false },
      encoding: { text, color: { value: CELL_TEXT_COLOR } },
    },
    ...cells.some((row) => row["isShort"] === true)
      ? shortLayers(short, { format, tooltip, fontSize: Math.min(9, fontSize) })
      : [],
  ];
}

function shortLayers(
  filter: ChartSpec,
  { format, tooltip, fontSize }: {
    readonly format: string;
    readonly tooltip: readonly ChartSpec[];
    readonly fontSize: number;
  },
): readonly ChartSpec[] {
  const label = { calculate: `format(datum.ic, '${format}') + '|n=' + datum.n`, as: "label" };
  return [
    {
      transform: [filter],
      mark: { type: "rect", cornerRadius: 2, fillOpacity: 0, stroke: QUIET_COLOR },
      encoding: { tooltip },
    },
    {
      transform: [filter, label],
      mark: {
        type: "text",
        fontSize,
        lineBreak: "|",
        lineHeight: fontSize + 1,
        dy: -4,
        tooltip: false,
      },
      encoding: { text: { field: "label" } },
    },
  ];
}
