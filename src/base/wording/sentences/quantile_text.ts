import {
  BASIS_POINTS,
  countText,
  decimalText,
  type Estimate,
  intervalText,
} from "../number_text.ts";

/** Steps between the mean returns of adjacent quantiles. */
export interface StepsFound {
  readonly horizon: number;
  /** True if the returns fall with the score. */
  readonly isFalling: boolean;
  readonly steps: number;
  /** Number of steps whose 95% confidence interval excludes zero in that direction. */
  readonly clear: number;
  readonly sessions: number;
}

/** Number of steps at which the mean returns of quantiles rise or fall, in a sentence. */
export function stepsText(found: StepsFound): string {
  const { horizon, isFalling, steps, clear, sessions } = found;
  const [verb, side] = isFalling ? ["fall", "below"] : ["rise", "above"];
  return `The mean return at ${countText(horizon, "session")} ${verb}s significantly (95% CI ` +
    `${side} zero, unadjusted) at ${clear} of ${countText(steps, "step")} between adjacent ` +
    `quantiles (${countText(sessions, "session")}).`;
}

/** The quantile spread in a sentence. */
export function spreadText(
  { value, low, high }: Estimate & { readonly value: number },
  { horizon, sessions, exposure }: {
    readonly horizon: number;
    readonly sessions: number;
    /** The two sides, as `100% long quantile 5 and 100% short quantile 1`. */
    readonly exposure: string;
  },
): string {
  const bps = (share: number) => decimalText(BASIS_POINTS * share, 1);
  const a = horizon === 1 ? " per session" : "";
  return `The equal-weighted quantile spread at ${countText(horizon, "session")} is ` +
    `${bps(value)} bps${a} (${intervalText([low, high], bps)}; ` +
    `${countText(sessions, "session")}): ${exposure}.`;
}
