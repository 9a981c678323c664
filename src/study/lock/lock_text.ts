import { parseInstant } from "../../base/contract/instant.ts";
import { parseJson } from "../../base/contract/json_text.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { factLine } from "./fact_line.ts";
import type { LockedEnvironment, StudyLock } from "./lock.ts";
import { type BrokenSeal, brokenSeals, type SealedParts, sealsOf } from "./lock_seals.ts";
import { parseEntry } from "./parse_entry.ts";
import { parseFact } from "./parse_fact.ts";
import { flagOf, objectOf, textOf, type Wire } from "./wire_fields.ts";

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
  const wire = objectOf(parseJson(text.replace(/^\uFEFF/, "")), "$");
  if (!FORMATS.includes(wire.format)) {
    throw new ContractViolation("$.format", "1, 2 or 3", wire.format);
  }
  const lock: StudyLock = {
    asOf: parseInstant(wire.as_of, "$.as_of"),
    service: textOf(wire.service, "$.service"),
    world: (wire.world ?? null) === null ? null : objectOf(wire.world, "$.world"),
    synthetic: wire.synthetic === null ? null : flagOf(wire.synthetic, "$.synthetic"),
    sets: itemsOf(wire, "sets", parseFact.sets),
    views: itemsOf(wire, "views", parseFact.views),
    absences: itemsOf(wire, "absences", parseFact.absences),
    releases: itemsOf(wire, "releases", parseFact.releases),
    inputs: wire.format === 1 ? [] : itemsOf(wire, "inputs", parseFact.inputs),
    registered: wire.format === WITH_TESTS ? itemsOf(wire, "registered", parseEntry) : [],
    ignore: itemsOf(wire, "ignore", parsePattern),
    environment: parseEnvironment(wire.environment),
  };
  assertDistinct(lock);
  const { inputs, ...first } = partsOf(lock, wire.format === WITH_TESTS);
  // Format 1 had no list of inputs.
  const sealed: SealedParts = wire.format === 1 ? first : { ...first, inputs: inputs! };
  const broken = brokenSeals(sealed, wire.seal);
  // Git may have converted the line endings.
  const isNormal = text.replaceAll("\r\n", "\n") === encodeLock(lock);
  return { lock, text, broken, isNormal, format: wire.format as number };
}

/** Fields of a lock before its lists. */
export function headOf({ asOf, service, world, synthetic }: StudyLock): Wire {
  return { as_of: asOf, service, world, synthetic };
}

function hasTests({ registered }: StudyLock): boolean {
  return registered.length > 0;
}

// The format is sealed with the head, so that the whole list of registered tests cannot be removed.
function partsOf(lock: StudyLock, isLatest = hasTests(lock)): SealedParts {
  const fields = Object.entries(headOf(lock))
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const head = isLatest ? [`"format": ${WITH_TESTS}`, ...fields] : fields;
  const { sets, views, absences, releases, inputs, registered } = lock;
  const tests = isLatest ? { registered } : {};
  const lists = Object.entries({ sets, views, absences, releases, inputs, ...tests });
  return { head, ...Object.fromEntries(lists.map(([name, facts]) => [name, facts.map(factLine)])) };
}

function listOf(name: string, items: readonly string[]): string {
  const lines = items.map((item) => ` ${item}`).sort();
  return lines.length === 0 ? `"${name}": []` : `"${name}": [\n${lines.join(",\n")}\n]`;
}

function objectLines(name: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([key, value]) => ` "${key}": ${JSON.stringify(value)}`);
  return `"${name}": {\n${lines.join(",\n")}\n}`;
}

function parsePattern(value: unknown, path: string): string {
  const pattern = textOf(value, path);
  try {
    new RegExp(pattern);
    return pattern;
  } catch {
    throw new ContractViolation(path, "a regular expression", value);
  }
}

function parseEnvironment(value: unknown): LockedEnvironment {
  const wire = objectOf(value, "$.environment");
  const text = (name: string) => textOf(wire[name], `$.environment.${name}`);
  return { scoreframe: text("scoreframe"), runtime: text("runtime"), polars: text("polars") };
}

function itemsOf<Item>(
  wire: Wire,
  name: string,
  parse: (item: never, path: string) => Item,
): readonly Item[] {
  const items = wire[name];
  if (!Array.isArray(items)) throw new ContractViolation(`$.${name}`, "a list", items);
  const seen = new Set<string>();
  return items.map((item, i) => {
    const path = `$.${name}[${i}]`;
    if (typeof item !== "string") objectOf(item, path);
    const text = JSON.stringify(item);
    if (seen.has(text)) throw new ContractViolation(path, "a line that does not repeat", text);
    seen.add(text);
    return parse(item as never, path);
  });
}

// Two lines for one fact contradict each other.
function assertDistinct({ sets, views, absences, releases, inputs, registered }: StudyLock): void {
  const keys = {
    sets: sets.map(({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: views.map(({ factor, at }) => `${factor} ${at}`),
    absences: absences.map(({ factor, at }) => `${factor} ${at}`),
    releases: releases.map(({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`),
    inputs: inputs.map(({ path }) => path),
    registered: registered.map(({ sha256 }) => sha256),
  };
  for (const [name, own] of Object.entries(keys)) {
    if (new Set(own).size === own.length) continue;
    const i = own.findIndex((key, place) => own.indexOf(key) !== place);
    throw new ContractViolation(`$.${name}[${i}]`, "one line for each fact", own[i]);
  }
}
