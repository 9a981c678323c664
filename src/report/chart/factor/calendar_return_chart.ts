import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { percentText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { monthGrid, MONTHS, signed, tip } from "../grammar/encodings.ts";
import { has, mark } from "../mark.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { ascending, type RowOf, rowsOf, withNumber } from "../grammar/values.ts";
import { CELL_TEXT_COLOR, QUIET_COLOR, TEXT_COLOR } from "../palette.ts";

const YEAR = "year";
const IS_MONTH = `datum.month !== "${YEAR}"`;

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
 *   progress: false,
 * });
 * const chart = calendarReturnChart(analysis);
 * if (!chart.description.includes("months are above zero")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function calendarReturnChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const about = "Long–short returns by month and year, before costs";
  const subject = readSubject(analysis, options, about);
  const gross = analysis.detail.calendarReturns.filter(pl.col("one_way_bps").eq(pl.lit(0)));
  const cells = rowsOf(gross).map(cellOf);
  const known = withNumber(cells, "value");
  if (!known.some(({ value }) => value !== 0)) {
    const why = known.length === 0 ? "no month has a return" : "the portfolio holds nothing";
    return layOutNothing(subject, why);
  }
  const months = ascending(cells.filter(({ month }) => month !== YEAR), "value");
  const [lowest, highest] = [months[0]!, months.at(-1)!]
    .map(({ value, month, year }) => `${percentText(value)} (${month} ${year})`);
  const years = known.filter(({ month }) => month === YEAR)
    .map(({ value, year }) => `${percentText(value)} in ${year}`);
  const most = Math.max(...months.map(({ value }) => Math.abs(value)));
  return layOutFinding(subject, {
    finding: months.length === 1
      ? `One month: ${lowest}`
      : `${months.filter(({ value }) => value > 0).length} of ${months.length} months are above ` +
        `zero, from ${lowest} to ${highest}`,
    subtitle: [
      "Compounded returns of sessions, each in the month in which it ends; the first and last periods may be partial",
    ],
    caution: "A single realised path",
    details: `By year: ${years.join(", ")}.`,
    views: [{
      ...monthGrid(cells, { width: subject.widthPx, columns: [...MONTHS, YEAR] }),
      transform: [{ filter: has("value") }],
      layer: cellLayers(most),
    }],
  });
}

function cellOf({ period, return: value, sessions }: RowOf<Returns>) {
  const [year, month] = period!.split("-");
  const name = month === undefined ? YEAR : MONTHS[Number(month) - 1]!;
  return { year: year!, month: name, value, sessions };
}

type Returns = FactorAnalysis["detail"]["calendarReturns"];

/** Months by colour; years in outlines. */
function cellLayers(most: number): readonly ChartSpec[] {
  const tooltip = [
    tip("year", "year"),
    tip("month", "month"),
    tip("value", "return", ".2%"),
    tip("sessions", "sessions", "d"),
  ];
  const color = { ...signed("value", "monthly return", most), legend: { format: "%" } };
  const outline = { cornerRadius: 2, fillOpacity: 0, stroke: QUIET_COLOR };
  return [
    mark("rect", { where: IS_MONTH, cornerRadius: 2, color, tooltip }),
    mark("rect", { where: `!(${IS_MONTH})`, ...outline, tooltip }),
    mark("text", {
      fontSize: 10,
      tooltip: false,
      text: { field: "value", type: "quantitative", format: most < 0.01 ? ".2%" : ".1%" },
      color: { condition: { test: IS_MONTH, value: CELL_TEXT_COLOR }, value: TEXT_COLOR },
    }),
  ];
}
