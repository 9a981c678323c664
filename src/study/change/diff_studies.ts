import { write } from "../../base/contract/schema.ts";
import { FACT_LISTS, factKey, factLine, LOCK_HEAD, type StudyLock } from "../lock/lock.ts";
import { firstLine, type NotebookFile } from "../run/notebook_file.ts";

/** A difference between two locks in one fact. */
export interface LockChange {
  /** The list of the lock; `tags` for a tag of a cell, with its notebook. */
  readonly list: "head" | typeof FACT_LISTS[number] | "ignore" | "environment" | "tags";
  /** The line before; `null` if it is new. */
  readonly before: string | null;
  /** The line after; `null` if it was removed. */
  readonly after: string | null;
}

type Lines = ReadonlyMap<string, string>;

/** Differences between two locks, list by list; a changed fact is one difference. */
export function diffLocks(before: StudyLock, after: StudyLock): readonly LockChange[] {
  const now = linesOf(after);
  return linesOf(before).flatMap(([list, lines], i) => diffLines(list, lines, now[i]![1]));
}

function linesOf(lock: StudyLock): readonly (readonly [LockChange["list"], Lines])[] {
  return [
    ["head", fieldLines(write(LOCK_HEAD, lock))],
    ...FACT_LISTS.map((name) =>
      [name, new Map(lock[name].map((fact) => [factKey(fact), factLine(fact)]))] as const
    ),
    ["ignore", new Map(lock.ignore.map((pattern) => [pattern, JSON.stringify(pattern)]))],
    ["environment", fieldLines(lock.environment)],
  ];
}

function fieldLines(fields: object): Lines {
  const text = (value: unknown) => typeof value === "string" ? value : JSON.stringify(value);
  return new Map(Object.entries(fields).map(([name, value]) => [name, `${name} ${text(value)}`]));
}

function diffLines(list: LockChange["list"], before: Lines, after: Lines) {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const change = { list, before: before.get(key) ?? null, after: after.get(key) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

// The tags that affect a comparison.
const TAGS: ReadonlySet<string> = new Set(["volatile", "parameters"]);

/** Differences between the notebooks of two studies in the tags of their cells, by path. */
export function diffTags(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly LockChange[] {
  return diffLines("tags", tagsOf(before), tagsOf(after));
}

function tagsOf(notebooks: ReadonlyMap<string, string>): Lines {
  const lines = [...notebooks].flatMap(([path, text]) =>
    cellsOf(text).flatMap(({ source, metadata }, i) =>
      (metadata?.tags ?? []).filter((tag) => TAGS.has(tag))
        .map((tag) => `${path}, cell ${i + 1} (${firstLine(source)}): ${tag}`)
    )
  );
  return new Map(lines.map((line) => [line, line]));
}

function cellsOf(text: string): NotebookFile["cells"] {
  try {
    const { cells }: Partial<NotebookFile> = JSON.parse(text);
    return Array.isArray(cells) ? cells : [];
  } catch {
    // A file that is not a notebook has no tags.
    return [];
  }
}
