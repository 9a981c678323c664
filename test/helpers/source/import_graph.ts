import { relative } from "node:path";
import { type Import, ROOT, type SourceFile } from "../source_files.ts";

/** Which imports a walk follows. */
export type Follow = (entry: Import) => boolean;

/** What is loaded together with a file: values that are imported at once. */
export const LOADED_AT_ONCE: Follow = (entry) => !entry.typeOnly && !entry.dynamic;

/** The source files by path, and who imports whom. */
export class ImportGraph {
  readonly #files: ReadonlyMap<string, Pick<SourceFile, "path" | "imports">>;

  /** @param files Every source file */
  constructor(files: readonly Pick<SourceFile, "path" | "imports">[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  /** The imports of a file. */
  importsOf(path: string): readonly Import[] {
    // A data file imports nothing.
    if (path.endsWith(".json")) return [];
    const file = this.#files.get(path);
    if (file === undefined) {
      throw new Error(`Cannot find "${path}": it is imported, and not a source file`);
    }
    return file.imports;
  }

  /** Everything that is reached from a file, itself included. */
  reachable(start: string, follow: Follow): ReadonlySet<string> {
    return new Set(this.#before(start, follow).keys());
  }

  /** The shortest chain of imports from one of the files to another; `null` if there is none. */
  chain(starts: readonly string[], end: string, follow: Follow): readonly string[] | null {
    const chains = starts.flatMap((start) => {
      const before = this.#before(start, follow);
      return before.has(end) ? [walkBack(before, end)] : [];
    });
    return chains.toSorted((a, b) => a.length - b.length)[0] ?? null;
  }

  /** A cycle of imports, types included; `null` if there is none. */
  cycle(): readonly string[] | null {
    const done = new Set<string>();
    const visit = (node: string, path: readonly string[]): readonly string[] | null => {
      if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
      if (done.has(node)) return null;
      for (const next of this.importsOf(node).flatMap(localTarget)) {
        const cycle = visit(next, [...path, node]);
        if (cycle !== null) return cycle;
      }
      done.add(node);
      return null;
    };
    for (const node of this.#files.keys()) {
      const cycle = visit(node, []);
      if (cycle !== null) return cycle;
    }
    return null;
  }

  // Breadth first: each file with the one that it was first reached from.
  #before(start: string, follow: Follow): ReadonlyMap<string, string | null> {
    const before = new Map<string, string | null>([[start, null]]);
    for (const path of before.keys()) {
      for (const target of this.importsOf(path).filter(follow).flatMap(localTarget)) {
        if (!before.has(target)) before.set(target, path);
      }
    }
    return before;
  }
}

/** The source file that an import names, from the root of the repository; none for a package. */
export function localTarget(entry: Import): string[] {
  return entry.target === null ? [] : [relative(ROOT, entry.target)];
}

function walkBack(before: ReadonlyMap<string, string | null>, end: string): readonly string[] {
  const chain: string[] = [];
  for (let at: string | null = end; at !== null; at = before.get(at) ?? null) chain.unshift(at);
  return chain;
}
