import type { Check } from "../../base/contract/scores/check.ts";
import { epochMsOf, type Instant } from "../../base/contract/instant.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { AMOUNT, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";

/** Freshness that a caller requires of a check. */
export interface FreshnessOptions {
  /**
   * Refuses a check whose status is not `current`; an unknown status counts as not current.
   *
   * @default any status is accepted
   */
  readonly require?: "current";
  /**
   * Refuses a check whose `data_through` is older than this at the instant of the view: now for the latest view, `at` for a
   * view at an instant, and the publication for a set by its id.
   *
   * @default any age is accepted
   */
  readonly maxAgeMs?: number;
}

/** Accepted values of these options. */
export const FRESHNESS_RULES: OptionRules<FreshnessOptions> = {
  require: oneOf("current"),
  maxAgeMs: AMOUNT,
};

/**
 * Refuses a check that is not as fresh as required.
 *
 * @param seenFrom Instant at which the age is taken
 * @throws {ScoreframeError} If the status is not current, or the data is too old
 * @see API document, section 3
 */
export function assertFresh(
  check: Pick<Check, "factor" | "status" | "dataThrough" | "lastCheckedAt">,
  seenFrom: Instant,
  options: FreshnessOptions,
): void {
  const { factor, status, dataThrough, lastCheckedAt } = check;
  const { require, maxAgeMs } = options;
  const which = `the ${factor} scores of the check at ${lastCheckedAt}`;
  if (require === "current" && status !== "current") {
    throw new ScoreframeError(
      `Cannot accept ${which}: expected the status current, got ${status} with data through ` +
        `${dataThrough}; try again after the next check, or omit require`,
    );
  }
  if (maxAgeMs === undefined) return;
  const ageMs = epochMsOf(seenFrom) - epochMsOf(dataThrough);
  if (ageMs <= maxAgeMs) return;
  throw new ScoreframeError(
    `Cannot accept ${which}: expected data no older than ${exactly(maxAgeMs)}, got data_through ` +
      `${dataThrough}, ${minutes(ageMs)} before ${seenFrom}; the status is ${status}; ` +
      `try again after the next check, or raise maxAgeMs`,
  );
}

// A limit is shown unrounded: one of a millisecond would read as zero.
function exactly(durationMs: number): string {
  if (durationMs % 60_000 === 0) return `${durationMs / 60_000} min`;
  return durationMs < 1_000 ? `${durationMs} ms` : `${durationMs / 1_000} s`;
}

function minutes(durationMs: number): string {
  return `${Math.round(durationMs / 6_000) / 10} min`;
}
