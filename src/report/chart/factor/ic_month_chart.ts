import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { gridHeight, meanTips, monthGrid, MONTHS, signed, tip } from "../grammar/encodings.ts";
import { has, mark } from "../mark.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { ascending, rowsOf, withNumber } from "../grammar/values.ts";
import { CELL_TEXT_COLOR, QUIET_COLOR } from "../palette.ts";

const WHOLE_MONTH = 10;
const YEAR_PX = 130;

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
 *   progress: false,
 * });
 * const chart = icMonthChart(analysis);
 * if (!chart.description.includes("Mean IC above zero in")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icMonthChart(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number | "all" } = {},
): Chart {
  const subject = readSubject(analysis, options, "IC by month", { of: "each horizon" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon))
    .filter(({ cells }) => withNumber(cells, "ic").length > 0);
  const [first] = panels;
  if (first === undefined) return layOutNothing(subject, "no month has an IC");
  const isOne = horizons.length === 1;
  const most = Math.max(...panels.map(largest));
  const short = first.least === 1
    ? ""
    : ` Outlined: months of fewer than ${first.least} sessions, with their number.`;
  return layOutFinding(subject, {
    finding: findingOf(first) + (isOne ? "" : `, ${countText(first.horizon, "session")} ahead`),
    subtitle: [
      `Mean IC of each month, and of each year with its 95% confidence interval.${short} Hatched: months without an IC`,
    ],
    details: panels.map((panel) =>
      `${isOne ? "" : `At ${countText(panel.horizon, "session")}: `}${describe(panel)}`
    ).join(" "),
    views: panels.map((panel) => ({
      ...!isOne && { title: countText(panel.horizon, "session") },
      spacing: 8,
      hconcat: [monthsView(panel, most, widthPx - YEAR_PX), yearsView(panel)],
    })),
  });
}

type Panel = ReturnType<typeof readPanel>;

/** A cell per month, and a text with an interval per year. Only whole months count in sentences. */
function readPanel({ aligned: { market }, detail, stability }: FactorAnalysis, horizon: number) {
  // Closes of weeks and months have few ICs in one month.
  const least = market.unit === "session" ? WHOLE_MONTH : 1;
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const cells = rowsOf(detail.icByMonth.filter(of)).map(({ month: name, ic, n }) => {
    const [year, month] = name!.split("-");
    return { year: year!, month: MONTHS[Number(month) - 1]!, ic, n, isShort: n! < least };
  });
  const years = rowsOf(stability.table.filter(of)).map((row) => {
    const { part: year, mean, low, high, sessions } = row;
    return { year, mean, low, high, sessions, text: yearText(row) };
  });
  const whole = ascending(cells.filter(({ isShort }) => !isShort), "ic");
  return { horizon, least, cells, years, whole };
}

function yearText({ mean, low, high }: Readonly<Record<"mean" | "low" | "high", number | null>>) {
  const three = (value: number) => decimalText(value, 3);
  if (mean === null) return "no IC";
  return low === null || high === null
    ? three(mean)
    : `${three(mean)} (${three(low)} to ${three(high)})`;
}

function findingOf({ whole, least }: Panel): string {
  if (whole.length === 0) return `No month has ${least} sessions with an IC`;
  const above = whole.filter(({ ic }) => ic > 0).length;
  return `Mean IC above zero in ${above} of ${countText(whole.length, "month")} with ` +
    `${least === 1 ? "an IC" : `at least ${least} sessions`}`;
}

function describe({ cells, whole }: Panel): string {
  const short = cells.filter(({ isShort, ic }) => isShort && ic !== null).length;
  const left = short === 0 ? "" : ` ${countText(short, "month")} with fewer sessions left out.`;
  if (whole.length === 0) return left.trim();
  const [lowest, highest] = [whole[0]!, whole.at(-1)!]
    .map(({ month, year, ic }) => `${month} ${year} (${decimalText(ic, 3)})`);
  const years = [...Map.groupBy(whole, ({ year }) => year)]
    .toSorted(([a], [b]) => a < b ? -1 : 1).map(([year, own]) =>
      `${own.filter(({ ic }) => ic > 0).length} of ${own.length} in ${year}`
    );
  return `By year: ${years.join(", ")}; the lowest month is ${lowest}, the highest ` +
    `${highest}.${left}`;
}

/** The largest mean IC of a month; one of few sessions is extreme by chance, and would leave the others without a colour. */
function largest({ cells, whole }: Panel): number {
  return (whole.length === 0 ? withNumber(cells, "ic") : whole)
    .reduce((most, { ic }) => Math.max(most, Math.abs(ic)), 0);
}

/** The months of one horizon, in the colours of all horizons. */
function monthsView({ cells }: Panel, most: number, width: number): ChartSpec {
  // "−0.013" is 3.7 times as wide as its font is high.
  const fontSize = Math.max(6, Math.min(10, Math.floor(width / MONTHS.length / 3.7)));
  // Two decimals would show cells of different colours as equal numbers.
  const format = most < 0.1 ? ".3f" : ".2f";
  const where = `${has("ic")} && !datum.isShort`;
  const number = { field: "ic", type: "quantitative", format };
  const color = { value: CELL_TEXT_COLOR };
  const [year, month, n] = [tip("year", "year"), tip("month", "month"), tip("n", "sessions", "d")];
  const tooltip = [year, month, tip("ic", "mean IC", ".4f"), n];
  return {
    ...monthGrid(cells, { width, columns: MONTHS }),
    layer: [
      mark("rect", { where, cornerRadius: 2, color: signed("ic", "mean IC", most), tooltip }),
      mark("text", { where, fontSize, tooltip: false, text: number, color }),
      ...cells.some(({ isShort }) => isShort)
        ? shortLayers(format, tooltip, Math.min(9, fontSize))
        : [],
      mark("text", {
        where: `!${has("ic")}`,
        text: "╱╱╱╱",
        fontSize: 12,
        tooltip: [year, month, n],
      }),
    ],
  };
}

function shortLayers(format: string, tooltip: readonly ChartSpec[], fontSize: number) {
  const where = `${has("ic")} && datum.isShort`;
  const label = { calculate: `format(datum.ic, '${format}') + '|n=' + datum.n`, as: "label" };
  const outline = { cornerRadius: 2, fillOpacity: 0, stroke: QUIET_COLOR };
  const look = { fontSize, lineBreak: "|", lineHeight: fontSize + 1, dy: -4, tooltip: false };
  return [
    mark("rect", { where, ...outline, tooltip }),
    mark("text", { where, transform: [label], ...look, text: { field: "label" } }),
  ];
}

function yearsView({ years, cells }: Panel): ChartSpec {
  const text = mark("text", {
    align: "left",
    x: 4,
    fontSize: 10,
    y: { field: "year", type: "ordinal", title: null, axis: null },
    text: { field: "text" },
    tooltip: [tip("year", "year"), ...meanTips("mean IC")],
  });
  return { width: YEAR_PX - 8, height: gridHeight(cells), data: { values: years }, ...text };
}
