import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { equalMeansText } from "../../../base/wording/sentences/test_text.ts";
import type { Chart } from "../chart.ts";
import { looksBy } from "../grammar/encodings.ts";
import { partText, pointsWithIntervals } from "../grammar/interval_view.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { ascending, numberIn, type Row, rowsOf, withNumber } from "../grammar/values.ts";
import { SERIES_COLORS } from "../palette.ts";

// The kind of a part by form as well as by colour.
const KINDS = ["all", "year", "half", "group", "age"];
const [COLOR, SHAPE] = [SERIES_COLORS, ["diamond", "circle", "square", "triangle-up", "cross"]]
  .map((looks) => looksBy("kind", KINDS, looks, { legend: null }));

/**
 * Draws the mean IC of the whole sample, of each year, of both halves, of each group, and of scores of each age where more than one
 * is known, with 95% intervals on one axis. A
 * part that is too short for a test has a point without an interval.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title, width and horizon, one of the analysis (by default the shortest)
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
 *   progress: false,
 * });
 * const chart = stabilityChart(analysis);
 * if (!chart.description.includes("first half")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function stabilityChart(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number } = {},
): Chart {
  const about = "Mean IC by part of the sample";
  const subject = readSubject(analysis, options, about, { of: "a horizon" });
  const { parts, tests } = readParts(analysis, subject.horizon);
  if (withNumber(parts, "mean").length === 0) return layOutNothing(subject, "no session has an IC");
  const said = tests.length === 0
    ? "Parts too short for a joint test"
    : tests.map((test) => `The ${test}`).join(". ");
  const look = { title: "mean rank IC", color: COLOR!, shape: SHAPE! };
  return layOutFinding(subject, {
    finding: findingOf(parts, tests[0]),
    subtitle: [`${said}. Lines: 95% confidence intervals`],
    details: `${parts.map(partText).join("; ")}. ${said}.`,
    views: [pointsWithIntervals(parts, { width: subject.widthPx, ...look })],
  });
}

/** Means of the sample and of its parts, and the joint tests of equal means. */
function readParts(analysis: FactorAnalysis, horizon: number) {
  const { detail: { halves, groups }, stability, summary } = analysis;
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const splits = [
    { kind: "year", name: "years", found: stability },
    { kind: "half", name: "halves", found: halves },
    ...groups === null ? [] : [{ kind: "group", name: "groups", found: groups } as const],
  ] as const;
  const parts = [
    ...rowsOf(summary.table.filter(of)).map((row) => ({ ...row, part: "all", kind: "all" })),
    ...splits.flatMap(({ kind, found }) =>
      rowsOf(found.table.filter(of)).map((row) => ({ ...row, kind }))
    ),
    ...agesOf(analysis, horizon),
  ].map(({ part, kind, mean, low, high, sessions }) => ({ part, kind, mean, low, high, sessions }));
  const tests = splits.flatMap(({ name, found }) =>
    withNumber(rowsOf(found.tables.joint.filter(of)), "p").map(({ p }) => equalMeansText(name, p))
  );
  return { parts, tests };
}

type Part = ReturnType<typeof readParts>["parts"][number];
type Tested = Readonly<Record<"mean" | "low" | "high" | "sessions", number | null>>;

/** Means by age of the score, from the youngest; none if there is one age, or none is known. */
function agesOf({ detail: { icByAge } }: FactorAnalysis, horizon: number) {
  const rows = icByAge === null ? [] : rowsOf(icByAge.filter(pl.col("horizon").eq(pl.lit(horizon))))
    .map((row) => {
      const [, from, to] = /^\[(\d+), (\d+|∞)\)$/.exec(String(row["group"])) ?? [];
      const part = to === "∞" ? `age ${from} or more` : `age ${from} to ${Number(to) - 1}`;
      const { mean, low, high, sessions } = row as Row & Tested;
      return { from: Number(from), part, kind: "age", mean, low, high, sessions };
    }).filter(({ from, mean }) => !Number.isNaN(from) && mean !== null)
    .toSorted((a, b) => a.from - b.from);
  return rows.length < 2 ? [] : rows;
}

/** The mean of the sample, and of the years that are long enough for a test the lowest and the highest. */
function findingOf(parts: readonly Part[], test: string | undefined): string {
  const tested = withNumber(parts.filter(({ kind }) => kind === "year"), "low");
  const years = ascending(tested, "mean");
  const all = `Mean IC ${meanPhrase(parts[0], 3)}`;
  if (years.length < 2) {
    return `${all} over ${countText(numberIn(parts[0], "sessions"), "session")}`;
  }
  const [low, high] = [years[0]!, years.at(-1)!]
    .map(({ mean, part }) => `${decimalText(mean, 3)} (${part})`);
  const equal = test === undefined ? "" : `; the ${test}`;
  return `${all}, by year from ${low} to ${high}${equal}`;
}
