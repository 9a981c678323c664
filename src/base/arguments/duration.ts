import { numbers, type Rule } from "./check_options.ts";

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
): Rule<number> {
  const range = `0 or from ${least} to ${most} milliseconds`;
  const signed = isSigned ? ", before or after" : "";
  return numbers(
    `${range}${signed}, such as ${example}, and no number of minutes or days`,
    (value) => {
      const length = isSigned ? Math.abs(value) : value;
      return value === 0 || (length >= least && length <= most);
    },
    example,
  );
}

/** Delay between knowledge and use: from a minute to 31 days. */
export const DELAY: Rule<number> = durationOf({
  least: 60_000,
  most: 31 * 86_400_000,
  example: "15 * 60_000",
});
