import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { icFacts } from "./ic_facts.ts";
import { netOf, readTraded, USUAL_RATE } from "../series/costs/costs.ts";
import { andText, capital } from "../../base/wording/words.ts";
import {
  countText,
  decimalText,
  intervalText,
  percentText,
  pPhrase,
} from "../../base/wording/number_text.ts";
import { breakEvenNumber } from "../../base/wording/sentences/cost_text.ts";
import { type Fact, fact } from "./fact.ts";
import { annualOf } from "../series/wealth/cumulative_returns.ts";
import {
  findContradictions,
  findRelation,
  type Relation,
  type RelationRow,
} from "./contrary_evidence.ts";

/** Topics of the answer that a judgement and a sheet begin with. */
export const ANSWERS = ["IC", "Costs", "Contrary evidence"] as const;

/**
 * The first sentences of a judgement and of a sheet: whether the scores predict, after correction for multiple testing; what they earn
 * after costs; and what contradicts it.
 */
export function answerFacts(analysis: FactorAnalysis): readonly Fact[] {
  const relation = findRelation(analysis);
  const [row] = relation.found.length > 0 ? relation.found : relation.rows;
  const { mean: value = null, low = null, high = null, sessions: n = null } = row ?? {};
  const net = usualCosts(analysis);
  return [
    fact(ANSWERS[0], relationSentence(analysis, relation), {
      ...{ value, low, high, n, source: "summary.table" },
    }),
    fact(ANSWERS[1], `${costSentence(analysis)}${reversedSentence(analysis, relation)}`, {
      ...{ value: net?.net_annual ?? null, low: net?.net_annual_low ?? null },
      ...{ high: net?.net_annual_high ?? null, n: net?.sessions ?? null, source: "costs" },
    }),
    fact(ANSWERS[2], contradictionSentence(analysis, relation), { source: "contrary evidence" }),
  ];
}

/** The portfolio of a factor with a negative sign the other way round. */
function reversedSentence(analysis: FactorAnalysis, { found }: Relation): string {
  if (found.length === 0 || found.some(({ mean }) => mean! > 0)) return "";
  const { portfolio, costs, aligned: { market: { periodsPerYear } } } = analysis;
  const { series, traded } = readTraded("reverse a portfolio", portfolio);
  const other = { ...series, values: series.values.map((value) => -value) };
  const [gross, net] = [0, USUAL_RATE].map((rate) =>
    annualOf(netOf(other, traded, rate), periodsPerYear)
  );
  const rate = costs.toRecords()[0]?.break_even_one_way_bps ?? null;
  if (gross === null || net === null) return "";
  const even = rate === null || rate >= 0
    ? ""
    : `, with a break-even cost of ${decimalText(-rate, 1)} bps`;
  return ` Reversed (direction: "low"), it would earn about ${percentText(net!)} a year at ` +
    `${USUAL_RATE} bps and ${
      percentText(gross!)
    } before costs${even}: chosen after the fact, one more test.`;
}

function relationSentence(analysis: FactorAnalysis, relation: Relation): string {
  const { found, tested, rows, tests } = relation;
  if (tested.length === 0) {
    // Of the horizon that is nearest to a test.
    const most = rows.reduce((a, b) => b.windows! > a.windows! ? b : a);
    return `Not tested. ${icFacts(analysis)[rows.indexOf(most)]!.statement}`;
  }
  const untested = rows.filter((row) => !tested.includes(row));
  const without = untested.length === 0 ? "" : `; not tested at ${horizonsText(untested)}`;
  const corrected = `after Holm's correction for ${countText(tests, "test")}`;
  if (found.length > 0) {
    const not = tested.filter((row) => !found.includes(row));
    const others = not.length === 0 ? "" : `; not at ${horizonsText(not)}`;
    const inverse = found.every(({ mean }) => mean! < 0) ? ", with a negative sign," : "";
    return `The mean rank IC differs from zero${inverse} at ${andText(found.map(meanText))}, ` +
      `${corrected}${others}${without}.`;
  }
  const nearest = tested.toSorted((a, b) => a.p! - b.p!)[0]!;
  return `The mean rank IC is not distinguishable from zero at ${horizonsText(tested)}, ` +
    `${corrected}; nearest at ${meanText(nearest)}${without}.`;
}

function horizonsText(rows: readonly RelationRow[]): string {
  const numbers = rows.map(({ horizon }) => horizon!);
  return `${andText(numbers.map(String))} session${numbers.at(-1) === 1 ? "" : "s"}`;
}

function meanText(row: RelationRow): string {
  const { mean, low, high, sessions, p_adjusted: p } = row;
  const adjusted = p === null ? "" : `; adjusted ${pPhrase(p)}`;
  return `${horizonsText([row])} (${decimalText(mean!, 3)}, ${intervalText([low, high], 3)}` +
    `${adjusted}; ${countText(sessions!, "session")})`;
}

/** Evidence against the result, and the names of the other checks. */
function contradictionSentence(analysis: FactorAnalysis, relation: Relation): string {
  const checks = findContradictions(analysis, relation);
  const against = checks.filter(({ isAgainst }) => isAgainst);
  const names = andText(checks.filter(({ isAgainst }) => !isAgainst).map(({ name }) => name));
  if (against.length === 0) {
    const number = countText(checks.length, "check");
    return relation.tested.length === 0
      ? `No mean IC has a test, and ${number} of the data find nothing: ${names}.`
      : `None of ${number} contradicts this result: ${names}.`;
  }
  const others = names === "" ? "" : ` Checked without contradiction: ${names}.`;
  return `${capital(against.map(({ text }) => text).join("; "))}.${others}`;
}

function usualCosts({ costs }: FactorAnalysis) {
  return costs.toRecords().find((row) => row.one_way_bps === USUAL_RATE);
}

function costSentence(analysis: FactorAnalysis): string {
  const { costs, portfolio, performance } = analysis;
  const [free] = costs.toRecords();
  if (!portfolio.getColumn("traded").toArray().some((value) => value! > 0)) {
    return "There are none: the portfolio holds nothing.";
  }
  const [value, low, high] = [
    free?.break_even_one_way_bps ?? null,
    free?.break_even_low ?? null,
    free?.break_even_high ?? null,
  ];
  const even = breakEvenNumber({ value, low, high });
  if (even.rate === null) return "Not known: the portfolio has no return.";
  const over = countText(free!.sessions!, "session");
  const zero = low === null || low > 0 ? "" : ", which includes zero";
  const ends = even.interval === ""
    ? `${over}, no confidence interval`
    : `${even.interval}${zero}; ${over}`;
  const usual = usualCosts(analysis);
  const gross = performance.toRecords()[0]?.annual_return ?? null;
  const { net_annual: net = null, net_annual_low: least = null, net_annual_high: most = null } =
    usual ?? {};
  const year = net === null || gross === null
    ? ""
    : `Net of ${USUAL_RATE} bps one way, the portfolio earns ${percentText(net)} a year ` +
      `(${intervalText([least, most], percentText)}), ${percentText(gross)} before costs; `;
  const found = value! > 0
    ? `the break-even cost is ${even.rate} one way (${ends}).`
    : `there is no break-even cost, because the mean return before costs is not above zero (${ends}).`;
  return capital(`${year}${found}`);
}
