import { BASIS_POINTS, decimalText, intervalText } from "../../../base/wording/number_text.ts";
import { numberIn, type Row } from "./values.ts";
import { breakEvenNumber, type BreakEvenText } from "../../../base/wording/sentences/cost_text.ts";

/** Mean of a row with its interval, or a note that it has none: `0.024 (95% CI 0.009 to 0.039)`, `7.1 bps (95% CI 5.8 to 8.4)`. */
export function meanPhrase(row: Row | undefined, decimals: number, unit = ""): string {
  const interval = intervalText([numberIn(row, "low"), numberIn(row, "high")], decimals);
  return `${decimalText(numberIn(row, "mean"), decimals)}${unit} (${interval})`;
}

/** Row of returns in basis points: `mean`, `low` and `high` times 10,000. */
export function inBasisPoints(row: Row | undefined): Row {
  const bps = ["mean", "low", "high"].map((name) =>
    [name, BASIS_POINTS * numberIn(row, name)] as const
  );
  return { ...row, ...Object.fromEntries(bps) };
}

/** Reads the break-even of a row of a cost table. */
export function readBreakEven(row: Row | undefined): BreakEvenText {
  return breakEvenNumber({
    value: numberIn(row, "break_even_one_way_bps"),
    low: numberIn(row, "break_even_low"),
    high: numberIn(row, "break_even_high"),
  });
}
