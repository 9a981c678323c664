import { isObject } from "../../base/contract/json_text.ts";
import {
  aCount,
  aNumber,
  anyText,
  object,
  orNull,
  readOrNull,
  valueOf,
  type Wire,
} from "../../base/contract/schema.ts";
import {
  between,
  checkOptions,
  either,
  exactly,
  FINITE,
  needed,
  objectLike,
  type OptionRules,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";

/** One test that was made. */
export interface Trial {
  /** Quantity that was tested, such as `mean IC`. */
  readonly what: string;
  /** Options: everything that makes it another variant. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of observations. */
  readonly n: number;
  /** Ratio of mean and error; `null` if there is no test. */
  readonly t: number | null;
  /** Two-sided p value; `null` if there is no test. */
  readonly p: number | null;
}

const LINE = object<Trial & { readonly at: string }>({
  at: anyText,
  what: anyText,
  options: valueOf<Wire>("an object", isObject),
  n: aCount,
  t: orNull(aNumber),
  p: orNull(valueOf("a number from 0 to 1", isProbability)),
});

/** An entry with the time at which it was first made, and how often. */
export interface TrialVariant extends Trial {
  /** Instant of its first entry. */
  readonly firstAt: string;
  /** Number of times that it was entered. */
  readonly times: number;
}

/** An entry as one line of a file. */
export function toTrialLine(entry: Trial, at: string): string {
  // A date is told apart by its text; as an object it has no fields.
  const options = sorted(JSON.parse(JSON.stringify(entry.options))) as Wire;
  return JSON.stringify(LINE.write({ ...entry, options, at }));
}

/**
 * Reads a line of a trial log; `null` if it is not one, such as a line truncated by a full disk.
 */
export function parseTrialLine(line: string): (Trial & { readonly at: string }) | null {
  try {
    return readOrNull(LINE, JSON.parse(line));
  } catch {
    return null;
  }
}

/**
 * Refuses anything but an entry.
 *
 * @throws {TypeError} If a field is missing or of another type
 */
export function assertEntry(entry: Trial): void {
  checkOptions("enter a test", entry, RULES);
}

const NUMBER = either(FINITE, exactly(null));
const RULES: OptionRules<Trial> = {
  what: needed(TEXT),
  options: needed(objectLike()),
  n: needed(whole(0)),
  t: needed(NUMBER),
  p: needed(either(between(0, 1), exactly(null))),
};

function isProbability(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

// The order of options does not matter.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, content]) => [key, sorted(content)]));
}
