import { looksBy } from "../grammar/encodings.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { pointsWithIntervals } from "../grammar/interval_view.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { SERIES_COLORS } from "../palette.ts";
import { numberIn, type Row, rowsOf, withNumber } from "../grammar/values.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { equalMeansText } from "../../../base/wording/sentences/test_text.ts";

// The kind of a part by form as well as by colour.
const [COLOR, SHAPE] = [SERIES_COLORS, ["diamond", "circle", "square", "triangle-up"]]
  .map((looks) => looksBy("kind", ["all", "year", "half", "group"], looks, { legend: null }));

/**
 * Draws the mean IC of the whole sample, of each year, of both halves and of each group, with 95% intervals on one axis. A
 * part that is too short for a test has a point without an interval.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon, title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { stabilityChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = stabilityChart(analysis);
 * if (!chart.description.includes("first half")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function stabilityChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: aboutOf(analysis), hasHorizon: true });
  const { detail, stability, summary } = analysis;
  const ofHorizon = (rows: readonly Row[]) =>
    rows.filter((row) => row["horizon"] === subject.horizon);
  const parts = [
    ...ofHorizon(rowsOf(summary.table)).map((row) => toPart({ ...row, part: "all" }, "all")),
    ...ofHorizon(rowsOf(stability.table)).map((row) => toPart(row, "year")),
    ...ofHorizon(rowsOf(detail.halves.table)).map((row) => toPart(row, "half")),
    ...ofHorizon(rowsOf(detail.groups?.table ?? stability.table.slice(0, 0)))
      .map((row) => toPart(row, "group")),
  ];
  const { halves, groups } = detail;
  const joint = [["years", stability], ["halves", halves], ["groups", groups]] as const;
  const tests = joint.flatMap(([name, found]) => {
    const p = numberIn(ofHorizon(found === null ? [] : rowsOf(found.joint))[0], "p");
    return Number.isNaN(p) ? [] : [`The ${equalMeansText(name, p)}`];
  });
  const known = withNumber(parts, "mean");
  if (known.length === 0) return layOutNothing(subject, "no session has an IC");
  const said = tests.length === 0 ? "Parts too short for a joint test" : tests.join(". ");
  return layOutFinding(subject, {
    finding: findingOf(parts, tests[0]),
    subtitle: [`${said}. Lines: 95% confidence intervals`],
    details: `${parts.map(describePart).join("; ")}. ${said}.`,
    views: [
      pointsWithIntervals(parts, {
        width: subject.widthPx,
        title: "mean rank IC",
        ...{ color: COLOR!, shape: SHAPE! },
      }),
    ],
  });
}

/** The splits of the sample; something else than an analysis is refused where it is read. */
function aboutOf(analysis: Partial<FactorAnalysis> | null): string {
  const hasGroups = (analysis?.detail?.groups ?? null) !== null;
  return `Mean IC by ${hasGroups ? "year, half and group" : "year and half"}`;
}

/** The mean of the sample, and of the years that are long enough for a test the lowest and the highest. */
function findingOf(parts: readonly Row[], test: string | undefined): string {
  const years = withNumber(parts.filter((row) => row["kind"] === "year"), "low")
    .toSorted((a, b) => numberIn(a, "mean") - numberIn(b, "mean"));
  const all = `Mean IC ${meanPhrase(parts[0], 3)}`;
  if (years.length < 2) {
    return `${all} over ${countText(numberIn(parts[0], "sessions"), "session")}`;
  }
  const [low, high] = [years[0]!, years.at(-1)!].map((row) =>
    `${three(numberIn(row, "mean"))} (${row["part"]})`
  );
  const equal = test === undefined ? "" : `; ${test.replace(/^The/, "the")}`;
  return `${all}, by year from ${low} to ${high}${equal}`;
}

function three(value: number): string {
  return decimalText(value, 3);
}

function toPart(row: Row, kind: string): Row {
  const { part, mean, low, high, sessions } = row;
  return { part: part!, kind, mean: mean!, low: low!, high: high!, sessions: sessions! };
}

function describePart(row: Row): string {
  const found = Number.isNaN(numberIn(row, "mean")) ? "no IC" : meanPhrase(row, 3);
  return `${row["part"]}: ${found}, ${countText(numberIn(row, "sessions"), "session")}`;
}
