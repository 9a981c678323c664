import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf, parseInstant } from "../../base/contract/instant.ts";
import {
  between,
  checkOptions,
  oneOf,
  type OptionRule,
  type OptionRules,
  ruleBy,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { ContractViolation, describe } from "../../base/contract/violation.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";

/** Contents of a world; every option has a default. */
export interface WorldOptions {
  /**
   * Seed of every number.
   *
   * @default 7
   */
  readonly seed?: number;
  /**
   * Defaults of the sizes below: `small` is 60 tickers and releases of two years; `full` is 3,000 tickers and ten
   * years. Both have hourly checks over some 120 sessions.
   *
   * @default "small"
   */
  readonly size?: "small" | "full";
  /**
   * Instant at which the world ends, until December 2060; its last check is the last full hour by then.
   *
   * @default "2026-11-20T15:00:00.000Z"
   */
  readonly end?: Instant;
  /**
   * Number of tickers in the universe when the live sets begin, 1 to 20,000.
   *
   * @default 60 for small, 3000 for full
   */
  readonly tickers?: number;
  /**
   * Length of the releases' nominal window in years, at most 30; fractions are taken in months.
   *
   * @default 2 for small, 10 for full
   */
  readonly years?: number;
  /**
   * Number of hourly checks before the end, the last one included.
   *
   * @default 4180
   */
  readonly hours?: number;
  /**
   * Calculation definitions; another version has other numbers.
   *
   * @default { ecpnd: "ecpnd-v1", ecqdi: "ecqdi-v1" }
   */
  readonly factorVersions?: Partial<Readonly<Record<Factor, string>>>;
}

/** The parameters that determine a world, as its `store.json` keeps them. */
export interface WorldParameters {
  /** Seed of every number. */
  readonly seed: number;
  /** Number of tickers in the universe when the live sets begin. */
  readonly tickers: number;
  /** Length of the releases' nominal window. */
  readonly years: number;
  /** Number of full hours from the first check through the last. */
  readonly hours: number;
  /** The last full hour. */
  readonly end: Instant;
  /** Calculation definitions. */
  readonly factorVersions: Readonly<Record<Factor, string>>;
}

// The closes of 121 sessions lie in these hours before the default end.
const LIVE_HOURS = 4_180;
const SIZES = {
  small: { tickers: 60, years: 2, hours: LIVE_HOURS },
  full: { tickers: 3_000, years: 10, hours: LIVE_HOURS },
} as const;
const DEFAULT_END = "2026-11-20T15:00:00.000Z";
const EARLIEST = "1993-01-01T00:00:00.000Z";
// The market's calendar goes a month further.
const LATEST = "2060-12-01T00:00:00.000Z";
const ACTION = "build a world";

/** Accepted options of a world. */
export const WORLD_RULES: OptionRules<WorldOptions> = {
  seed: whole(0, 0xffffffff),
  size: oneOf("small", "full"),
  end: ruleBy("an instant", (_, end: Instant) => readEnd(end)),
  tickers: whole(1, 20_000),
  years: between(1 / 12, 30),
  hours: whole(1, 100_000),
  factorVersions: ruleBy(
    "an object",
    (_, given: NonNullable<WorldOptions["factorVersions"]>) => toVersions(given),
  ),
};

/**
 * Fills in the defaults and checks the values.
 *
 * @param others Rules of options that are no parameters
 * @throws {RangeError} If a value is out of range or a version is not of the form `<factor>-v<n>`
 * @throws {TypeError} If there is no such option or size, or a value is of another kind
 */
export function toWorldParameters(
  options: WorldOptions = {},
  others: Readonly<Record<string, OptionRule>> = {},
): WorldParameters {
  checkOptions(ACTION, options, { ...WORLD_RULES, ...others });
  const { size = "small", seed = 7, factorVersions = {} } = options;
  const { tickers = SIZES[size].tickers, years = SIZES[size].years } = options;
  const { hours = SIZES[size].hours } = options;
  const endMs = readEnd(options.end ?? DEFAULT_END);
  const end = instantOf(Math.floor(endMs / HOUR_MS) * HOUR_MS);
  const earliestMs = endMs - hours * HOUR_MS - years * 366 * 24 * HOUR_MS;
  if (earliestMs < epochMsOf(EARLIEST) || endMs >= epochMsOf(LATEST)) {
    throw new RangeError(
      `Cannot ${ACTION}: expected a history between 1993 and November 2060, ` +
        `got ${years} years and ${hours} hours before ${end}`,
    );
  }
  return { seed, tickers, years, hours, end, factorVersions: toVersions(factorVersions) };
}

/** The instant of the first check, in epoch milliseconds. */
export function liveFromMs(parameters: WorldParameters): number {
  return epochMsOf(parameters.end) - (parameters.hours - 1) * HOUR_MS;
}

function readEnd(end: unknown): number {
  try {
    return epochMsOf(parseInstant(end, "end"));
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    throw refusal("end", error.required, end, typeof end === "string" ? RangeError : TypeError);
  }
}

function toVersions(given: Partial<Readonly<Record<Factor, string>>>): Record<Factor, string> {
  checkOptions(`${ACTION} with other factorVersions`, given, { ecpnd: TEXT, ecqdi: TEXT });
  const versions = { ecpnd: given.ecpnd ?? "ecpnd-v1", ecqdi: given.ecqdi ?? "ecqdi-v1" };
  for (const [factor, version] of Object.entries(versions)) {
    if (new RegExp(`^${factor}-v\\d+$`).test(version)) continue;
    throw refusal(`factorVersions.${factor}`, `of the form "${factor}-v<n>"`, version, RangeError);
  }
  return versions;
}

function refusal(
  name: string,
  required: string,
  value: unknown,
  Refusal: typeof RangeError | typeof TypeError,
): Error {
  return new Refusal(
    `Cannot ${ACTION}: expected ${name} to be ${required}, got ${describe(value)}`,
  );
}
