import { periodText } from "../../base/wording/period_text.ts";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { readBreakEven } from "../chart/grammar/mean_phrase.ts";
import { numberIn, type Row, rowsOf, withNumber } from "../chart/grammar/values.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import type { KeyNumber } from "./sheet_content.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  intervalText,
  percentText,
} from "../../base/wording/number_text.ts";
import { halfLifeNumber, holdsEveryLag } from "../../analysis/series/half_life.ts";

const NONE = "none";

/** Key numbers of an analysis: losses first, then findings; a number that could not be computed says so. */
export function keyNumbers(analysis: FactorAnalysis, horizon: number): readonly KeyNumber[] {
  const of = (rows: readonly Row[]) => rows.find((row) => row["horizon"] === horizon);
  const ahead = `${countText(horizon, "session")} ahead`;
  const numbers: readonly Counted[] = [
    usedRows(analysis, horizon),
    meanIc(of(rowsOf(analysis.summary.table)), ahead),
    spread(of(rowsOf(analysis.spread.summary)), ahead),
    halfLife(rowsOf(analysis.halfLife)[0], rowsOf(analysis.decayMeans)),
    sharpe(rowsOf(analysis.performance)[0]),
    ...trading(rowsOf(analysis.costs)[0]),
    tried(analysis),
  ];
  const { market, dense: { from, to } } = analysis.aligned;
  const say = (text: string) => periodText(text, market.unit);
  return numbers.map(({ label, value, note, n = NaN }) => ({
    label: say(label),
    value: say(value),
    note: say(Number.isNaN(n) || n === to - from ? note : `${note}, n = ${groupThousands(n)}`),
  }));
}

interface Counted extends KeyNumber {
  /** Sessions that it rests on, where they are not those of the sample. */
  readonly n?: number;
}

function usedRows({ aligned: { loss } }: FactorAnalysis, horizon: number): KeyNumber {
  const count = (at: number | null, ...reasons: readonly string[]) =>
    loss.table.toRecords().filter((row) => row.horizon === at && reasons.includes(row.reason!))
      .reduce((sum, row) => sum + row.rows!, 0);
  const asked = loss.rows - count(null, "excluded");
  const used = count(horizon, "used", "ended", "no_group");
  return {
    label: "Rows used",
    value: asked === 0 ? NONE : percentText(used / asked),
    note: `of ${groupThousands(asked)}, ${countText(horizon, "session")} ahead`,
  };
}

function meanIc(row: Row | undefined, ahead: string): Counted {
  return {
    label: "Mean rank IC",
    value: text(numberIn(row, "mean"), (mean) => decimalText(mean, 3)),
    note: `${intervalText([numberIn(row, "low"), numberIn(row, "high")], 3)}, ${ahead}`,
    n: numberIn(row, "sessions"),
  };
}

function spread(row: Row | undefined, ahead: string): Counted {
  const bps = (name: string) => BASIS_POINTS * numberIn(row, name);
  return {
    label: "Quantile spread",
    value: text(bps("mean"), (mean) => `${decimalText(mean, 1)} bps`),
    note: `${intervalText([bps("low"), bps("high")], 1)}, ${ahead}`,
    n: numberIn(row, "sessions"),
  };
}

function halfLife(row: Row | undefined, decay: readonly Row[]): KeyNumber {
  const [low, high] = [numberIn(row, "half_life_low"), numberIn(row, "half_life_high")];
  const half = numberIn(row, "half_life");
  const lags = withNumber(decay, "mean").map((one) => Number(one["group"]));
  if (holdsEveryLag(low, high, lags)) {
    const note = "95% CI includes every lag of the fit";
    return { label: "Half-life of the IC", value: "not determined", note };
  }
  return {
    label: "Half-life of the IC",
    value: text(half, (sessions) => `${halfLifeNumber(sessions)} sessions`),
    note: Number.isNaN(half) ? "not estimated" : intervalText([low, high], halfLifeNumber),
  };
}

function sharpe(row: Row | undefined): Counted {
  const ends = [numberIn(row, "sharpe_low"), numberIn(row, "sharpe_high")] as const;
  // Of Mertens (2002), where the other intervals allow for autocorrelation.
  const independent = Number.isNaN(ends[0]) ? "" : " if returns are independent";
  return {
    label: "Sharpe ratio, before costs",
    value: text(numberIn(row, "sharpe"), (ratio) => decimalText(ratio, 2)),
    note: `${intervalText(ends, 2)}${independent}`,
    n: numberIn(row, "sessions"),
  };
}

function trading(row: Row | undefined): readonly Counted[] {
  const { rate, interval } = readBreakEven(row);
  const kind = rate === null || numberIn(row, "break_even_one_way_bps") > 0
    ? "one way"
    : "mean return not above zero";
  return [
    {
      label: "Traded value per session",
      value: text(numberIn(row, "traded"), (share) => percentText(share)),
      note: "of capital, both sides, first purchase included",
    },
    {
      label: "Break-even cost",
      value: rate ?? NONE,
      note: `${interval === "" ? "no confidence interval" : interval}, ${kind}`,
      n: numberIn(row, "sessions"),
    },
  ];
}

function tried({ trialLog }: FactorAnalysis): KeyNumber {
  const tested = trialLog.variants().filter(({ p }) => p !== null).length;
  const note = tested === 0 ? "no p value" : `${groupThousands(tested)} with a p value`;
  return { label: "Tests in the trial log", value: groupThousands(trialLog.count), note };
}

function text(value: number, say: (value: number) => string): string {
  return Number.isNaN(value) ? NONE : say(value);
}
