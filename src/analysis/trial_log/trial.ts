import { checkOptions } from "../../base/arguments/check_options.ts";

// Characters of an entry in a message.
const MOST_SHOWN = 200;

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

/** An entry with the time at which it was first made, and how often. */
export interface TrialVariant extends Trial {
  /** Instant of its first entry. */
  readonly firstAt: string;
  /** Number of times that it was entered. */
  readonly times: number;
}

/** An entry as one line of a file. */
export function toTrialLine(entry: Trial, at: string): string {
  const { what, options, n, t, p } = entry;
  // A date is told apart by its text; as an object it has no fields.
  const written = sorted(JSON.parse(JSON.stringify(options)));
  return JSON.stringify({ at, what, options: written, n, t, p });
}

/**
 * Reads a line of a trial log; `null` if it is not one, such as a line truncated by a full disk.
 */
export function parseTrialLine(line: string): (Trial & { readonly at: string }) | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isEntry(value) ? value : null;
}

/**
 * Refuses anything but an entry.
 *
 * @throws {TypeError} If a field is missing or of another type
 */
export function assertEntry(entry: Trial): void {
  checkOptions("enter a test", entry, ["what", "options", "n", "t", "p"]);
  if (isEntry({ ...entry, at: "" })) return;
  throw new TypeError(
    "Cannot enter a test: expected what (text), options (an object), n (a count), t and p (numbers or " +
      `null, p from 0 to 1), got ${JSON.stringify(entry).slice(0, MOST_SHOWN)}`,
  );
}

function isEntry(value: unknown): value is Trial & { readonly at: string } {
  if (typeof value !== "object" || value === null) return false;
  const { at, what, options, n, t, p } = value as Record<string, unknown>;
  return typeof at === "string" && typeof what === "string" && typeof options === "object" &&
    options !== null && Number.isSafeInteger(n) && Number(n) >= 0 && isNumberOrNull(t) &&
    isNumberOrNull(p) && (p === null || (Number(p) >= 0 && Number(p) <= 1));
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

// The order of options does not matter.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, content]) => [key, sorted(content)]));
}
