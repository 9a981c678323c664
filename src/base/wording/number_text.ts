import { groupThousands } from "./group_thousands.ts";

/** One in basis points. */
export const BASIS_POINTS = 10_000;

const LEAST = 0.0001;

/** A number with its 95% confidence interval. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** A number with a true minus sign: three decimals, or three significant digits for a small number. */
export function numberText(value: number): string {
  const size = Math.abs(value);
  const isSmall = size !== 0 && size < 0.01;
  return decimalText(value, isSmall ? Math.min(12, 2 - Math.floor(Math.log10(size))) : 3);
}

/** A number with so many decimals, a comma between thousands, and a true minus sign; what rounds to zero has none. */
export function decimalText(value: number, decimals: number): string {
  const digits = groupThousands(Math.abs(value).toFixed(decimals));
  return value < 0 && /[1-9]/.test(digits) ? `−${digits}` : digits;
}

/** A share as a percentage: `16.7%`. */
export function percentText(share: number, decimals = 1): string {
  return `${decimalText(100 * share, decimals)}%`;
}

/** A size in decimal units, as file managers and browsers show it: `400 B`, `183 kB`, `56.2 MB`, `2.5 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1e3)} kB`;
  const [unit, name] = bytes < 999.95e6 ? [1e6, "MB"] : [1e9, "GB"];
  return `${decimalText(bytes / unit, 1)} ${name}`;
}

/** `1 session`, `1,234 sessions`; an irregular plural is given. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupThousands(count)} ${count === 1 ? noun : plural}`;
}

/**
 * A confidence interval: `95% CI 0.009 to 0.039`, or a note that there is none if an end is missing.
 *
 * @param ends Lower and upper end; null or NaN where there is none
 * @param textOf Format of an end, or its number of decimals
 */
export function intervalText(
  [low, high]: readonly [number | null, number | null],
  textOf: number | ((value: number, decimals?: number) => string),
): string {
  if (low === null || high === null || Number.isNaN(low) || Number.isNaN(high)) {
    return "no confidence interval";
  }
  const format: (value: number, decimals?: number) => string = typeof textOf === "number"
    ? (value, decimals = textOf) => decimalText(value, decimals)
    : textOf;
  // An end that rounds to zero would hide on which side of zero it lies.
  const write = (value: number) =>
    [undefined, 2, 3, 4, 5, 6].map((decimals) => format(value, decimals))
      .find((text) => value === 0 || /[1-9]/.test(text)) ?? "0";
  return `95% CI ${write(low)} to ${write(high)}`;
}

/** A value from data: four significant digits without trailing zeros; whole numbers in full. */
export function valueText(value: number): string {
  const short = Number.isInteger(value) ? value : Number(value.toPrecision(4));
  const text = Math.abs(short) >= 1e15 || (short !== 0 && Math.abs(short) < 1e-6)
    ? String(short)
    : groupThousands(String(short));
  return text.replaceAll("-", "−");
}

/** A p value in sentences, tables and charts: two digits, two decimals from 0.095 on, or `< 0.0001`. */
export function pText(p: number, below = "<"): string {
  if (p < LEAST) return `${below} 0.0001`;
  return p < 0.095 ? String(Number(p.toPrecision(2))) : p.toFixed(2);
}

/** `p = 0.12`, or `p < 0.0001`. */
export function pPhrase(p: number): string {
  return p < LEAST ? `p ${pText(p)}` : `p = ${pText(p)}`;
}
