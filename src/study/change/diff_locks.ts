import { FACT_LISTS, factKey, factLine, LOCK_HEAD, type StudyLock } from "../lock/lock.ts";

/** A difference between two locks in one fact. */
export interface LockChange {
  /** The list of the lock. */
  readonly list:
    | "head"
    | typeof FACT_LISTS[number]
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
  const [known, now] = [linesOf(before), linesOf(after)];
  return [...known.keys()].flatMap((list) =>
    diffLines(known.get(list)!, now.get(list)!).map((change) => ({ list, ...change }))
  );
}

function linesOf(lock: StudyLock): ReadonlyMap<LockChange["list"], Lines> {
  return new Map<LockChange["list"], Lines>([
    ["head", fieldLines(LOCK_HEAD.write(lock))],
    ...FACT_LISTS.map((name) =>
      [name, new Map(lock[name].map((fact) => [factKey(fact), factLine(fact)]))] as const
    ),
    ["ignore", new Map(lock.ignore.map((pattern) => [pattern, JSON.stringify(pattern)]))],
    ["environment", fieldLines(lock.environment)],
  ]);
}

function fieldLines(fields: object): Lines {
  const text = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value);
  return new Map(Object.entries(fields).map(([name, value]) => [name, `${name} ${text(value)}`]));
}

function diffLines(before: Lines, after: Lines): readonly Omit<LockChange, "list">[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const change = { before: before.get(key) ?? null, after: after.get(key) ?? null };
    return change.before === change.after ? [] : [change];
  });
}
