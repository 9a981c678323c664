import { valueText } from "../../../base/wording/number_text.ts";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { FINITE_AMOUNT, type Rule, ruleOf } from "../../../base/arguments/check_options.ts";

/** Rates of one-way costs that a table has if none are given, in basis points. */
const USUAL_RATES: readonly number[] = [0, 5, 10, 20, 50];
/** The one-way cost that stands for usual trading, in basis points. */
export const USUAL_RATE = 10;

// No market trades for less; costs as a share of the traded value are of this size.
const LEAST = 0.05;
// Fewer than one basis point one way is rare, and usual as percent.
const LEAST_USUAL = 1;
const asked = new Set<number>();

/** A rate in basis points of the traded value; smaller ones can only be a share of it. */
export const RATE_RULE: Rule<number> = ruleOf(
  `a finite number of at least 0 basis points, and none below ${LEAST} (as a share of the traded value, 0.001 is 10)`,
  (value) => FINITE_AMOUNT.accepts(value) && (value === 0 || Number(value) >= LEAST),
  { isKind: (value) => typeof value === "number" },
);

/** Rates of one-way costs in basis points, or one of them. */
export const RATES: Rule<number | readonly number[]> = ruleOf(
  `rates of 0 or at least ${LEAST} basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10)`,
  (value) => {
    const list = [value].flat();
    return list.length > 0 && list.every(RATE_RULE.accepts);
  },
  { isKind: () => true },
);

/** The rates that are given, or the usual ones. */
export function ratesOf(given: number | readonly number[] = USUAL_RATES): readonly number[] {
  const rates = [given].flat();
  rates.forEach(askRate);
  return rates;
}

/** Asks once about a rate that may be in percent. */
function askRate(rate: number): void {
  if (rate <= 0 || rate >= LEAST_USUAL || asked.has(rate)) return;
  asked.add(rate);
  sayNotice(
    `A cost of ${rate} is read in basis points, ${
      valueText(rate / 100)
    }% of the traded value; if it is in percent, write ${valueText(100 * rate)}`,
  );
}
