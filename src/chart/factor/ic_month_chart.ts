import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { CELL_TEXT_COLOR, DIVERGING_COLORS } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf, textIn } from "../grammar/values.ts";

const WHOLE_MONTH = 10;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const KNOWN = [{ filter: "isValid(datum.ic)" }];
const NULL_LAYER: ChartSpec = {
  transform: [{ filter: "!isValid(datum.ic)" }],
  mark: { type: "text", text: "╱╱╱╱", fontSize: 12 },
  encoding: { tooltip: [tip("year", "year"), tip("month", "month"), tip("n", "sessions", "d")] },
};

/**
 * Draws the mean IC of each calendar month: a row a year, a column a month. Months of the span without an IC are hatched,
 * months outside of it are empty. The colours end at the largest absolute value of
 * a month of at least ten sessions.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options The horizon, title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
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
 *   noise: false,
 *   progress: false,
 * });
 * const chart = icMonthChart(analysis);
 * if (!chart.description.includes("months are above zero")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icMonthChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "IC by month", hasHorizon: true });
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const cells = rowsOf(analysis.detail.icByMonth.filter(of)).map((row) => {
    const [year, month] = textIn(row, "month").split("-");
    return { year: year!, month: MONTHS[Number(month) - 1]!, ic: row["ic"]!, n: row["n"]! };
  });
  return layOutChart({
    title: subject.title,
    subtitle: [
      subject.sample,
      "Mean IC of the sessions of a month; hatched: a month without an IC",
    ],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${describe(cells)}`,
    views: [view(cells, subject.widthPx)],
  });
}

function view(cells: readonly Row[], width: number): ChartSpec {
  const most = largest(cells);
  const years = new Set(cells.map((row) => row["year"])).size;
  const x = {
    field: "month",
    type: "ordinal",
    sort: MONTHS,
    title: null,
    scale: { domain: MONTHS },
  };
  const y = { field: "year", type: "ordinal", title: null };
  const axis = { labelAngle: 0, domain: false, ticks: false };
  return {
    width,
    height: Math.max(40, 26 * years),
    data: { values: cells },
    encoding: { x: { ...x, axis: { ...axis, orient: "top" } }, y: { ...y, axis } },
    layer: [...knownLayers(most), NULL_LAYER],
  };
}

// A month of a few sessions is far out by chance, and would leave the others without a colour.
function largest(cells: readonly Row[]): number {
  const size = (row: Row) => Math.abs(numberIn(row, "ic")) || 0;
  const whole = cells.filter((row) => numberIn(row, "n") >= WHOLE_MONTH);
  return (whole.length === 0 ? cells : whole).reduce((most, row) => Math.max(most, size(row)), 0);
}

function describe(cells: readonly Row[]): string {
  const known = cells.filter((row) => !Number.isNaN(numberIn(row, "ic")));
  if (known.length === 0) return "No month has an IC.";
  const sorted = known.toSorted((a, b) => numberIn(a, "ic") - numberIn(b, "ic"));
  const above = known.filter((row) => numberIn(row, "ic") > 0).length;
  const cell = (row: Row) => `${row["month"]} ${row["year"]} (${decimals(numberIn(row, "ic"), 3)})`;
  const years = [...new Set(known.map((row) => String(row["year"])))].map((year) => {
    const own = known.filter((row) => row["year"] === year);
    return `${own.filter((row) => numberIn(row, "ic") > 0).length} of ${own.length} in ${year}`;
  });
  return `${above} of ${known.length} months are above zero (${years.join(", ")}), the lowest is ${
    cell(sorted[0]!)
  }, ` +
    `the highest ${cell(sorted.at(-1)!)}.`;
}

function knownLayers(most: number): readonly ChartSpec[] {
  const scale = {
    domain: [-most, 0, most],
    range: [...DIVERGING_COLORS],
    interpolate: "rgb",
    clamp: true,
  };
  return [
    {
      transform: KNOWN,
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        color: { field: "ic", type: "quantitative", title: "mean IC", scale },
        tooltip: [
          tip("year", "year"),
          tip("month", "month"),
          tip("ic", "mean IC", ".4f"),
          tip("n", "sessions", "d"),
        ],
      },
    },
    {
      transform: KNOWN,
      mark: { type: "text", fontSize: 10, tooltip: false },
      encoding: {
        text: { field: "ic", type: "quantitative", format: ".2f" },
        color: { value: CELL_TEXT_COLOR },
      },
    },
  ];
}
