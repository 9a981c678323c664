import type { LockedFact, StudyLock } from "../lock/lock.ts";
import { factLine } from "../lock/fact_line.ts";
import { headOf } from "../lock/lock_text.ts";

/** A difference between two locks in one fact. */
export interface LockChange {
  /** The list of the lock. */
  readonly list:
    | "head"
    | "sets"
    | "views"
    | "absences"
    | "releases"
    | "inputs"
    | "registered"
    | "ignore"
    | "environment";
  /** The line before; `null` if it is new. */
  readonly before: string | null;
  /** The line after; `null` if it was removed. */
  readonly after: string | null;
}

type Lines = ReadonlyMap<string, string>;

/** Differences between two locks, list by list; a changed fact is one difference. */
export function diffLocks(before: StudyLock, after: StudyLock): readonly LockChange[] {
  const lists = {
    head: headLines,
    sets: ({ sets }: StudyLock) =>
      toLines(sets, ({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: ({ views }: StudyLock) => toLines(views, ({ factor, at }) => `${factor} ${at}`),
    absences: ({ absences }: StudyLock) => toLines(absences, ({ factor, at }) => `${factor} ${at}`),
    releases: ({ releases }: StudyLock) =>
      toLines(releases, ({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`),
    inputs: ({ inputs }: StudyLock) => toLines(inputs, ({ path }) => path),
    registered: ({ registered }: StudyLock) => toLines(registered, ({ sha256 }) => sha256),
    ignore: ({ ignore }: StudyLock) =>
      new Map(ignore.map((pattern) => [pattern, JSON.stringify(pattern)])),
    environment: ({ environment }: StudyLock) =>
      new Map(Object.entries(environment).map(([name, value]) => [name, `${name} ${value}`])),
  } as const;
  return Object.entries(lists).flatMap(([list, linesOf]) =>
    diffLines(linesOf(before), linesOf(after))
      .map((change) => ({ list: list as LockChange["list"], ...change }))
  );
}

function headLines(lock: StudyLock): Lines {
  const text = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value);
  return new Map(
    Object.entries(headOf(lock)).map(([name, value]) => [name, `${name} ${text(value)}`]),
  );
}

function toLines<Fact extends LockedFact>(
  facts: readonly Fact[],
  keyOf: (fact: Fact) => string,
): Lines {
  return new Map(facts.map((fact) => [keyOf(fact), factLine(fact)]));
}

function diffLines(before: Lines, after: Lines): readonly Omit<LockChange, "list">[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const change = { before: before.get(key) ?? null, after: after.get(key) ?? null };
    return change.before === change.after ? [] : [change];
  });
}
