import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import { countText, decimalText } from "../inference/number_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";

const TABLE = "summary.table";
const CHECKS = "summary.checks";

/** Whether there is a relation, by horizon. */
export function relationFacts(analysis: FactorAnalysis): readonly Fact[] {
  return readRows(analysis.summary.table).map((row) => {
    const n = row.number("sessions")!;
    const about = {
      value: row.number("mean"),
      low: row.number("low"),
      high: row.number("high"),
      n,
      source: TABLE,
    };
    return fact("Is there a relation", describeRow(row), about);
  });
}

/** How sure one can be: what weakens the result first. */
export function certaintyFacts(analysis: FactorAnalysis): readonly Fact[] {
  const rows = readRows(analysis.summary.table);
  const checks = readRows(analysis.summary.checks);
  const tested = rows.filter((row) => row.number("t") !== null);
  const shortest = tested[0];
  return [
    ...(tested.length === 0 ? [] : [driftFact()]),
    ...tested.slice(-1).map(detectableFact),
    ...checks.filter((row) =>
      row.text("check") === "one-session form" && row.number("horizon")! > 1
    )
      .flatMap((row) => oneSessionFact(row, rows)),
    ...(shortest === undefined ? [] : halvesFact(shortest, checks)),
    ...yearsFact(analysis),
    ...checks.filter((row) => row.text("check") === "noise control").slice(0, 1).map(noiseFact),
  ];
}

/** How fast the relation fades. */
export function decayFacts({ halfLife, plan }: FactorAnalysis): readonly Fact[] {
  const [row] = readRows(halfLife);
  const topic = "How it fades";
  const value = row?.number("half_life") ?? null;
  const [low, high] = [row?.number("half_life_low") ?? null, row?.number("half_life_high") ?? null];
  const about = { value, low, high, n: row?.number("sessions") ?? 0, source: "halfLife" };
  const lags = `lags ${Math.min(...plan.lags)} to ${Math.max(...plan.lags)}`;
  const days = `${countText(about.n, "session")}`;
  if (value !== null) {
    const when = value < 1
      ? "within a session"
      : `after ${countText(Math.round(value), "session")}`;
    const statement = `Half of it is gone ${when} (95 %: ${sessionsText(low!)} to ` +
      `${sessionsText(high!)}), estimated from ${lags} over ${days}.`;
    return [fact(topic, statement, about)];
  }
  const reason = row?.text("reason");
  if (reason === "no_relation") {
    return [
      fact(topic, `No half-life: over ${days} the level at ${lags} does not exclude zero.`, about),
    ];
  }
  return reason === "no_decay"
    ? [fact(topic, `No fading shows at ${lags} over ${days}.`, about)]
    : [];
}

/** How many variants were tried. */
export function ledgerFacts({ ledger }: FactorAnalysis): readonly Fact[] {
  return [fact("Tried", ledger.text, { value: ledger.count, n: ledger.count, source: "ledger" })];
}

function describeRow(row: ReadRow): string {
  const [horizon, n, mean] = [row.number("horizon")!, row.number("sessions")!, row.number("mean")];
  const at = `at ${countText(horizon, "session")}`;
  if (mean === null) return `No IC ${at}: 0 sessions have one.`;
  const over = countText(n, "session");
  if (row.number("t") === null) {
    const why = row.text("reason") === "no_variance"
      ? "it does not vary, so no test is stated"
      : `${
        row.number("windows")!.toFixed(1)
      } windows are too few for a test, no significance is stated`;
    return `Mean rank IC ${decimalText(mean, 3)} ${at}, over ${over}; ${why}.`;
  }
  const [low, high] = [row.number("low")!, row.number("high")!];
  const zero = low <= 0 && high >= 0 ? ", which does not exclude zero" : "";
  const windows = horizon === 1 ? "" : ` in ${row.number("windows")!.toFixed(1)} windows`;
  return `Mean rank IC ${decimalText(mean, 3)} ${at} (95 %: ${decimalText(low, 3)} to ${
    decimalText(high, 3)
  }${zero}; ` +
    `${over}${windows}; t = ${decimalText(row.number("t")!, 2)} with ` +
    `${countText(row.number("df")!, "degree")} of freedom, ${pPhrase(row.number("p")!)}).`;
}

function driftFact(): Fact {
  return fact(
    "How sure",
    "If premia drift over months, true error rates are nearer 6.5 % than 5 %.",
    { source: TABLE },
  );
}

function detectableFact(row: ReadRow): Fact {
  const detectable = row.number("detectable")!;
  const n = row.number("sessions")!;
  const statement = `At ${countText(row.number("horizon")!, "session")} this sample of ` +
    `${countText(n, "session")} would have found a mean IC of ${
      decimalText(detectable, 3)
    } four times in five.`;
  return fact("How sure", statement, { value: detectable, n, source: TABLE });
}

// Where both forms speak and agree, one of them is enough.
function oneSessionFact(check: ReadRow, rows: readonly ReadRow[]): readonly Fact[] {
  const t = check.number("t");
  const own = rows.find((row) => row.number("horizon") === check.number("horizon"));
  if (t === null || own === undefined) return [];
  const [p, ownP] = [check.number("p")!, own.number("p")];
  if (ownP !== null && (p < 0.05) === (ownP < 0.05)) return [];
  const n = check.number("n")!;
  const statement = `In its one-session form ${countText(check.number("horizon")!, "session")} ` +
    `${ownP === null ? "has" : "says otherwise:"} t = ${decimalText(t, 2)} with ` +
    `${countText(check.number("df")!, "degree")} of freedom, ${pPhrase(p)} over ${
      countText(n, "session")
    }.`;
  return [fact("How sure", statement, { value: check.number("mean"), n, source: CHECKS })];
}

function halvesFact(shortest: ReadRow, checks: readonly ReadRow[]): readonly Fact[] {
  const horizon = shortest.number("horizon")!;
  const of = (name: string) =>
    checks.find((row) => row.text("check") === name && row.number("horizon") === horizon);
  const [first, second] = [of("first half"), of("second half")];
  const [a, b] = [first?.number("mean") ?? null, second?.number("mean") ?? null];
  if (a === null || b === null) return [];
  const n = first!.number("n")! + second!.number("n")!;
  const statement = `Halves at ${countText(horizon, "session")}: ${decimalText(a, 3)} over ` +
    `${countText(first!.number("n")!, "session")} and ${decimalText(b, 3)} over ` +
    `${countText(second!.number("n")!, "session")}.`;
  return [fact("How sure", statement, { value: b - a, n, source: CHECKS })];
}

function yearsFact({ stability }: FactorAnalysis): readonly Fact[] {
  const [joint] = readRows(stability.joint);
  const p = joint?.number("p") ?? null;
  if (p === null) return [];
  const years = readRows(stability.table).filter((row) => row.number("horizon") === 1);
  const each = years.map((row) =>
    `${decimalText(row.number("mean")!, 3)} in ${row.text("part")} (${row.number("sessions")})`
  );
  const n = years.reduce((sum, row) => sum + row.number("sessions")!, 0);
  const statement =
    `By year at 1 session: ${each.join(", ")}; that all are equal has ${pPhrase(p)} ` +
    `(${countText(n, "session")}).`;
  return [fact("How sure", statement, { value: p, n, source: "stability.joint" })];
}

function noiseFact(row: ReadRow): Fact {
  const detail = row.text("detail")!;
  const n = row.number("n")!;
  const statement = `At ${countText(row.number("horizon")!, "session")}, ${detail}.`;
  const range = { low: row.number("low"), high: row.number("high") };
  return fact("How sure", statement, { value: row.number("mean"), ...range, n, source: CHECKS });
}

function sessionsText(sessions: number): string {
  return sessions < 10 ? sessions.toFixed(1) : Math.round(sessions).toLocaleString("en-US");
}
