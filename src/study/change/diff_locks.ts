import type { StudyLock } from "../lock/lock.ts";
import { factLine, headOf } from "../lock/lock_text.ts";

/** One fact in which two locks differ. */
export interface LockChange {
  /** The list of the lock. */
  readonly list: "head" | "sets" | "views" | "absences" | "releases" | "environment";
  /** The line before; `null` if it is new. */
  readonly before: string | null;
  /** The line after; `null` if it is gone. */
  readonly after: string | null;
}

type Lines = ReadonlyMap<string, string>;

/** The facts in which two locks differ, list by list; a fact that changed stands as one change. */
export function diffLocks(before: StudyLock, after: StudyLock): readonly LockChange[] {
  const lists = {
    head: headLines,
    sets: ({ sets }: StudyLock) =>
      toLines(sets, ({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: ({ views }: StudyLock) => toLines(views, ({ factor, at }) => `${factor} ${at}`),
    absences: ({ absences }: StudyLock) => toLines(absences, ({ factor, at }) => `${factor} ${at}`),
    releases: ({ releases }: StudyLock) =>
      toLines(releases, ({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`),
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

function toLines<Fact extends Parameters<typeof factLine>[0]>(
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
