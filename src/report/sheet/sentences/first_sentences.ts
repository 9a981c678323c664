import { LEVEL } from "../../../base/statistics/level.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { readBreakEven } from "../../chart/grammar/read_break_even.ts";
import { numberIn, type Row, rowsOf } from "../../chart/grammar/values.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import {
  countText,
  decimalText,
  intervalText,
  percentText,
} from "../../../base/wording/number_text.ts";
import { detectableText } from "../../../base/wording/sentences/test_text.ts";
import { andText } from "../../../base/wording/and_text.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { pPhrase } from "../../../base/wording/p_text.ts";
import { findRelation, type Relation } from "./find_relation.ts";
import type { Topic } from "../sheet_content.ts";
import { findContradictions } from "./find_contradictions.ts";

const USUAL_RATE = 10;

/**
 * The first three sentences of a sheet: horizons with a significant IC, after correction for multiple testing; checks that contradict
 * it; break-even cost.
 */
export function firstSentences(analysis: FactorAnalysis): readonly Topic[] {
  const relation = findRelation(analysis);
  const say = (text: string) => periodText(text, analysis.aligned.market.unit);
  return [
    { topic: "IC", text: say(relationSentence(relation)) },
    { topic: "Contrary evidence", text: say(contradictionSentence(analysis, relation)) },
    { topic: "Costs", text: say(costSentence(analysis)) },
  ];
}

function relationSentence({ found, tested, rows, tests }: Relation): string {
  if (tested.length === 0) {
    const most = rows.reduce((sum, row) => Math.max(sum, numberIn(row, "sessions") || 0), 0);
    return `Not tested: no horizon has enough sessions with an IC (at most ${
      groupThousands(most)
    }).`;
  }
  const corrected = `after Holm's correction for ${countText(tests, "test")}`;
  if (found.length > 0) {
    const untested = rows.filter((row) => !tested.includes(row));
    const not = tested.filter((row) => !found.includes(row));
    const rest = [
      ...(not.length === 0 ? [] : [`not at ${horizonsText(not)}`]),
      ...(untested.length === 0 ? [] : [`not tested at ${horizonsText(untested)}`]),
    ];
    const inverse = found.every((row) => numberIn(row, "mean") < 0)
      ? ", with a negative sign,"
      : "";
    return `Differs from zero${inverse} at ${andText(found.map(meanText))}, ${corrected}${
      rest.map((text) => `; ${text}`).join("")
    }.`;
  }
  const nearest = tested.toSorted((a, b) => numberIn(a, "p") - numberIn(b, "p"))[0]!;
  const able = tested.toSorted((a, b) => numberIn(a, "detectable") - numberIn(b, "detectable"))[0]!;
  const alone = numberIn(nearest, "p") < LEVEL
    ? ` Without the correction, ${horizonsText([nearest])} alone has ${
      pPhrase(numberIn(nearest, "p"))
    }.`
    : "";
  const detectable = detectableText(decimalText(numberIn(able, "detectable"), 3));
  return `Not distinguishable from zero at ${
    horizonsText(tested)
  }, ${corrected}; the smallest p value is at ${meanText(nearest)}.${alone} ${detectable} (${
    horizonsText([able])
  }).`;
}

function horizonsText(rows: readonly Row[]): string {
  const numbers = rows.map((row) => numberIn(row, "horizon"));
  return `${andText(numbers.map(String))} session${numbers.at(-1) === 1 ? "" : "s"}`;
}

function meanText(row: Row): string {
  const ends = intervalText([numberIn(row, "low"), numberIn(row, "high")], 3);
  const p = numberIn(row, "p_adjusted");
  const adjusted = Number.isNaN(p) ? "" : `; adjusted ${pPhrase(p)}`;
  return `${horizonsText([row])} (IC ${decimalText(numberIn(row, "mean"), 3)}, ${ends}${adjusted})`;
}

function contradictionSentence(analysis: FactorAnalysis, relation: Relation): string {
  const { against, agreeing } = findContradictions(analysis, relation);
  if (against.length > 0) return `${sentence(against)}.`;
  if (agreeing.length === 0) return "Nothing could be checked: the sample is too short.";
  return `No check contradicts this result: ${agreeing.join("; ")}.`;
}

function sentence(parts: readonly string[]): string {
  const text = parts.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function costSentence({ costs }: FactorAnalysis): string {
  const rows = rowsOf(costs);
  const even = readBreakEven(rows[0]);
  if (even.rate === null) return "Not known: the portfolio has no return.";
  const [rate, low] = ["break_even_one_way_bps", "break_even_low"].map((name) =>
    numberIn(rows[0], name)
  );
  if (!(rate! > 0)) {
    const ends = even.interval === "" ? "" : ` (${even.interval})`;
    return `There is no break-even cost, because the mean return before costs is not above zero${ends}.`;
  }
  const usual = rows.find((row) => numberIn(row, "one_way_bps") === USUAL_RATE);
  const net = numberIn(usual, "net_annual");
  const gross = numberIn(rows[0], "net_annual");
  const ends = intervalText(
    [numberIn(usual, "net_annual_low"), numberIn(usual, "net_annual_high")],
    (value) => percentText(value),
  );
  const year = Number.isNaN(net)
    ? ""
    : `; at ${USUAL_RATE} bps, the annual return falls from ${percentText(gross)} to ${
      percentText(net)
    } (${ends})`;
  const found = `The break-even cost is ${even.rate} one way`;
  if (even.interval === "") return `${found}, without a confidence interval${year}.`;
  const zero = low! > 0 ? "" : ", which includes zero";
  return `${found} (${even.interval}${zero})${year}.`;
}
