import { assertKnownOptions } from "../../arguments/check_options.ts";

/** One test that was made. */
export interface LedgerEntry {
  /** What was tested, such as `mean IC`. */
  readonly what: string;
  /** With which options: everything that makes it another variant. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of observations. */
  readonly n: number;
  /** Ratio of mean and error; `null` if there is no test. */
  readonly t: number | null;
  /** Two-sided p value; `null` if there is no test. */
  readonly p: number | null;
}

/** An entry with the time at which it was first made, and how often. */
export interface LedgerVariant extends LedgerEntry {
  /** When it was entered first, as an instant. */
  readonly firstAt: string;
  /** How many times it was entered. */
  readonly times: number;
}

/** An entry as one line of a file. */
export function toLedgerLine(entry: LedgerEntry, at: string): string {
  const { what, options, n, t, p } = entry;
  // A date is told apart by its text; as an object it has no fields.
  const written = sorted(JSON.parse(JSON.stringify(options)));
  return JSON.stringify({ at, what, options: written, n, t, p });
}

/**
 * Reads a line of a ledger; `null` if it is none, such as the torn end of one that a full disk cut off.
 */
export function parseLedgerLine(line: string): (LedgerEntry & { readonly at: string }) | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isEntry(value) ? value : null;
}

/**
 * Refuses what is no entry.
 *
 * @throws {TypeError} If a field is missing or of another type
 */
export function assertEntry(entry: LedgerEntry): void {
  assertKnownOptions("enter a test", entry, ["what", "options", "n", "t", "p"]);
  if (isEntry({ ...entry, at: "" })) return;
  throw new TypeError(
    "Cannot enter a test: what (text), options (an object), n (a count), t and p (numbers or " +
      `null, p from 0 to 1) are required, got ${JSON.stringify(entry)}`,
  );
}

function isEntry(value: unknown): value is LedgerEntry & { readonly at: string } {
  if (typeof value !== "object" || value === null) return false;
  const { at, what, options, n, t, p } = value as Record<string, unknown>;
  return typeof at === "string" && typeof what === "string" && typeof options === "object" &&
    options !== null && Number.isSafeInteger(n) && Number(n) >= 0 && isNumberOrNull(t) &&
    isNumberOrNull(p) && (p === null || (Number(p) >= 0 && Number(p) <= 1));
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isFinite(value);
}

// Options that are written in another order are the same options.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, content]) => [key, sorted(content)]));
}
