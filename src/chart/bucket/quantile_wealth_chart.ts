import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { placeLabels } from "./_end_labels.ts";
import { logAxis } from "./_log_axis.ts";
import { bucketColors, TEXT_COLOR } from "../grammar/palette.ts";
import { inBlocks, numberIn, type Row, rowsOf, toValue, type Value } from "../grammar/values.ts";

const MOST_ROWS = 1560;
const ALL = "all names";
const COLUMNS = ["session", "quantile", "wealth", "all_names", "relative"] as const;
const DATA = { name: "buckets" };

/**
 * Draws what one unit of wealth became in each bucket and in all names, and beneath it each bucket over all names, both on
 * logarithmic axes, on which equal steps are equal rates. Returns of one session are compounded, equally weighted and without
 * costs; returns of longer horizons overlap and have no such line. Where buckets times sessions are more than some 1,500, each line
 * holds the last session of every few, and the subtitle says so.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { quantileWealthChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = quantileWealthChart(analysis);
 * if (!chart.description.includes("in all names")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function quantileWealthChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, { title: "What became of each bucket" });
  const { quantiles: count } = analysis.plan;
  const all = rowsOf(analysis.detail.quantileWealth, [...COLUMNS]);
  const sessions = bySession(all);
  const blocks = inBlocks(sessions, Math.floor(MOST_ROWS / (count + 1)));
  const size = blocks[0]?.length ?? 1;
  const note = size === 1 ? [] : [`Drawn is the last of every ${size} sessions`];
  const names = Array.from({ length: count }, (_, i) => nameOf(i + 1, count));
  const shown = "Returns of one session, equal weights, new buckets each session, no costs";
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, [shown, ...note].join(". ")],
    footnote: `${subject.footnote}. One path of one history`,
    widthPx: subject.widthPx,
    sharesTime: true,
    description: `${subject.title}: ${subject.sample}. ${shown}. ${describe(all, count)}`,
    datasets: { buckets: blocks.map((block) => block.at(-1)!) },
    views: [
      linesView(names, { of: "wealth", width: subject.widthPx, rows: all }),
      linesView(names, { of: "relative", width: subject.widthPx, rows: all }),
    ],
  });
}

/** One row a session: wealth of bucket 2 in `w2`, over all names in `r2`, that of all names in `w0`. */
function bySession(rows: readonly Row[]): readonly Row[] {
  const found = new Map<string, Record<string, Value>>();
  for (const row of rows) {
    const session = String(row["session"]);
    const entry = found.get(session) ?? { session, w0: row["all_names"]! };
    entry[`w${row["quantile"]}`] = row["wealth"]!;
    entry[`r${row["quantile"]}`] = row["relative"]!;
    found.set(session, entry);
  }
  return [...found].toSorted(([a], [b]) => a < b ? -1 : 1).map(([, entry]) => entry);
}

function nameOf(quantile: number, count: number): string {
  if (quantile === 1) return "1, the lowest scores";
  return quantile === count ? `${count}, the highest scores` : String(quantile);
}

interface LinesPlan {
  readonly of: "wealth" | "relative";
  readonly width: number;
  readonly rows: readonly Row[];
}

function linesView(names: readonly string[], plan: LinesPlan): ChartSpec {
  const { of, width } = plan;
  const height = of === "wealth" ? 190 : 150;
  const range = rangeOf(plan);
  return {
    width,
    height,
    layer: [
      ruleAt(1),
      linesLayer(names, plan, range),
      {
        data: { values: endsOf(names, plan, { ...range, heightPx: height - 12 }) },
        mark: { type: "text", align: "left", dx: 4, fontSize: 10, x: width, clip: false },
        encoding: {
          y: { field: "at", type: "quantitative" },
          text: { field: "label" },
          color: colorOf(names),
        },
      },
    ],
  };
}

function linesLayer(names: readonly string[], { of }: LinesPlan, range: Range): ChartSpec {
  const isWealth = of === "wealth";
  const letter = isWealth ? "w" : "r";
  const fields = [...names.map((_, i) => `${letter}${i + 1}`), ...(isWealth ? ["w0"] : [])];
  const labels = `${JSON.stringify([ALL, ...names])}[toNumber(slice(datum.key, 1))]`;
  const what = isWealth ? "wealth" : "over all names";
  const isEnd = `datum.bucket === '${names[0]}' || datum.bucket === '${names.at(-1)}'`;
  return {
    data: DATA,
    transform: [{ fold: fields, as: ["key", "value"] }, { calculate: labels, as: "bucket" }],
    params: zoom(`${of}_zoom`),
    mark: { type: "line" },
    encoding: {
      x: sessionAxis(),
      y: {
        field: "value",
        type: "quantitative",
        title: `${what}, log scale`,
        scale: { type: "log", nice: false, padding: 6 },
        axis: logAxis(range.low, range.high),
      },
      color: colorOf(names),
      strokeWidth: { condition: { test: isEnd, value: 2.2 }, value: 1.3 },
      strokeDash: {
        condition: { test: `datum.bucket === '${ALL}'`, value: [4, 3] },
        value: [1, 0],
      },
      tooltip: [sessionTip(), tip("bucket", "bucket"), tip("value", what, ".4f")],
    },
  };
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** The least and the largest value of the lines, 1 at their start included. */
function rangeOf({ of, rows }: LinesPlan): Range {
  const names = of === "wealth" ? ["wealth", "all_names"] : ["relative"];
  const values = rows.flatMap((row) => names.map((name) => numberIn(row, name)))
    .filter((value) => value > 0);
  return {
    low: values.reduce((a, b) => Math.min(a, b), 1),
    high: values.reduce((a, b) => Math.max(a, b), 1),
  };
}

/** The number of each bucket where its line ends. */
function endsOf(
  names: readonly string[],
  { of, rows }: LinesPlan,
  range: Range & { readonly heightPx: number },
): readonly Row[] {
  const ends = names.flatMap((bucket, i) => {
    const last = rows.findLast((row) => row["quantile"] === i + 1 && numberIn(row, of) > 0);
    return last === undefined ? [] : [{ label: bucket, value: numberIn(last, of) }];
  });
  return placeLabels(ends, range).map(({ label, at }) => ({
    bucket: label,
    label: label.replace(/,.*/, ""),
    at: toValue(at),
  }));
}

function colorOf(names: readonly string[]): ChartSpec {
  return {
    field: "bucket",
    type: "nominal",
    title: "bucket",
    sort: null,
    scale: { domain: [...names, ALL], range: [...bucketColors(names.length), TEXT_COLOR] },
  };
}

function describe(rows: readonly Row[], count: number): string {
  const known = rows.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
  if (known.length === 0) return "No session has a return of a bucket.";
  const ends = Array.from({ length: count }, (_, i) => {
    const own = known.filter((row) => row["quantile"] === i + 1);
    const last = own.at(-1);
    return last === undefined
      ? `bucket ${i + 1} has no return`
      : `${decimals(numberIn(last, "wealth"), 3)} in bucket ${nameOf(i + 1, count)} (${
        decimals(numberIn(last, "relative"), 3)
      } over all names)`;
  });
  const all = known.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  return `1 becomes ${ends.join(", ")}, and ${decimals(numberIn(all, "all_names"), 3)} in ${ALL}.${
    describeYears(known, count)
  }`;
}

/** Where the ends of the buckets stand when a year ends: what a reader of the picture sees of their paths. */
function describeYears(rows: readonly Row[], count: number): string {
  const ends = new Map<string, Map<number, number>>();
  for (const row of rows) {
    const year = String(row["session"]).slice(0, 4);
    const own = ends.get(year) ?? new Map<number, number>();
    ends.set(year, own.set(numberIn(row, "quantile"), numberIn(row, "relative")));
  }
  if (ends.size < 2) return "";
  const said = [...ends].map(([year, own]) =>
    `${[count, 1].map((quantile) => endText(own.get(quantile))).join(" and ")} (${year})`
  );
  return ` Over all names bucket ${count} and bucket 1 stand at ${
    said.join(", ")
  } at the ends of years.`;
}

function endText(value: number | undefined): string {
  return value === undefined ? "none" : decimals(value, 3);
}
