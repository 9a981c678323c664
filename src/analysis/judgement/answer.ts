import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { icFacts } from "./ic_facts.ts";
import { USUAL_RATE } from "../series/costs/read_rates.ts";
import { andText, capital } from "../../base/wording/words.ts";
import {
  countText,
  decimalText,
  intervalText,
  percentText,
  pPhrase,
  pText,
} from "../../base/wording/number_text.ts";
import { breakEvenNumber } from "../../base/wording/sentences/cost_text.ts";
import { detectableText } from "../../base/wording/sentences/test_text.ts";
import { type Fact, fact } from "./fact.ts";
import { netOf, readTraded } from "../series/costs/trading_costs.ts";
import { annualOf } from "../series/wealth/wealth.ts";
import {
  findContradictions,
  findRelation,
  type Relation,
  type RelationRow,
} from "./contrary_evidence.ts";

/** Topics of the answer that a judgement and a sheet begin with. */
export const ANSWERS = ["IC", "Contrary evidence", "Costs"] as const;

/**
 * The first sentences of a judgement and of a sheet: horizons with a significant IC, after correction for multiple testing; checks that contradict
 * it; break-even cost.
 */
export function answerFacts(analysis: FactorAnalysis): readonly Fact[] {
  const relation = findRelation(analysis);
  const [row] = relation.found.length > 0 ? relation.found : relation.rows;
  const { mean: value = null, low = null, high = null, sessions: n = null } = row ?? {};
  return [
    fact(ANSWERS[0], relationSentence(analysis, relation), {
      ...{ value, low, high, n, source: "summary.table" },
    }),
    fact(ANSWERS[1], contradictionSentence(analysis, relation), { source: "contrary evidence" }),
    fact(ANSWERS[2], `${costSentence(analysis)}${reversedSentence(analysis, relation)}`, {
      source: "costs",
    }),
  ];
}

/** Return of a factor with a negative sign the other way round. */
function reversedSentence(analysis: FactorAnalysis, { found }: Relation): string {
  if (found.length === 0 || found.some(({ mean }) => mean! > 0)) return "";
  const { portfolio, aligned: { market: { periodsPerYear } } } = analysis;
  const { series, traded } = readTraded("reverse a portfolio", portfolio);
  const other = { ...series, values: series.values.map((value) => -value) };
  const [gross, net] = [0, USUAL_RATE].map((rate) =>
    annualOf(netOf(other, traded, rate), periodsPerYear)
  );
  if (gross === null || net === null) return "";
  return ` Reversed (direction: "low"), it would earn about ${
    percentText(gross!)
  } a year before costs and ${
    percentText(net!)
  } at ${USUAL_RATE} bps: chosen after the fact, one more test.`;
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
    const missed = not.length === 0 ? "" : ` ${detectableSentence(not)}`;
    return `Differs from zero${inverse} at ${andText(found.map(meanText))}, ` +
      `${corrected}${others}${without}.${missed}`;
  }
  const nearest = tested.toSorted((a, b) => a.p! - b.p!)[0]!;
  return `Not distinguishable from zero at ${horizonsText(tested)}, ${corrected}; the smallest p ` +
    `value is ${pText(nearest.p!)} at ${meanText(nearest)}${without}. ` +
    `${detectableSentence(tested)}`;
}

/** Effects that the sample could have found, the headline's first. */
function detectableSentence(rows: readonly RelationRow[]): string {
  const all = rows.map((row) => `${decimalText(row.detectable!, 3)} at ${horizonsText([row])}`);
  return `${detectableText(andText(all)).replace("The", "Without the correction, the")}.`;
}

function horizonsText(rows: readonly RelationRow[]): string {
  const numbers = rows.map(({ horizon }) => horizon!);
  return `${andText(numbers.map(String))} session${numbers.at(-1) === 1 ? "" : "s"}`;
}

function meanText(row: RelationRow): string {
  const { mean, low, high, p_adjusted: p } = row;
  const adjusted = p === null ? "" : `; adjusted ${pPhrase(p)}`;
  return `${horizonsText([row])} (IC ${decimalText(mean!, 3)}, ` +
    `${intervalText([low, high], 3)}${adjusted})`;
}

/** Evidence against the result, and the names of the other checks; or all checks with their findings. */
function contradictionSentence(analysis: FactorAnalysis, relation: Relation): string {
  const checks = findContradictions(analysis, relation);
  const against = checks.filter(({ isAgainst }) => isAgainst);
  const agreeing = checks.filter(({ isAgainst }) => !isAgainst);
  if (against.length === 0) {
    const found = checks.map(({ text }) => text).join("; ");
    return relation.tested.length === 0
      ? `No mean IC has a test, and ${
        countText(checks.length, "check")
      } of the data find nothing: ${found}.`
      : `None of ${countText(checks.length, "check")} contradicts this result: ${found}.`;
  }
  const others = agreeing.length === 0
    ? ""
    : ` Checked without contradiction: ${andText(agreeing.map(({ name }) => name))}.`;
  return `${capital(against.map(({ text }) => text).join("; "))}.${others}`;
}

function costSentence({ costs, portfolio, performance }: FactorAnalysis): string {
  const rows = costs.toRecords();
  const [free] = rows;
  if (!portfolio.getColumn("traded").toArray().some((value) => value! > 0)) {
    return "There are none: the portfolio holds nothing.";
  }
  const rate = free?.break_even_one_way_bps ?? null;
  const low = free?.break_even_low ?? null;
  const even = breakEvenNumber({ value: rate, low, high: free?.break_even_high ?? null });
  if (even.rate === null) return "Not known: the portfolio has no return.";
  if (!(rate! > 0)) {
    const ends = even.interval === "" ? "" : ` (${even.interval})`;
    return `There is no break-even cost, because the mean return before costs is not above zero${ends}.`;
  }
  const usual = rows.find((row) => row.one_way_bps === USUAL_RATE);
  const gross = performance.toRecords()[0]?.annual_return ?? null;
  const year = usual === undefined || usual.net_annual === null || gross === null
    ? ""
    : `; at ${USUAL_RATE} bps, the annual return falls from ${percentText(gross)} to ${
      percentText(usual.net_annual)
    } (${intervalText([usual.net_annual_low, usual.net_annual_high], percentText)})`;
  const found = `The break-even cost is ${even.rate} one way`;
  const ends = even.interval || `${countText(free!.sessions!, "session")}, no confidence interval`;
  const zero = low === null || low > 0 ? "" : ", which includes zero";
  return `${found} (${ends}${zero})${year}.`;
}
