import { countText, type Estimate, intervalText, percentText } from "../number_text.ts";
import { groupThousands } from "../group_thousands.ts";

const UNITS = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]] as const;

/** An amount of money with three significant digits: `2.25 million`, `840,000`. */
export function amountText(amount: number): string {
  const rounded = Number(amount.toPrecision(3));
  const unit = UNITS.find(([size]) => rounded >= size);
  if (unit === undefined) return groupThousands(rounded);
  const scaled = Number((rounded / unit[0]).toPrecision(3));
  return `${scaled >= 1000 ? groupThousands(scaled) : scaled} ${unit[1]}`;
}

/** Break-even capital in a sentence; there is none if the bid–ask spread alone consumes the mean return. */
export function capacityText(even: Estimate, sessions: number): string {
  const { value, low, high } = even;
  const basis = `${intervalText([low, high], amountText)}; ${countText(sessions, "session")}`;
  return value !== null && value > 0
    ? "With market impact, the portfolio's mean net return reaches zero at a capital of " +
      `${amountText(value)} (${basis}), in the currency of the volumes.`
    : `The portfolio has no capacity, because its mean return net of the spread is not above zero (${basis}).`;
}

/** Share of the sessions in which a capital stays within the participation limit, in a sentence. */
export function limitText(capital: number, share: number): string {
  return `A capital of ${amountText(capital)} stays within the participation limit in ` +
    `${percentText(share)} of the sessions with trades.`;
}
