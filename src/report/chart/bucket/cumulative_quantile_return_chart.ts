import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { looksBy, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { placeLabels } from "./_end_labels.ts";
import { type Column, lastOf, linesOf, type QuantileLines } from "./_quantile_lines.ts";
import { growthAxis, type GrowthRange, growthRange } from "../grammar/log_axis.ts";
import { ALL_COLOR, bucketColors, DASHES } from "../palette.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { thinnedText, thinPlaces } from "../grammar/thin_rows.ts";
import { type Row, toValue } from "../grammar/values.ts";

// A picture holds 24 kB, which is drawn in a tenth of a second: a row takes 22 bytes, and 13 for each line.
const rowsFor = (lines: number) => Math.floor(24_000 / (22 + 13 * lines));
const ALL = "all stocks";
// Five quantiles and all stocks in one row of a legend.
const LEGEND_PX = 500;

/**
 * Draws the cumulative return of each quantile and of all stocks as growth of 1, and beneath it that of each quantile relative to all stocks, both on
 * logarithmic axes, on which equal steps are equal rates. Returns of one session are compounded, equally weighted and without
 * costs; returns of longer horizons overlap and cannot be compounded. Where sessions are many, the first, lowest, highest and last of
 * each block are drawn, and the subtitle states the size of a block.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
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
  const lines = linesOf(analysis, count);
  const names = lines.wealth.map((_, i) => nameOf(i + 1, count));
  if (lastOf(lines.wealth[0]) === null && lastOf(lines.wealth.at(-1)) === null) {
    return layOutNothing(
      subject,
      "neither the top nor the bottom quantile has a return of one session",
    );
  }
  const wealth = thinLines(lines, { letter: "w", columns: [lines.all, ...lines.wealth] });
  const relative = thinLines(lines, { letter: "r", columns: lines.relative });
  const shown =
    "One-session returns, equal weights, quantiles formed anew with each score set, no costs";
  const size = Math.max(wealth.size, relative.size);
  const { widthPx: width } = subject;
  return layOutFinding(subject, {
    finding: findingOf(lines),
    subtitle: [[shown, ...thinnedText(size)].join(". ")],
    caution: "A single realised path",
    details: `${shown}. ${describe(lines)}`,
    sharesTime: true,
    datasets: { wealth: wealth.rows, relative: relative.rows },
    views: [
      linesView(names, { of: "wealth", width, columns: lines.wealth, all: lines.all }),
      linesView(names, { of: "relative", width, columns: lines.relative, all: [] }),
    ],
  });
}

function findingOf({ times, all, wealth }: QuantileLines): string {
  const ends = [wealth.length, 1].map((quantile) => {
    const last = lastOf(wealth[quantile - 1]);
    return last === null
      ? `nothing known in quantile ${quantile}`
      : `${decimalText(last, 2)} in quantile ${quantile}${
        partText(wealth[quantile - 1], all, (sessions) => ` (${sessions})`)
      }`;
  });
  return `Growth of 1: ${ends.join(" and ")}, ${
    decimalText(lastOf(all) ?? NaN, 2)
  } in all stocks, over ${countText(times.length, "session")} before costs`;
}

// Ties leave a quantile empty in some sessions of all stocks, and its growth is that of the others.
function partText(
  column: Column = [],
  all: Column,
  textOf: (sessions: string) => string,
): string {
  const [known, most] = [column, all].map((values) =>
    values.filter((value) => value !== null && !Number.isNaN(value)).length
  );
  return known === most ? "" : textOf(countText(known!, "session"));
}

/** The rows that the lines of one picture need: `w0` to `w5`, or `r1` to `r5`. */
function thinLines(
  { times }: QuantileLines,
  { letter, columns }: { readonly letter: "w" | "r"; readonly columns: readonly Column[] },
) {
  const first = letter === "w" ? 0 : 1;
  const most = rowsFor(columns.length);
  const { places, size } = thinPlaces(columns, { height: times.length, most });
  const rows = places.map((place): Row =>
    Object.fromEntries([
      ["session", toValue(new Date(times[place]!))],
      ...columns.map((column, i) => [`${letter}${i + first}`, toValue(column[place])]),
    ])
  );
  return { rows, size };
}

function nameOf(quantile: number, count: number): string {
  if (quantile === 1) return "1, the lowest scores";
  return quantile === count ? `${count}, the highest scores` : String(quantile);
}

interface LinesPlan {
  readonly of: "wealth" | "relative";
  readonly width: number;
  readonly columns: readonly Column[];
  /** Line of all stocks; empty without one. */
  readonly all: Column;
}

function linesView(names: readonly string[], plan: LinesPlan): ChartSpec {
  const { of, width } = plan;
  const height = of === "wealth" ? 190 : 150;
  const range = growthRange([plan.all, ...plan.columns].flat());
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

function linesLayer(
  names: readonly string[],
  { of, width }: LinesPlan,
  range: GrowthRange,
): ChartSpec {
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
      y: growthAxis("value", what, range),
      color: by(names, [...bucketColors(names.length), ALL_COLOR], width),
      strokeWidth: { condition: { test: isEnd, value: 2.2 }, value: 1.3 },
      strokeDash: by(names, dashesOf(names), width),
      tooltip: [sessionTip(), tip("bucket", "quantile"), tip("value", what, ".4f")],
    },
  };
}

/** Number of each quantile at the end of its line. */
function endsOf(
  names: readonly string[],
  { columns }: LinesPlan,
  range: GrowthRange & { readonly heightPx: number },
): readonly Row[] {
  const ends = names.flatMap((bucket, i) => {
    const last = lastOf(columns[i]);
    return last === null ? [] : [{ label: bucket, value: last }];
  });
  return placeLabels(ends, range).map(({ label, at }) => ({
    bucket: label,
    label: label.replace(/,.*/, ""),
    at: toValue(at),
  }));
}

function by(names: readonly string[], looks: readonly unknown[], width: number): ChartSpec {
  const legend = width < LEGEND_PX ? { legend: { columns: 3 } } : {};
  return looksBy("bucket", [...names, ALL], looks, { title: "quantile", ...legend });
}

/** The extreme quantiles are solid lines; the others and all stocks have dashes of their own. */
function dashesOf(names: readonly string[]): readonly unknown[] {
  const isEnd = (i: number) => i === 0 || i === names.length - 1;
  return [...names.map((_, i) => DASHES[isEnd(i) ? 0 : 1 + i % 3]!), DASHES[4]!];
}

function describe(lines: QuantileLines): string {
  const { wealth, relative, all } = lines;
  const ends = wealth.map((column, i) => {
    const last = lastOf(column);
    return last === null
      ? `quantile ${i + 1} has no return`
      : `${decimalText(last, 3)} in quantile ${nameOf(i + 1, wealth.length)} (${
        partText(column, all, (sessions) => `${sessions}; `)
      }${decimalText(lastOf(relative[i]) ?? NaN, 3)} relative to all stocks)`;
  });
  return `Growth of 1: ${ends.join(", ")}, and ${decimalText(lastOf(all) ?? NaN, 3)} in ${ALL}.${
    describeYears(lines)
  }`;
}

/** Values of the quantiles at the end of each year, for readers who cannot see the picture. */
function describeYears({ times, wealth, relative }: QuantileLines): string {
  const isKnown = (place: number) => wealth.some((column) => column[place] !== null);
  const years = Map.groupBy(
    [...times.keys()].filter(isKnown),
    (place) => new Date(times[place]!).getUTCFullYear(),
  );
  if (years.size < 2) return "";
  const said = [...years].map(([year, places]) => {
    const ends = [relative.at(-1)!, relative[0]!].map((column) => {
      const last = lastOf(places.map((place) => column[place]!));
      return last === null ? "none" : decimalText(last, 3);
    });
    return `${ends.join(" and ")} (${year})`;
  });
  return ` Quantile ${wealth.length} and quantile 1 relative to all stocks at year-end: ${
    said.join(", ")
  }.`;
}
