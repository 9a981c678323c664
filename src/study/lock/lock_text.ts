import { type Factor, parseFactor } from "../../contract/factor.ts";
import { parseInstant } from "../../contract/instant.ts";
import { isSha256, isUuid } from "../../contract/identifier.ts";
import { parseJson } from "../../contract/json_text.ts";
import { ContractViolation } from "../../contract/violation.ts";
import type {
  LockedAbsence,
  LockedCheck,
  LockedEnvironment,
  LockedRelease,
  LockedSet,
  LockedView,
  StudyLock,
} from "./lock.ts";
import { type BrokenSeal, brokenSeals, type SealedParts, sealsOf } from "./lock_seals.ts";

type Wire = Readonly<Record<string, unknown>>;

/** A lock that was read, and what its text says beside its facts. */
export interface ReadLock {
  /** The lock. */
  readonly lock: StudyLock;
  /** The text that it was read from. */
  readonly text: string;
  /**
   * The parts that are not as they were written. Of the head and of a line that is gone, nothing else in a study proves
   * that.
   */
  readonly broken: readonly BrokenSeal[];
  /** Whether the text is in its normal form; other line ends do not count. */
  readonly isNormal: boolean;
}

/**
 * The text of a lock: sorted, one fact a line, so that a difference between two locks is a list of facts.
 *
 * The same facts give the same text. No fact is a key, an account or a path of a machine.
 */
export function encodeLock(lock: StudyLock): string {
  const { head, ...lists } = partsOf(lock);
  const lines = [
    '"format": 1',
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
 * @throws {ContractViolation} If a line is malformed, or a fact stands in it twice
 */
export function parseLock(text: string): ReadLock {
  // An editor may have put a mark of the byte order before it.
  const wire = objectOf(parseJson(text.replace(/^\uFEFF/, "")), "$");
  if (wire.format !== 1) throw new ContractViolation("$.format", "1", wire.format);
  const lock: StudyLock = {
    asOf: parseInstant(wire.as_of, "$.as_of"),
    service: textOf(wire.service, "$.service"),
    world: (wire.world ?? null) === null ? null : objectOf(wire.world, "$.world"),
    synthetic: wire.synthetic === null ? null : flagOf(wire.synthetic, "$.synthetic"),
    sets: itemsOf(wire, "sets", parseSet),
    views: itemsOf(wire, "views", parseView),
    absences: itemsOf(wire, "absences", parseAbsence),
    releases: itemsOf(wire, "releases", parseRelease),
    ignore: itemsOf(wire, "ignore", parsePattern),
    environment: parseEnvironment(wire.environment),
  };
  assertDistinct(lock);
  const broken = brokenSeals(partsOf(lock), wire.seal);
  // Git may have given the file the line ends of another system.
  const isNormal = text.replaceAll("\r\n", "\n") === encodeLock(lock);
  return { lock, text, broken, isNormal };
}

/** One fact as the line that it has in a lock. */
export function factLine(fact: LockedSet | LockedView | LockedRelease | LockedAbsence): string {
  if ("calculatedAt" in fact) return JSON.stringify(encodeSet(fact));
  if ("downloadSha256" in fact) return JSON.stringify(encodeRelease(fact));
  return JSON.stringify("snapshotId" in fact ? encodeView(fact) : encodeAbsence(fact));
}

/** What a lock says before its lists: name and value. */
export function headOf({ asOf, service, world, synthetic }: StudyLock): Wire {
  return { as_of: asOf, service, world, synthetic };
}

function partsOf(lock: StudyLock): SealedParts {
  const head = Object.entries(headOf(lock))
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  const { sets, views, absences, releases } = lock;
  const lists = Object.entries({ sets, views, absences, releases });
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

function encodeSet(set: LockedSet): Wire {
  return {
    factor: set.factor,
    calculated_at: set.calculatedAt,
    snapshot_id: set.snapshotId,
    factor_version: set.factorVersion,
    universe: set.universe,
    tickers: set.tickers,
    scored: set.scored,
    numbers: set.numbers,
  };
}

function encodeView({ factor, at, snapshotId, check }: LockedView): Wire {
  const wire = { factor, at, snapshot_id: snapshotId };
  if (check === null) return wire;
  const { lastCheckedAt, dataThrough, status } = check;
  return { ...wire, last_checked_at: lastCheckedAt, data_through: dataThrough, status };
}

function encodeAbsence({ factor, at }: LockedAbsence): Wire {
  return { factor, at };
}

function encodeRelease(release: LockedRelease): Wire {
  return {
    factor: release.factor,
    download_sha256: release.downloadSha256,
    default: release.isDefault,
    rows: release.rows,
    scored: release.scored,
    sessions: release.sessions,
    first_session: release.firstSession,
    last_session: release.lastSession,
    factor_version: release.factorVersion,
    universe: release.universe,
    availability: release.availability,
    numbers: release.numbers,
  };
}

function parseSet(wire: Wire, path: string): LockedSet {
  return {
    factor: factorOf(wire, path),
    snapshotId: uuidOf(wire.snapshot_id, `${path}.snapshot_id`),
    factorVersion: textOf(wire.factor_version, `${path}.factor_version`),
    universe: textOf(wire.universe, `${path}.universe`),
    calculatedAt: parseInstant(wire.calculated_at, `${path}.calculated_at`),
    tickers: countOf(wire.tickers, `${path}.tickers`),
    scored: countOf(wire.scored, `${path}.scored`),
    numbers: hashOf(wire.numbers, `${path}.numbers`),
  };
}

function parseView(wire: Wire, path: string): LockedView {
  return {
    factor: factorOf(wire, path),
    at: parseInstant(wire.at, `${path}.at`),
    snapshotId: uuidOf(wire.snapshot_id, `${path}.snapshot_id`),
    check: wire.last_checked_at === undefined ? null : parseLockedCheck(wire, path),
  };
}

function parseLockedCheck(wire: Wire, path: string): LockedCheck {
  return {
    lastCheckedAt: parseInstant(wire.last_checked_at, `${path}.last_checked_at`),
    dataThrough: parseInstant(wire.data_through, `${path}.data_through`),
    status: textOf(wire.status, `${path}.status`),
  };
}

function parseAbsence(wire: Wire, path: string): LockedAbsence {
  return { factor: factorOf(wire, path), at: parseInstant(wire.at, `${path}.at`) };
}

function parseRelease(wire: Wire, path: string): LockedRelease {
  const label = (name: string) =>
    wire[name] === null ? null : textOf(wire[name], `${path}.${name}`);
  return {
    factor: factorOf(wire, path),
    downloadSha256: hashOf(wire.download_sha256, `${path}.download_sha256`),
    isDefault: flagOf(wire.default, `${path}.default`),
    rows: countOf(wire.rows, `${path}.rows`),
    scored: countOf(wire.scored, `${path}.scored`),
    sessions: countOf(wire.sessions, `${path}.sessions`),
    firstSession: label("first_session"),
    lastSession: label("last_session"),
    factorVersion: label("factor_version"),
    universe: label("universe"),
    availability: label("availability"),
    numbers: hashOf(wire.numbers, `${path}.numbers`),
  };
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

function objectOf(value: unknown, path: string): Wire {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Wire;
  throw new ContractViolation(path, "an object", value);
}

// Two lines of one fact say two things of it.
function assertDistinct({ sets, views, absences, releases }: StudyLock): void {
  const keys = {
    sets: sets.map(({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: views.map(({ factor, at }) => `${factor} ${at}`),
    absences: absences.map(({ factor, at }) => `${factor} ${at}`),
    releases: releases.map(({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`),
  };
  for (const [name, own] of Object.entries(keys)) {
    if (new Set(own).size === own.length) continue;
    const i = own.findIndex((key, place) => own.indexOf(key) !== place);
    throw new ContractViolation(`$.${name}[${i}]`, "one line for each fact", own[i]);
  }
}

function textOf(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new ContractViolation(path, "text that is not empty", value);
}

function flagOf(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw new ContractViolation(path, "true or false", value);
}

function countOf(value: unknown, path: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new ContractViolation(path, "a whole number of at least 0", value);
}

function hashOf(value: unknown, path: string): string {
  if (isSha256(value)) return value;
  throw new ContractViolation(path, "64 hexadecimal digits", value);
}

function uuidOf(value: unknown, path: string): string {
  if (isUuid(value)) return value;
  throw new ContractViolation(path, "a UUID", value);
}

function factorOf(wire: Wire, path: string): Factor {
  return parseFactor(wire.factor, `${path}.factor`);
}
