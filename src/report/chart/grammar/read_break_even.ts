import { breakEvenNumber, type BreakEvenText } from "../../../base/wording/sentences/cost_text.ts";
import { numberIn, type Row } from "./values.ts";

/** Reads the break-even of a row of a cost table. */
export function readBreakEven(row: Row | undefined): BreakEvenText {
  return breakEvenNumber({
    value: numberIn(row, "break_even_one_way_bps"),
    low: numberIn(row, "break_even_low"),
    high: numberIn(row, "break_even_high"),
  });
}
