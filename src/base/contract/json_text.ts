import { ContractViolation } from "./violation.ts";

// Far above any message or file: what is deeper overflows the stack of those who walk it, and every field costs time.
const MAX_DEPTH = 64;
const MAX_NAMES = 2_000;

/**
 * Parses JSON text without repeated names in an object: `JSON.parse` would use the last one, and two scores of one ticker are
 * not a score.
 *
 * @throws {ContractViolation} If it is not JSON, a name repeats, or it is nested or has more fields in one object than any
 * message or file
 */
export function parseJson(text: string): unknown {
  const value = parse(text);
  assertNames(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ContractViolation("the body", "JSON", text);
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, COLON] = [...'"\\{}:'].map((text) => text.charCodeAt(0));
const [OPEN_LIST, CLOSE_LIST] = [..."[]"].map((text) => text.charCodeAt(0));
const BLANKS = " \t\r\n";

// The text is valid JSON; only the names of different objects have to be distinguished. Read by units, because each match of a
// pattern makes an array: half the time.
function assertNames(text: string): void {
  const open: Set<string>[] = [];
  let lists = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === OPEN) open.push(new Set());
    else if (unit === CLOSE) open.pop();
    else if (unit === OPEN_LIST) lists++;
    else if (unit === CLOSE_LIST) lists--;
    if (open.length + lists > MAX_DEPTH) {
      throw new ContractViolation(
        "the body",
        `JSON of at most ${MAX_DEPTH} levels`,
        open.length + lists,
      );
    }
    if (unit !== QUOTE) continue;
    const end = endOfString(text, i);
    if (isColonNext(text, end)) addName(open.at(-1)!, text.slice(i, end));
    i = end - 1;
  }
}

// Index after the closing quote of the string that begins at an index.
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}

// In valid JSON a string before a colon is a name.
function isColonNext(text: string, index: number): boolean {
  let next = index;
  while (next < text.length && BLANKS.includes(text[next]!)) next++;
  return text.charCodeAt(next) === COLON;
}

function addName(names: Set<string>, literal: string): void {
  const name = literal.includes("\\") ? JSON.parse(literal) as string : literal.slice(1, -1);
  if (names.has(name)) {
    throw new ContractViolation("the body", "JSON without a repeated name in one object", name);
  }
  names.add(name);
  if (names.size > MAX_NAMES) {
    throw new ContractViolation(
      "the body",
      `JSON of objects with at most ${MAX_NAMES} fields`,
      names.size,
    );
  }
}

/** True for an object or a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** True for an object that is no list. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}
