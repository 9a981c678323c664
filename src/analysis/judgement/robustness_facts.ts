import type { TableRow } from "../../frames/frame/typed/table_frame.ts";
import type { SUMMARY_COLUMNS } from "../series/information_summary.ts";
import type { CHECK_COLUMNS } from "../series/summary_checks.ts";
import { LEVEL, meanOf } from "../../base/statistics/moments.ts";
import { andText } from "../../base/wording/words.ts";
import { countText, decimalText, pPhrase } from "../../base/wording/number_text.ts";
import {
  detectableText,
  equalMeansText,
  ratioText,
} from "../../base/wording/sentences/test_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, folded, TOPICS } from "./fact.ts";

const TOPIC = TOPICS.robustness;
const TABLE = "summary.table";
const CHECKS = "summary.tables.checks";

type MeanRow = TableRow<typeof SUMMARY_COLUMNS>;
type CheckRow = TableRow<typeof CHECK_COLUMNS>;

/** Reliability of the tests of the mean IC, weaknesses first. */
export function robustnessFacts(analysis: FactorAnalysis): readonly Fact[] {
  const rows = analysis.summary.table.toRecords();
  const checks = analysis.summary.tables.checks.toRecords();
  const tested = rows.filter(({ t }) => t !== null);
  const [shortest] = tested;
  return [
    ...shortest === undefined ? [] : folded([methodFact(shortest, analysis)]),
    ...tested.filter(({ low, high }) => low! <= 0 && high! >= 0).map(detectableFact),
    ...checks.filter(({ check, horizon }) => check === "one-session form" && horizon! > 1)
      .flatMap((row) => oneSessionFact(row, rows)),
    ...folded([...yearsFact(analysis), ...permutationFact(analysis)]),
  ];
}

/** Names of the errors and the test, and what the sample behind the first mean is worth. */
function methodFact(
  { horizon, sessions, df, effective_n: worth }: MeanRow,
  { ic }: FactorAnalysis,
): Fact {
  const counts = ic.toRecords().filter((row) => row.horizon === horizon && row.ic !== null)
    .map(({ n }) => n!);
  const least = counts.reduce((min, count) => Math.min(min, count), Infinity);
  const effective = worth === null || df === null || worth * largestRatio(df) >= sessions!
    ? ""
    : `, worth ${decimalText(worth, 0)} independent ones,`;
  const statement =
    "Standard errors are equal-weighted cosines (Lazarus, Lewis, Stock and Watson, 2018), tests " +
    `Student's t. At ${countText(horizon!, "session")}, the mean is over ` +
    `${countText(sessions!, "session")}${effective} of at least ${countText(least, "stock")} ` +
    `(${decimalText(meanOf(counts), 1)} on average).`;
  return fact(TOPIC, statement, { value: worth, n: sessions, source: TABLE });
}

/** The ratio of a long-run variance to the variance of independent values that 5% of samples exceed (χ² over its degrees, Wilson and Hilferty). */
function largestRatio(df: number): number {
  const spread = 2 / (9 * df);
  return (1 - spread + 1.645 * Math.sqrt(spread)) ** 3;
}

function detectableFact({ horizon, detectable, sessions: n }: MeanRow): Fact {
  const statement = `${detectableText(decimalText(detectable!, 3))} at ` +
    `${countText(horizon!, "session")} (${countText(n!, "session")}).`;
  return fact(TOPIC, statement, { value: detectable, n, source: TABLE });
}

// Where both forms speak and agree, one of them is enough.
function oneSessionFact(
  { horizon, t, df, p, n, mean }: CheckRow,
  rows: readonly MeanRow[],
): readonly Fact[] {
  const own = rows.find((row) => row.horizon === horizon);
  if (t === null || p === null || own === undefined) return [];
  if (own.p !== null && (p < LEVEL) === (own.p < LEVEL)) return [];
  const statement = "Without overlapping returns (one-session form, Hodrick 1992), the test at " +
    `${countText(horizon!, "session")} ${own.p === null ? "gives" : "disagrees:"} ` +
    `${ratioText({ t, df, p })} (${countText(n!, "session")}).`;
  return [fact(TOPIC, statement, { value: mean, n, source: CHECKS })];
}

function yearsFact({ stability }: FactorAnalysis): readonly Fact[] {
  const joint = stability.tables.joint.toRecords().find(({ p }) => p !== null);
  if (joint === undefined) return [];
  const years = stability.table.toRecords().filter((row) => row.horizon === joint.horizon);
  const each = years.map(({ sessions, mean, part }, i) =>
    `${decimalText(mean!, 3)} in ${part} (${i === 0 ? countText(sessions!, "session") : sessions})`
  );
  const n = years.reduce((sum, { sessions }) => sum + sessions!, 0);
  const statement = `By year, the mean IC at ${countText(joint.horizon!, "session")} is ` +
    `${andText(each)}; the ${equalMeansText("years", joint.p!)} (${countText(n, "session")}).`;
  return [fact(TOPIC, statement, { value: joint.p, n, source: "stability.tables.joint" })];
}

function permutationFact({ permutation, plan }: FactorAnalysis): readonly Fact[] {
  const [row] = permutation?.toRecords() ?? [];
  if (row === undefined || row.p === null || !plan.periods.includes(1)) return [];
  const { sessions: n, p, mean, z } = row;
  const within = row.within === "group" ? "each session and group" : "each session";
  const statement =
    `The permutation test at 1 session permutes residual returns within ${within}; ` +
    `it gives ${pPhrase(p)} for a mean IC of ${decimalText(mean!, 3)} ` +
    `with residual returns (z = ${decimalText(z!, 2)}; ${countText(n!, "session")}).`;
  return [fact(TOPIC, statement, { value: p, n, source: "permutation" })];
}
