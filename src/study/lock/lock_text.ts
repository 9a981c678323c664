import { parseJson } from "../../base/contract/json_text.ts";
import { anObject, read, write } from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { FACT_LISTS, factKey, factLine, LOCK, LOCK_HEAD, type StudyLock } from "./lock.ts";
import { type BrokenSeal, brokenSeals, type SealedParts, sealsOf } from "./lock_seals.ts";

const FORMATS: readonly unknown[] = [1, 2, 3];
// Versions without registered tests refuse this format: they would show held-out sessions.
const WITH_TESTS = 3;

/** A lock as read from its file. */
export interface ReadLock {
  /** The lock. */
  readonly lock: StudyLock;
  /** The text that it was read from. */
  readonly text: string;
  /** Parts whose seals do not match. Only a seal shows a changed head or a removed line. */
  readonly broken: readonly BrokenSeal[];
  /** `true` if the text is in its normal form; line ends are ignored. */
  readonly isNormal: boolean;
  /** Format of the text; locks are written in format 2, and those with registered tests in format 3. */
  readonly format: number;
}

/**
 * The text of a lock: sorted, one fact per line, so that a diff of two locks is a list of facts.
 *
 * Equal facts give equal text. No fact contains a key, an account or a path of this machine.
 */
export function encodeLock(lock: StudyLock): string {
  const { head, ...lists } = partsOf(lock);
  const lines = [
    ...(hasTests(lock) ? [] : ['"format": 2']),
    ...head!,
    ...Object.entries(lists).map(([name, items]) => listOf(name, items)),
    listOf("ignore", lock.ignore.map((pattern) => JSON.stringify(pattern))),
    objectLines("environment", { ...lock.environment }),
    objectLines("seal", sealsOf({ head: head!, ...lists })),
  ];
  return `{\n${lines.join(",\n")}\n}\n`;
}

/**
 * Reads the text of a lock.
 *
 * @throws {ContractViolation} If a line is malformed or a fact is repeated
 */
export function parseLock(text: string): ReadLock {
  // An editor may have added a byte order mark.
  const wire = read(anObject, parseJson(text.replace(/^\uFEFF/, "")), "$");
  const { format } = wire;
  if (!FORMATS.includes(format)) throw new ContractViolation("$.format", "1, 2 or 3", format);
  assertAsFormat(wire);
  const lock = read(LOCK, {
    ...wire,
    ...(format === 1 && { inputs: [] }),
    ...(format !== WITH_TESTS && { registered: [] }),
  }, "$");
  assertDistinct(lock);
  const { inputs, ...first } = partsOf(lock, format === WITH_TESTS);
  // Format 1 had no list of inputs.
  const sealed: SealedParts = format === 1 ? first : { ...first, inputs: inputs! };
  const broken = brokenSeals(sealed, wire.seal);
  // Git may have converted the line endings.
  const isNormal = text.replaceAll("\r\n", "\n") === encodeLock(lock);
  return { lock, text, broken, isNormal, format: format as number };
}

// Lists that a format does not have, or has only if there is something in them: one digit must not hide what was registered.
function assertAsFormat(wire: Readonly<Record<string, unknown>>): void {
  const { format, seal, registered } = wire;
  for (const [name, first] of [["inputs", 2], ["registered", WITH_TESTS]] as const) {
    if (Number(format) >= first) continue;
    if (wire[name] !== undefined) {
      throw new ContractViolation(`$.${name}`, `no such list in format ${format}`, wire[name]);
    }
    if (typeof seal === "object" && seal !== null && name in seal) {
      throw new ContractViolation(`$.seal.${name}`, `no such seal in format ${format}`, "one");
    }
  }
  if (format !== WITH_TESTS || !Array.isArray(registered) || registered.length > 0) return;
  const required = `lines, for which format ${format} is written`;
  throw new ContractViolation("$.registered", required, registered);
}

function hasTests({ registered }: StudyLock): boolean {
  return registered.length > 0;
}

// The format is sealed with the head, so that the whole list of registered tests cannot be removed.
function partsOf(lock: StudyLock, isLatest = hasTests(lock)): SealedParts {
  const fields = Object.entries(write(LOCK_HEAD, lock))
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const head = isLatest ? [`"format": ${WITH_TESTS}`, ...fields] : fields;
  const names = FACT_LISTS.filter((name) => isLatest || name !== "registered");
  return { head, ...Object.fromEntries(names.map((name) => [name, lock[name].map(factLine)])) };
}

function listOf(name: string, items: readonly string[]): string {
  const lines = items.map((item) => ` ${item}`).sort();
  return lines.length === 0 ? `"${name}": []` : `"${name}": [\n${lines.join(",\n")}\n]`;
}

function objectLines(name: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([key, value]) => ` "${key}": ${JSON.stringify(value)}`);
  return `"${name}": {\n${lines.join(",\n")}\n}`;
}

// Two lines for one fact contradict each other.
function assertDistinct(lock: StudyLock): void {
  for (const name of FACT_LISTS) {
    const seen = new Set<string>();
    for (const [i, fact] of lock[name].entries()) {
      const key = factKey(fact);
      if (seen.has(key)) {
        throw new ContractViolation(`$.${name}[${i}]`, "one line for each fact", key);
      }
      seen.add(key);
    }
  }
}
