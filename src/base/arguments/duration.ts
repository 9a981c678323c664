import type { OptionRule } from "./check_options.ts";

/** Limits of a duration. */
export interface DurationBounds {
  /** The shortest one beside 0, in milliseconds: less is a number of seconds, minutes or days. */
  readonly least: number;
  /** The longest one, in milliseconds. */
  readonly most: number;
  /** Example of one. */
  readonly example: string;
  /**
   * Allows negative values.
   *
   * @default false
   */
  readonly isSigned?: boolean;
}

/** A duration in milliseconds, as every option has whose name ends in `Ms`. */
export function durationOf(
  { least, most, example, isSigned = false }: DurationBounds,
): OptionRule {
  const range = `0 or from ${least} to ${most} milliseconds`;
  return {
    required: `${range}${
      isSigned ? ", before or after" : ""
    }, such as ${example}, and no number of minutes or days`,
    accepts: (value) => {
      if (typeof value !== "number") return false;
      const length = isSigned ? Math.abs(value) : value;
      return value === 0 || (length >= least && length <= most);
    },
    isKind: (value) => typeof value === "number",
    example,
  };
}

/** Delay between knowledge and use: from a minute to 31 days. */
export const DELAY: OptionRule = durationOf({
  least: 60_000,
  most: 31 * 86_400_000,
  example: "15 * 60_000",
});
