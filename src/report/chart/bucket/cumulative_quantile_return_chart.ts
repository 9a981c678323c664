import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import {
  crosshair,
  legendToggle,
  looksBy,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { growthAxis } from "../grammar/log_axis.ts";
import { mark, type MarkOptions } from "../mark.ts";
import { type Column, foldLines, lastOf, thinColumns } from "../grammar/session_lines.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { thinnedText } from "../grammar/thin_rows.ts";
import { ALL_COLOR, bucketColors, DASHES } from "../palette.ts";

const ALL = "all stocks";
const TITLES = { wealth: "growth of 1", relative: "relative to all stocks" } as const;
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
 *   progress: false,
 * });
 * const chart = cumulativeQuantileReturnChart(analysis);
 * if (!chart.description.includes("in all stocks")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function cumulativeQuantileReturnChart(
  analysis: FactorAnalysis,
  options: ChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, "Cumulative return of each quantile");
  const lines = linesOf(analysis);
  if (lines.wealth[0]!.end === null && lines.wealth.at(-1)!.end === null) {
    return layOutNothing(
      subject,
      "neither the top nor the bottom quantile has a return of one session",
    );
  }
  const { widthPx: width } = subject;
  const wealth = draw(lines, "wealth", [width, 190]);
  const relative = draw(lines, "relative", [width, 150]);
  const shown =
    "One-session returns, equal weights, quantiles formed anew with new scores, no costs";
  return layOutFinding(subject, {
    finding: findingOf(lines),
    subtitle: [[shown, ...thinnedText(Math.max(wealth.size, relative.size))].join(". ")],
    caution: "A single realised path",
    details: `${shown}. ${describe(lines)}`,
    sharesTime: true,
    datasets: { wealth: wealth.rows, relative: relative.rows },
    views: [wealth.view, relative.view],
  });
}

/** Growth of 1 by session, with its last value and the number of its values. */
type Line = ReturnType<typeof lineOf>;

function lineOf(column: Column) {
  // The first row is the entry, of which there is no return.
  const count = column.slice(1).filter(Number.isFinite).length;
  return { column, end: count === 0 ? null : lastOf(column), count };
}

type Lines = ReturnType<typeof linesOf>;

/** Growth of all stocks and of each quantile, the lowest first, and of each relative to all stocks. */
function linesOf({ detail: { cumulativeQuantileReturns: table }, plan }: FactorAnalysis) {
  const parts = Array.from(
    { length: plan.quantiles },
    (_, i) => table.filter(pl.col("quantile").eq(pl.lit(i + 1))),
  );
  const read = (name: "wealth" | "relative" | "all_names") =>
    parts.map((part) => lineOf(part.getColumn(name).toArray()));
  const fullest = parts.reduce((a, b) => b.height > a.height ? b : a);
  return {
    sessions: fullest.getColumn("date").toArray() as readonly Date[],
    all: lineOf(fullest.getColumn("all_names").toArray()),
    wealth: read("wealth"),
    relative: read("relative"),
  };
}

function findingOf({ sessions, all, wealth }: Lines): string {
  const ends = [wealth.length, 1].map((quantile) => {
    const line = wealth[quantile - 1]!;
    return line.end === null
      ? `nothing known in quantile ${quantile}`
      : `${decimalText(line.end, 2)} in quantile ${quantile}${partText(line, all, [" (", ")"])}`;
  });
  return `Growth of 1: ${ends.join(" and ")}, ${decimalText(all.end ?? NaN, 2)} in all stocks, ` +
    `over ${countText(Math.max(0, sessions.length - 1), "session")} before costs`;
}

// Ties leave a quantile empty in some sessions of all stocks, and its growth is that of the others.
function partText(line: Line, all: Line, [before, after]: readonly [string, string]): string {
  return line.count === all.count ? "" : `${before}${countText(line.count, "session")}${after}`;
}

function nameOf(quantile: number, count: number): string {
  if (quantile === 1) return "1, the lowest scores";
  return quantile === count ? `${count}, the highest scores` : String(quantile);
}

/** The lines of a picture, with the number of each quantile at its end; the line of all stocks, `w0`, only among absolute ones. */
function draw(
  { sessions, all, ...lines }: Lines,
  name: keyof typeof TITLES,
  [width, height]: readonly [number, number],
) {
  const own = lines[name];
  const names = own.map((_, i) => nameOf(i + 1, own.length));
  const drawn = {
    ...Object.fromEntries(own.map(({ column }, i) => [`${name[0]}${i + 1}`, column])),
    ...name === "wealth" && { w0: all.column },
  };
  const fields = Object.keys(drawn);
  const y = growthAxis("value", TITLES[name], Object.values(drawn).flat());
  const nameIn = (field: string) =>
    field === "w0" ? ALL : `quantile ${names[Number(field.slice(1)) - 1]}`;
  const transform = foldLines(fields, [ALL, ...names], ["value", "bucket"]);
  const layer = [
    ruleAt(1),
    linesLayer(names, width, { rows: name, transform, y }),
    crosshair(`hover_${name}`, {
      rows: name,
      x: sessionAxis(),
      also: [`hover_${name === "wealth" ? "relative" : "wealth"}`],
      tooltip: [sessionTip(), ...fields.map((field) => tip(field, nameIn(field), ".4f"))],
    }),
  ];
  // A picture holds 24 kB, which is drawn in a tenth of a second: a row takes 22 bytes, and 13 for each line.
  const most = Math.floor(24_000 / (22 + 13 * fields.length));
  return { ...thinColumns(sessions, drawn, most), view: { width, height, layer } };
}

function linesLayer(names: readonly string[], width: number, { y, ...drawn }: MarkOptions) {
  const isMain = drawn.rows === "wealth";
  const legend = width < LEGEND_PX ? { legend: { columns: 3 } } : {};
  const by = (looks: readonly unknown[]) =>
    looksBy("bucket", [...names, ALL], looks, { title: "quantile", ...legend });
  // The extreme quantiles are solid lines; the others and all stocks have dashes of their own.
  const isEnd = (i: number) => i === 0 || i === names.length - 1;
  const dashes = [...names.map((_, i) => DASHES[isEnd(i) ? 0 : 1 + i % 3]!), DASHES[4]!];
  const toggle = legendToggle("bucket");
  const test = `datum.bucket === '${names[0]}' || datum.bucket === '${names.at(-1)}'`;
  return mark("line", {
    ...drawn,
    params: [...zoom(`${drawn.rows}_zoom`), ...isMain ? toggle.params! : []],
    ...isMain && { opacity: toggle.opacity },
    x: sessionAxis(),
    y,
    color: by([...bucketColors(names.length), ALL_COLOR]),
    strokeWidth: { condition: { test, value: 2.2 }, value: 1.5 },
    strokeDash: by(dashes),
  });
}

function describe({ all, wealth, relative }: Lines): string {
  const count = wealth.length;
  const ends = wealth.map((line, i) => {
    if (line.end === null) return `quantile ${i + 1} has no return`;
    const part = `${partText(line, all, ["", "; "])}${decimalText(relative[i]!.end ?? NaN, 3)}`;
    const name = nameOf(i + 1, count);
    return `${decimalText(line.end, 3)} in quantile ${name} (${part} relative to all stocks)`;
  });
  return `Growth of 1: ${ends.join(", ")}, and ${decimalText(all.end ?? NaN, 3)} in ` +
    `${ALL}.`;
}
