import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { equalMeansText } from "../../../base/wording/sentences/test_text.ts";
import type { Chart } from "../chart.ts";
import { looksBy } from "../grammar/encodings.ts";
import { partText, pointsWithIntervals } from "../grammar/interval_view.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { ascending, numberIn, type RowOf, rowsOf, withNumber } from "../grammar/values.ts";
import { SERIES_COLORS } from "../palette.ts";

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
 *   progress: false,
 * });
 * const chart = stabilityChart(analysis);
 * if (!chart.description.includes("first half")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function stabilityChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: aboutOf(analysis), hasHorizon: true });
  const { detail: { halves, groups }, stability, summary } = analysis;
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const splits = [
    { kind: "year", name: "years", found: stability },
    { kind: "half", name: "halves", found: halves },
    ...groups === null ? [] : [{ kind: "group", name: "groups", found: groups } as const],
  ] as const;
  const parts = [
    ...rowsOf(summary.table.filter(of)).map((row) => partOf({ ...row, part: "all" }, "all")),
    ...splits.flatMap(({ kind, found }) =>
      rowsOf(found.table.filter(of)).map((row) => partOf(row, kind))
    ),
  ];
  if (withNumber(parts, "mean").length === 0) {
    return layOutNothing(subject, "no session has an IC");
  }
  const tests = splits.flatMap(({ name, found }) =>
    withNumber(rowsOf(found.tables.joint.filter(of)), "p").map(({ p }) =>
      `The ${equalMeansText(name, p)}`
    )
  );
  const said = tests.length === 0 ? "Parts too short for a joint test" : tests.join(". ");
  return layOutFinding(subject, {
    finding: findingOf(parts, tests[0]),
    subtitle: [`${said}. Lines: 95% confidence intervals`],
    details: `${parts.map(partText).join("; ")}. ${said}.`,
    views: [
      pointsWithIntervals(parts, {
        width: subject.widthPx,
        title: "mean rank IC",
        ...{ color: COLOR!, shape: SHAPE! },
      }),
    ],
  });
}

type Part = ReturnType<typeof partOf>;

function partOf(
  row: Pick<
    RowOf<FactorAnalysis["stability"]["table"]>,
    "part" | "mean" | "low" | "high" | "sessions"
  >,
  kind: string,
) {
  const { part, mean, low, high, sessions } = row;
  return { part, kind, mean, low, high, sessions };
}

/** The splits of the sample; something else than an analysis is refused where it is read. */
function aboutOf(analysis: Partial<FactorAnalysis> | null): string {
  const hasGroups = (analysis?.detail?.groups ?? null) !== null;
  return `Mean IC by ${hasGroups ? "year, half and group" : "year and half"}`;
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
  const equal = test === undefined ? "" : `; ${test.replace(/^The/, "the")}`;
  return `${all}, by year from ${low} to ${high}${equal}`;
}
