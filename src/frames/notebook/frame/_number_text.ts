import { groupThousands } from "../../../base/wording/group_thousands.ts";

/** Format of the numbers of one column. */
export interface NumberStyle {
  /** Decimal places; `null` for scientific notation, if all values are very small or very large. */
  readonly decimals: number | null;
  /** True for commas between thousands. */
  readonly isGrouped: boolean;
}

// Four significant digits of the largest value; prices keep their cents.
const SIGNIFICANT_DIGITS = 4;
const MIN_DECIMALS = 2;
const MAX_DECIMALS = 7;
const LARGE = 1e6;
const HUGE = 1e15;
const TINY = 1e-4;
// Further digits of a double are rounding noise.
const EXACT_DIGITS = 12;
const NOT_GROUPED = /(^|_)(year|id)$/i;

/** Number style of a column from its shown values, with the digits that its largest value needs. */
export function numberStyle(name: string, values: readonly unknown[]): NumberStyle {
  const isGrouped = !NOT_GROUPED.test(name);
  const numbers = values.filter((value) => typeof value === "number" && Number.isFinite(value))
    .map((value) => Math.abs(value as number));
  const largest = Math.max(0, ...numbers);
  if (largest === 0) return { decimals: 0, isGrouped };
  if (largest < TINY || largest >= HUGE) return { decimals: null, isGrouped };
  const limit = largest >= LARGE ? 0 : decimalsFor(largest);
  const visible = numbers.filter((value) => !vanishes(value, limit));
  return { decimals: Math.min(limit, Math.max(0, ...visible.map(decimalsOf))), isGrouped };
}

/** Formats a number in the style of its column; a nonzero number never looks like zero. */
export function cellNumber(value: number, { decimals, isGrouped }: NumberStyle): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return (0).toFixed(decimals ?? 0);
  if (decimals === null) return trimExponent(value.toExponential(SIGNIFICANT_DIGITS - 1));
  if (vanishes(Math.abs(value), decimals)) return trimExponent(value.toExponential(1));
  return isGrouped ? groupThousands(value.toFixed(decimals)) : value.toFixed(decimals);
}

function decimalsFor(largest: number): number {
  const decimals = SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(largest));
  return Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, decimals));
}

function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(Number(value.toPrecision(EXACT_DIGITS))).split("e");
  return Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent));
}

function vanishes(size: number, decimals: number): boolean {
  return size !== 0 && Number(size.toFixed(decimals)) === 0;
}

/** Shortens `7.0e-6` to `7e-6`. */
function trimExponent(text: string): string {
  return text.replace(/\.?0*e/, "e").replace("e+", "e");
}
