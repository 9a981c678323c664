import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { MONTHS, signed, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { CELL_TEXT_COLOR, QUIET_COLOR, TEXT_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf, textIn, withNumber } from "../grammar/values.ts";

const YEAR = "year";
const IS_MONTH = `datum.month !== "${YEAR}"`;
const TIPS = [
  tip("year", "year"),
  tip("month", "month"),
  tip("value", "return", ".2%"),
  tip("sessions", "sessions", "d"),
];

/**
 * Draws the compounded return of each month and year of the portfolio that is weighted by the scores, before costs: one row per year, one
 * column per month. Returns of years are numbers without colour, because they exceed the colour scale of months.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { calendarReturnChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = calendarReturnChart(analysis);
 * if (!chart.description.includes("months are above zero")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function calendarReturnChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, {
    about: "Long–short returns by month and year, before costs",
  });
  const gross = analysis.detail.calendarReturns.filter(pl.col("one_way_bps").eq(pl.lit(0)));
  const cells = rowsOf(gross).map(toCell);
  const known = withNumber(cells, "value");
  const isHeld = known.some((row) => numberIn(row, "value") !== 0);
  if (!isHeld) {
    return layOutNothing(
      subject,
      known.length === 0 ? "no month has a return" : "the portfolio holds nothing",
    );
  }
  const months = known.filter((row) => row["month"] !== YEAR);
  const sorted = months.toSorted((a, b) => numberIn(a, "value") - numberIn(b, "value"));
  const above = months.filter((row) => numberIn(row, "value") > 0).length;
  const cell = (row: Row) =>
    `${percentText(numberIn(row, "value"))} (${row["month"]} ${row["year"]})`;
  const years = known.filter((row) => row["month"] === YEAR)
    .map((row) => `${percentText(numberIn(row, "value"))} in ${row["year"]}`);
  return layOutFinding(subject, {
    finding: `${above} of ${countText(months.length, "month")} are above zero, from ${
      cell(sorted[0]!)
    } to ${cell(sorted.at(-1)!)}`,
    subtitle: ["Compounded returns of sessions; the first and last periods may be partial"],
    caution: "A single realised path",
    details: `By year: ${years.join(", ")}.`,
    views: [view(cells, subject.widthPx)],
  });
}

function toCell(row: Row): Row {
  const [year, month] = textIn(row, "period").split("-");
  return {
    year: year!,
    month: month === undefined ? YEAR : MONTHS[Number(month) - 1]!,
    value: row["return"]!,
    sessions: row["sessions"]!,
  };
}

function view(cells: readonly Row[], width: number): ChartSpec {
  const sizes = cells.filter((row) => row["month"] !== YEAR)
    .map((row) => Math.abs(numberIn(row, "value")) || 0);
  const most = Math.max(...sizes);
  const axis = { labelAngle: 0, domain: false, ticks: false };
  const years = new Set(cells.map((row) => row["year"])).size;
  const order = [...MONTHS, YEAR];
  return {
    width,
    height: Math.max(40, 26 * years),
    data: { values: cells },
    transform: [{ filter: "isValid(datum.value)" }],
    encoding: {
      x: {
        field: "month",
        type: "ordinal",
        sort: order,
        title: null,
        scale: { domain: order },
        axis: { ...axis, orient: "top" },
      },
      y: { field: "year", type: "ordinal", title: null, axis },
    },
    layer: cellLayers(most),
  };
}

/** Months by colour; years in outlines. */
function cellLayers(most: number): readonly ChartSpec[] {
  return [
    {
      transform: [{ filter: IS_MONTH }],
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        color: { ...signed("value", "monthly return", most), legend: { format: "%" } },
        tooltip: TIPS,
      },
    },
    {
      transform: [{ filter: `!(${IS_MONTH})` }],
      mark: { type: "rect", cornerRadius: 2, fillOpacity: 0, stroke: QUIET_COLOR },
      encoding: { tooltip: TIPS },
    },
    {
      mark: { type: "text", fontSize: 10, tooltip: false },
      encoding: {
        text: { field: "value", type: "quantitative", format: most < 0.01 ? ".2%" : ".1%" },
        color: { condition: { test: IS_MONTH, value: CELL_TEXT_COLOR }, value: TEXT_COLOR },
      },
    },
  ];
}
