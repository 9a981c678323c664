import type { Factor } from "../../contract/factor.ts";
import { epochMsOf, type Instant } from "../../contract/instant.ts";
import { ScoreframeError } from "../../errors.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** What a frozen study does not have. */
export interface MissingEntry {
  /** What is tried, to stand behind "Cannot". */
  readonly action: string;
  /** The entry that the lock lacks. */
  readonly entry: string;
  /** The nearest one that it has, in words; `null` if it has none of the kind. */
  readonly nearest: string | null;
}

/** The error of a frozen study that does not have what is asked for. */
export function frozenError(folder: string, missing: MissingEntry): ScoreframeError {
  const { action, entry, nearest } = missing;
  return new ScoreframeError(
    `Cannot ${action}: expected ${entry} in the lock of the frozen study ${folder}, got ` +
      `${nearest === null ? "none of that kind" : `${nearest} as the nearest one`}; ` +
      "a run with SCOREFRAME_STUDY_MODE=auto loads and adds it",
  );
}

/** The instant that is nearest to another one; `null` of none. */
export function nearestInstant(at: Instant, known: readonly Instant[]): Instant | null {
  const way = (other: Instant) => Math.abs(epochMsOf(other) - epochMsOf(at));
  return known.reduce<Instant | null>(
    (best, other) => best === null || way(other) < way(best) ? other : best,
    null,
  );
}

/** The error of a question that only a later time could answer. */
export function lookAheadError(
  asked: { readonly action: string; readonly what: string; readonly at: Instant },
  asOf: Instant,
): ScoreframeError {
  return new ScoreframeError(
    `Cannot ${asked.action}: expected what was known at the study's time ${asOf}, got ${asked.what} ` +
      `${asked.at}; ask for an earlier one, or move the study with: ${commandLine()} study update`,
  );
}

/** A factor's views, to stand behind "the nearest one is". */
export function viewWords(factor: Factor, at: Instant): string {
  return `the ${factor} view at ${at}`;
}
