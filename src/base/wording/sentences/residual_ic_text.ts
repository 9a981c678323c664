import { countText, decimalText, type Estimate, intervalText } from "../number_text.ts";

/** Mean ICs before and after neutralisation. */
export interface ResidualIcSaid {
  readonly horizon: number;
  readonly raw: number;
  readonly residual: number;
  /** Mean IC of the residual scores with residual returns; `null` if there is none. */
  readonly specific: number | null;
  /** Residual minus raw IC, over the number of sessions. */
  readonly difference: Estimate & { readonly n: number };
}

/** Raw and residual IC in a sentence. */
export function residualIcText(
  { horizon, raw, residual, specific, difference }: ResidualIcSaid,
): string {
  const text = (value: number) => decimalText(value, 3);
  const { value, low, high, n } = difference;
  const sessions = countText(n, "session");
  const apart = value === null
    ? ` (${sessions})`
    : `; they differ by ${text(value)} (${intervalText([low, high], text)}; ${sessions})`;
  const neutral = specific === null
    ? ""
    : ` With returns made neutral as well it is ${text(specific)}.`;
  return `At ${countText(horizon, "session")}, the mean rank IC of the same stocks is ` +
    `${text(raw)} before the scores are made neutral and ${text(residual)} ` +
    `after${apart}.${neutral}`;
}
