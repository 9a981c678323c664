import { parseInstant } from "../../base/contract/instant.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import type {
  LockedAbsence,
  LockedCheck,
  LockedInput,
  LockedReceipt,
  LockedRelease,
  LockedSet,
  LockedView,
} from "./lock.ts";
import { countOf, factorOf, flagOf, hashOf, textOf, uuidOf, type Wire } from "./wire_fields.ts";

const LONGEST_PATH = 400;

/** Reads one line of each list of a lock. */
export const parseFact = {
  sets: parseSet,
  views: parseView,
  absences: parseAbsence,
  releases: parseRelease,
  inputs: parseInput,
} as const;

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
    receipt: parseReceipt(wire, "check", path),
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
    receipt: parseReceipt(wire, "metadata", path),
  };
}

// Lines of format 1 have neither.
function parseReceipt(wire: Wire, name: string, path: string): LockedReceipt | null {
  if (wire[name] === undefined && wire.retrieved_at === undefined) return null;
  return {
    said: hashOf(wire[name], `${path}.${name}`),
    retrievedAt: parseInstant(wire.retrieved_at, `${path}.retrieved_at`),
  };
}

function parseInput(wire: Wire, path: string): LockedInput {
  return {
    path: inputPathOf(wire.path, `${path}.path`),
    sha256: hashOf(wire.sha256, `${path}.sha256`),
    sizeBytes: countOf(wire.size_bytes, `${path}.size_bytes`),
  };
}

// The lock may come from somebody else.
function inputPathOf(value: unknown, path: string): string {
  const text = textOf(value, path);
  const parts = text.split("/");
  const leaves = parts.some((part) => part === "" || part === "." || part === "..");
  // deno-lint-ignore no-control-regex
  const isOdd = text.length > LONGEST_PATH || /[\\:\u0000-\u001f]/.test(text);
  if (!leaves && !isOdd && parts[0] !== "store") return text;
  throw new ContractViolation(path, "a path in the folder of the study", value);
}
