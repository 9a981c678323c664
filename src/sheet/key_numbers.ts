import type { FactorAnalysis } from "../analysis/factor/factor_analysis.ts";
import { sessionsText } from "../chart/grammar/analysis_subject.ts";
import { decimals, intervalText, percent } from "../chart/grammar/number_text.ts";
import { numberIn, type Row, rowsOf } from "../chart/grammar/values.ts";
import { groupThousands } from "../notebook/group_thousands.ts";
import { pText } from "../notebook/p_text.ts";
import type { KeyNumber } from "./sheet_content.ts";

const BASIS_POINTS = 10_000;
const NONE = "none";

/** The numbers that are asked for first, what was lost before what was found; one that could not be computed says so. */
export function keyNumbers(analysis: FactorAnalysis, horizon: number): readonly KeyNumber[] {
  const of = (rows: readonly Row[]) => rows.find((row) => row["horizon"] === horizon);
  const ahead = `${sessionsText(horizon)} ahead`;
  return [
    usedRows(analysis, horizon),
    meanIc(of(rowsOf(analysis.summary.table)), ahead),
    spread(of(rowsOf(analysis.spread.summary)), ahead),
    halfLife(rowsOf(analysis.halfLife)[0]),
    sharpe(rowsOf(analysis.performance)[0]),
    ...trading(rowsOf(analysis.costs)[0]),
    tried(analysis),
  ];
}

function usedRows({ aligned: { loss } }: FactorAnalysis, horizon: number): KeyNumber {
  const used = rowsOf(loss.table)
    .filter((row) =>
      row["horizon"] === horizon && ["used", "ended"].includes(String(row["reason"]))
    )
    .reduce((sum, row) => sum + numberIn(row, "rows"), 0);
  return {
    label: "Rows used",
    value: loss.rows === 0 ? NONE : percent(used / loss.rows),
    note: `of ${groupThousands(loss.rows)}, ${sessionsText(horizon)} ahead`,
  };
}

function meanIc(row: Row | undefined, ahead: string): KeyNumber {
  return {
    label: "Mean rank IC",
    value: text(numberIn(row, "mean"), (mean) => decimals(mean, 3)),
    note: `${intervalText(numberIn(row, "low"), numberIn(row, "high"), 3)}, ${ahead}`,
  };
}

function spread(row: Row | undefined, ahead: string): KeyNumber {
  const bps = (name: string) => BASIS_POINTS * numberIn(row, name);
  return {
    label: "Top minus bottom bucket",
    value: text(bps("mean"), (mean) => `${decimals(mean, 1)} bps`),
    note: `${intervalText(bps("low"), bps("high"), 1)}, ${ahead}`,
  };
}

function halfLife(row: Row | undefined): KeyNumber {
  const [low, high] = [numberIn(row, "half_life_low"), numberIn(row, "half_life_high")];
  const half = numberIn(row, "half_life");
  return {
    label: "Half-life of the IC",
    value: text(half, (sessions) => sessionsText(Math.round(sessions))),
    note: Number.isNaN(half) ? "no fading is fitted" : intervalText(low, high, 0),
  };
}

function sharpe(row: Row | undefined): KeyNumber {
  return {
    label: "Sharpe ratio, before costs",
    value: text(numberIn(row, "sharpe"), (ratio) => decimals(ratio, 2)),
    note: intervalText(numberIn(row, "sharpe_low"), numberIn(row, "sharpe_high"), 2),
  };
}

function trading(row: Row | undefined): readonly KeyNumber[] {
  const even = numberIn(row, "break_even_one_way_bps");
  return [
    {
      label: "Traded a session",
      value: text(numberIn(row, "traded"), (share) => percent(share)),
      note: "of the book, both sides",
    },
    {
      label: "Breaks even at",
      value: even > 0 ? `${decimals(even, 1)} bps` : NONE,
      note: even > 0 ? "cost of one way" : "no rate breaks even",
    },
  ];
}

function tried({ ledger }: FactorAnalysis): KeyNumber {
  const adjusted = rowsOf(ledger.table()).map((row) => numberIn(row, "p_adjusted"))
    .filter((p) => !Number.isNaN(p));
  const least = adjusted.length === 0
    ? "no p value"
    : `smallest p after Holm ${pText(Math.min(...adjusted))}`;
  return { label: "Variants tried", value: groupThousands(ledger.count), note: least };
}

function text(value: number, say: (value: number) => string): string {
  return Number.isNaN(value) ? NONE : say(value);
}
