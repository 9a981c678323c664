import { isObject } from "../../base/contract/json_text.ts";
import { replaceMatches } from "../../frames/frame/replace_matches.ts";

/** Options of a comparison of values. */
export interface CompareValuesOptions {
  /** Largest difference of two numbers, as a share of the larger one. */
  readonly tolerance: number;
  /** Regular expressions for text that may differ, as {@link replaceMatches} takes them. */
  readonly ignore: readonly string[];
  /** Counts parts that were not compared. */
  readonly tally?: CompareTally;
}

/** Counts of parts that a comparison skipped. */
export interface CompareTally {
  /** Pictures of equal size with other content. */
  pictures: number;
  /** `true` if a pattern matched something. */
  isIgnored: boolean;
}

/** A difference between two values, in words. */
export interface ValueDifference {
  /** Part of the output. */
  readonly where: string;
  /** The expected value. */
  readonly expected: string;
  /** The value found. */
  readonly found: string;
  /** True if the cell failed where it had not, or in another way. */
  readonly isFailure?: boolean;
}

const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g;
// In a replay, the column `source` is "store"; otherwise its frames equal those of the first run.
const SOURCE = /\b(?:live|embedded|store)(?=(?:, synthetic)?\s*(?:$|[\n<|"·]| {2}))/gm;
const MODE = /\bmode\s+(?:auto|frozen|update)\b/g;
const LONGEST_SHOWN = 120;
const SHOWN_BEFORE = 40;

/** The first difference of two texts; numbers may differ within the tolerance, white space in its width. */
export function compareTexts(
  expected: string,
  found: string,
  options: CompareValuesOptions,
  where = "text",
): ValueDifference | null {
  // Most texts are equal, and replacing what a pattern matches costs a thousand times what comparing does.
  if (expected === found) {
    if (options.tally?.isIgnored === false) plainText(expected, options);
    return null;
  }
  const [a, b] = [plainText(expected, options), plainText(found, options)];
  if (isSameText(a, b, options.tolerance)) return null;
  return { where, ...firstLines(a, b, options.tolerance) };
}

/** The first difference of two JSON values by structure; numbers may differ within the tolerance. */
export function compareJson(
  expected: unknown,
  found: unknown,
  options: CompareValuesOptions,
  where = "$",
): ValueDifference | null {
  if (typeof expected === "number" && typeof found === "number") {
    return isNear(expected, found, options.tolerance) ? null : differs(where, expected, found);
  }
  if (typeof expected === "string" && typeof found === "string") {
    return compareTexts(expected, found, options, where);
  }
  if (!isObject(expected) || !isObject(found)) {
    return expected === found ? null : differs(where, expected, found);
  }
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
  for (const name of names) {
    const path = Array.isArray(expected) ? `${where}[${name}]` : `${where}.${name}`;
    const difference = compareJson(expected[name], found[name], options, path);
    if (difference !== null) return difference;
  }
  return null;
}

function plainText(text: string, { ignore, tally }: CompareValuesOptions): string {
  const known = text.replace(SOURCE, "source").replace(MODE, "mode");
  const rest = ignore.reduce((left, pattern) => replaceMatches(left, pattern, "…"), known);
  if (tally !== undefined && rest !== known) tally.isIgnored = true;
  return rest.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim()).join("\n").trim();
}

function isNear(a: number, b: number, tolerance: number): boolean {
  return a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
}

function isSameText(a: string, b: string, tolerance: number): boolean {
  if (a === b) return true;
  const wordsOf = (text: string) => text.split(NUMBER).join("\0");
  const numbersOf = (text: string) => (text.match(NUMBER) ?? []).map(Number);
  if (wordsOf(a) !== wordsOf(b)) return false;
  const after = numbersOf(b);
  return numbersOf(a).every((number, i) => isNear(number, after[i]!, tolerance));
}

function firstLines(a: string, b: string, tolerance: number) {
  const [before, after] = [a.split("\n"), b.split("\n")];
  const i = before.findIndex((line, place) => {
    const other = after[place];
    return other === undefined || !isSameText(line, other, tolerance);
  });
  const place = i === -1 ? before.length : i;
  const [expected, found] = [before[place], after[place]];
  const from = firstDifference(expected ?? "", found ?? "") - SHOWN_BEFORE;
  return { expected: shown(expected, from), found: shown(found, from) };
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function differs(where: string, expected: unknown, found: unknown): ValueDifference {
  return { where, expected: shown(JSON.stringify(expected)), found: shown(JSON.stringify(found)) };
}

// The part of a long line around the difference.
function shown(text: string | undefined, from = 0): string {
  if (text === undefined) return "nothing";
  if (text.length <= LONGEST_SHOWN) return text;
  const start = Math.max(0, Math.min(from, text.length - LONGEST_SHOWN));
  const end = start + LONGEST_SHOWN;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
