import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { placeLabels } from "./_end_labels.ts";
import { logAxis } from "../grammar/log_axis.ts";
import { ALL_COLOR, bucketColors, DASHES } from "../palette.ts";
import { countText, decimalText } from "../../wording/number_text.ts";
import { thinnedText, thinRows } from "../grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, toValue, type Value } from "../grammar/values.ts";

// A picture holds 24 kB, which is drawn in a tenth of a second: a row takes 22 bytes, and 13 for each line.
const rowsFor = (lines: number) => Math.floor(24_000 / (22 + 13 * lines));
const ALL = "all stocks";
const COLUMNS = ["session", "quantile", "wealth", "all_names", "relative"] as const;

/**
 * Draws the cumulative return of each quantile and of all stocks, as the wealth that one unit becomes, and beneath it each bucket over all names, both on
 * logarithmic axes, on which equal steps are equal rates. Returns of one session are compounded, equally weighted and without
 * costs; returns of longer horizons overlap and have no such line. Of many sessions, the first, lowest, highest and last of
 * every few are drawn, and the subtitle says of how many.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { cumulativeQuantileReturnChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = cumulativeQuantileReturnChart(analysis);
 * if (!chart.description.includes("in all stocks")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function cumulativeQuantileReturnChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, { about: "Cumulative return of each quantile" });
  const { quantiles: count } = analysis.plan;
  const all = rowsOf(analysis.detail.cumulativeQuantileReturns, [...COLUMNS]);
  const sessions = bySession(all);
  const names = Array.from({ length: count }, (_, i) => nameOf(i + 1, count));
  const wealth = thinLines(sessions, { letter: "w", first: 0, count });
  const relative = thinLines(sessions, { letter: "r", first: 1, count });
  const known = all.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
  if (!known.some((row) => row["quantile"] === 1 || row["quantile"] === count)) {
    return layOutNothing(
      subject,
      analysis.detail.whyNoIc.get(1) ??
        "neither the top nor the bottom quantile has a return of one session",
    );
  }
  const shown = "Returns of one session, equal weights, new quantiles with new scores, no costs";
  const size = Math.max(wealth.size, relative.size);
  return layOutFinding(subject, {
    finding: findingOf(known, { count, sessions: sessions.length }),
    subtitle: [[shown, ...thinnedText(size)].join(". ")],
    caution: "One path of one history",
    details: `${shown}. ${describe(all, count)}`,
    sharesTime: true,
    datasets: { wealth: wealth.rows, relative: relative.rows },
    views: [
      linesView(names, { of: "wealth", width: subject.widthPx, rows: all }),
      linesView(names, { of: "relative", width: subject.widthPx, rows: all }),
    ],
  });
}

function findingOf(
  known: readonly Row[],
  { count, sessions }: { readonly count: number; readonly sessions: number },
): string {
  const ends = [count, 1].map((quantile) => {
    const last = known.findLast((row) => row["quantile"] === quantile);
    return last === undefined
      ? `nothing known in quantile ${quantile}`
      : `${decimalText(numberIn(last, "wealth"), 2)} in quantile ${quantile}`;
  });
  return `Growth of 1: ${ends.join(" and ")}, ${
    decimalText(numberIn(known.at(-1), "all_names"), 2)
  } in all stocks, over ${countText(sessions, "session")} before costs`;
}

/** The rows that the lines of one picture need: `w0` to `w5`, or `r1` to `r5`. */
function thinLines(
  sessions: readonly Row[],
  { letter, first, count }: { letter: "w" | "r"; first: number; count: number },
) {
  const fields = Array.from({ length: count + 1 - first }, (_, i) => `${letter}${i + first}`);
  const own = sessions.map((row): Row =>
    Object.fromEntries(["session", ...fields].map((name) => [name, row[name] ?? null]))
  );
  return thinRows(own, { fields, most: rowsFor(fields.length) });
}

/** One row per session: wealth of quantile 2 in `w2`, relative to all stocks in `r2`, that of all stocks in `w0`. */
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
  const what = isWealth ? "growth of 1" : "relative to all stocks";
  const isEnd = `datum.bucket === '${names[0]}' || datum.bucket === '${names.at(-1)}'`;
  return {
    data: { name: of },
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
      strokeDash: dashOf(names),
      tooltip: [sessionTip(), tip("bucket", "quantile"), tip("value", what, ".4f")],
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
    title: "quantile",
    sort: null,
    scale: { domain: [...names, ALL], range: [...bucketColors(names.length), ALL_COLOR] },
  };
}

/** The ends are solid; quantiles between them and all stocks are told apart by their strokes. */
function dashOf(names: readonly string[]): ChartSpec {
  const inner = names.map((_, i) =>
    i === 0 || i === names.length - 1 ? DASHES[0]! : DASHES[1 + i % 3]!
  );
  return { ...colorOf(names), scale: { domain: [...names, ALL], range: [...inner, DASHES[4]!] } };
}

function describe(rows: readonly Row[], count: number): string {
  const known = rows.filter((row) => !Number.isNaN(numberIn(row, "wealth")));
  if (known.length === 0) return "No session has a return of a quantile.";
  const ends = Array.from({ length: count }, (_, i) => {
    const own = known.filter((row) => row["quantile"] === i + 1);
    const last = own.at(-1);
    return last === undefined
      ? `quantile ${i + 1} has no return`
      : `${decimalText(numberIn(last, "wealth"), 3)} in quantile ${nameOf(i + 1, count)} (${
        decimalText(numberIn(last, "relative"), 3)
      } relative to all stocks)`;
  });
  const all = known.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  return `Growth of 1: ${ends.join(", ")}, and ${
    decimalText(numberIn(all, "all_names"), 3)
  } in ${ALL}.${describeYears(known, count)}`;
}

/** Values of the quantiles at the end of each year, as a reader of the picture sees them. */
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
  return ` Relative to all stocks quantile ${count} and quantile 1 stand at ${
    said.join(", ")
  } at the ends of years.`;
}

function endText(value: number | undefined): string {
  return value === undefined ? "none" : decimalText(value, 3);
}
