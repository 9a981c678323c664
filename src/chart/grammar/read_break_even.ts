import { numberIn, type Row } from "./values.ts";
import { decimalText } from "../../wording/number_text.ts";

/** Break-even cost of a portfolio in words, as the judgement has it. */
export interface BreakEvenText {
  /** `31.4 bps`, or that there is none; `null` if nothing is known of costs. */
  readonly rate: string | null;
  /** Its confidence interval, `95% CI 2.1 to 60.7`; empty if there is none. */
  readonly interval: string;
}

/** Reads the break-even of a row of a cost table; where the mean return is not above zero there is none. */
export function readBreakEven(row: Row | undefined): BreakEvenText {
  const even = numberIn(row, "break_even_one_way_bps");
  const [low, high] = [numberIn(row, "break_even_low"), numberIn(row, "break_even_high")];
  const ends = `${decimalText(low, 1)} to ${decimalText(high, 1)}`;
  const hasEnds = !Number.isNaN(low) && !Number.isNaN(high);
  if (even > 0) {
    return { rate: `${decimalText(even, 1)} bps`, interval: hasEnds ? `95% CI ${ends}` : "" };
  }
  return {
    rate: Number.isNaN(even) ? null : "no break-even",
    interval: hasEnds ? `95% CI of the rate ${ends} bps` : "",
  };
}
