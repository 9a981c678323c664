import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { countText, decimalText } from "../../base/wording/number_text.ts";
import { residualIcText } from "../../base/wording/sentences/residual_ic_text.ts";
import { meanText } from "../../base/wording/sentences/test_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

/** The mean IC by horizon, with its test, and the IC before the scores were made neutral. */
export function icFacts(analysis: FactorAnalysis): readonly Fact[] {
  return [...meanFacts(analysis), ...residualFacts(analysis)];
}

function meanFacts(analysis: FactorAnalysis): readonly Fact[] {
  return readRows(analysis.summary.table).map((row) =>
    fact(TOPICS.ic, describeRow(row, analysis), {
      value: row.number("mean"),
      low: row.number("low"),
      high: row.number("high"),
      n: row.number("sessions")!,
      source: "summary.table",
    })
  );
}

function describeRow(row: ReadRow, analysis: FactorAnalysis): string {
  const [horizon, n, mean] = [row.number("horizon")!, row.number("sessions")!, row.number("mean")];
  const at = `at ${countText(horizon, "session")}`;
  if (mean === null) return `There is no IC ${at}: ${analysis.detail.whyNoIc.get(horizon)!}.`;
  const found = {
    ...{ what: "mean rank IC", horizon, mean, n },
    ...{ low: row.number("low"), high: row.number("high") },
    ...{ t: row.number("t"), df: row.number("df"), p: row.number("p") },
    ...{ overlap: row.number("overlap")!, windows: row.number("windows")! },
    reason: row.text("reason"),
  };
  return `${meanText(found, (value) => decimalText(value, 3))}.`;
}

function residualFacts({ residualIc }: FactorAnalysis): readonly Fact[] {
  const rows = residualIc === null ? [] : readRows(residualIc);
  return rows.flatMap((row) => {
    const [raw, residual] = [row.number("raw"), row.number("residual")];
    if (raw === null || residual === null) return [];
    const difference = {
      ...{ value: row.number("mean"), low: row.number("low"), high: row.number("high") },
      n: row.number("sessions")!,
    };
    const horizon = row.number("horizon")!;
    const statement = residualIcText({
      ...{ horizon, raw, residual, difference },
      specific: row.number("specific"),
    });
    return [fact(TOPICS.ic, statement, { ...difference, source: "residualIc" })];
  });
}
