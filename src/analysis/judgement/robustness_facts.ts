import { LEVEL } from "../../base/statistics/level.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { andText } from "../../base/wording/and_text.ts";
import { countText, decimalText } from "../../base/wording/number_text.ts";
import { pPhrase } from "../../base/wording/p_text.ts";
import {
  detectableText,
  equalMeansText,
  ratioText,
} from "../../base/wording/sentences/test_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

const TOPIC = TOPICS.robustness;
const TABLE = "summary.table";
const CHECKS = "summary.checks";

/** Reliability of the tests of the mean IC, weaknesses first. */
export function robustnessFacts(analysis: FactorAnalysis): readonly Fact[] {
  const rows = readRows(analysis.summary.table);
  const checks = readRows(analysis.summary.checks);
  const tested = rows.filter((row) => row.number("t") !== null);
  const shortest = tested[0];
  return [
    ...(tested.length === 0 ? [] : [sizeFact()]),
    ...tested.slice(-1).map(detectableFact),
    ...checks.filter((row) =>
      row.text("check") === "one-session form" && row.number("horizon")! > 1
    )
      .flatMap((row) => oneSessionFact(row, rows)),
    ...(shortest === undefined ? [] : halvesFact(shortest, checks)),
    ...yearsFact(analysis),
    ...permutationFact(analysis),
    ...checks.filter((row) => row.text("check") === "placebo shifts").slice(0, 1).map(placeboFact),
  ];
}

function sizeFact(): Fact {
  const statement =
    "Tests at the 5% level reject a true null hypothesis in 6.5% of samples if premia vary over months, and in 6.5% to 7.9% " +
    "if stocks have permanent drifts and scores change slowly.";
  return fact(TOPIC, statement, { source: TABLE });
}

function detectableFact(row: ReadRow): Fact {
  const [value, n] = [row.number("detectable")!, row.number("sessions")!];
  const statement = `${detectableText(decimalText(value, 3))} at ${
    countText(row.number("horizon")!, "session")
  } (${countText(n, "session")}).`;
  return fact(TOPIC, statement, { value, n, source: TABLE });
}

// Where both forms speak and agree, one of them is enough.
function oneSessionFact(check: ReadRow, rows: readonly ReadRow[]): readonly Fact[] {
  const t = check.number("t");
  const own = rows.find((row) => row.number("horizon") === check.number("horizon"));
  if (t === null || own === undefined) return [];
  const [p, ownP] = [check.number("p")!, own.number("p")];
  if (ownP !== null && (p < LEVEL) === (ownP < LEVEL)) return [];
  const n = check.number("n")!;
  const statement = `Without overlapping returns (one-session form, Hodrick 1992), the test at ${
    countText(check.number("horizon")!, "session")
  } ${ownP === null ? "gives" : "disagrees:"} ${ratioText({ t, df: check.number("df"), p })} (${
    countText(n, "session")
  }).`;
  return [fact(TOPIC, statement, { value: check.number("mean"), n, source: CHECKS })];
}

function halvesFact(shortest: ReadRow, checks: readonly ReadRow[]): readonly Fact[] {
  const horizon = shortest.number("horizon")!;
  const of = (name: string) =>
    checks.find((row) => row.text("check") === name && row.number("horizon") === horizon);
  const [first, second] = [of("first half"), of("second half")];
  const [a, b] = [first?.number("mean") ?? null, second?.number("mean") ?? null];
  if (a === null || b === null) return [];
  const counts = [first!.number("n")!, second!.number("n")!] as const;
  const statement = `The mean IC at ${countText(horizon, "session")} is ${
    decimalText(a, 3)
  } in the first half of the sample (${countText(counts[0], "session")}) and ${
    decimalText(b, 3)
  } in the second (${countText(counts[1], "session")}).`;
  return [fact(TOPIC, statement, { value: b - a, n: counts[0] + counts[1], source: CHECKS })];
}

function yearsFact({ stability }: FactorAnalysis): readonly Fact[] {
  const joint = readRows(stability.joint).find((row) => row.number("p") !== null);
  const p = joint?.number("p") ?? null;
  if (joint === undefined || p === null) return [];
  const horizon = joint.number("horizon");
  const years = readRows(stability.table).filter((row) => row.number("horizon") === horizon);
  const each = years.map((row, i) => {
    const sessions = row.number("sessions")!;
    const count = i === 0 ? countText(sessions, "session") : sessions;
    return `${decimalText(row.number("mean")!, 3)} in ${row.text("part")} (${count})`;
  });
  const n = years.reduce((sum, row) => sum + row.number("sessions")!, 0);
  const statement = `By year, the mean IC at ${countText(horizon!, "session")} is ${
    andText(each)
  }; the ${equalMeansText("years", p)} (${countText(n, "session")}).`;
  return [fact(TOPIC, statement, { value: p, n, source: "stability.joint" })];
}

function permutationFact({ permutation }: FactorAnalysis): readonly Fact[] {
  const [row] = permutation === null ? [] : readRows(permutation);
  const p = row?.number("p") ?? null;
  if (row === undefined || p === null) return [];
  const n = row.number("sessions")!;
  const within = row.text("within") === "group" ? "each session and group" : "each session";
  const statement =
    `The permutation test at 1 session permutes residual returns within ${within}; ` +
    `it gives ${pPhrase(p)} for a mean IC of ${decimalText(row.number("mean")!, 3)} ` +
    `with residual returns (z = ${decimalText(row.number("z")!, 2)}; ${countText(n, "session")}).`;
  return [fact(TOPIC, statement, { value: p, n, source: "permutation" })];
}

function placeboFact(row: ReadRow): Fact {
  const detail = row.text("detail")!;
  const n = row.number("n")!;
  const isWithheld = row.text("reason") !== null;
  const statement = isWithheld
    ? `The placebo of shifted scores is ${detail}.`
    : `In the placebo at ${countText(row.number("horizon")!, "session")}, ${detail}.`;
  const range = { low: row.number("low"), high: row.number("high") };
  const value = isWithheld ? null : row.number("mean");
  return fact(TOPIC, statement, { value, ...range, n, source: CHECKS });
}
