import { dirname } from "node:path";

/** A source or test file with the local files that it imports, as paths from the root of the repository. */
export interface ImportingFile {
  readonly path: string;
  readonly imports: readonly string[];
}

// A test that loads the whole library imports every file; with two steps the option of a chart has nine tests at most.
const MAX_STEPS = 2;

/**
 * The tests near a change: changed tests, tests of the changed file's own name, and tests that import it directly or
 * through one other file; without any, the tests of its folder. A public face (`mod.ts`) is not passed through.
 *
 * @param changed Paths of changed files, from the root of the repository
 * @param files Every source and test file
 */
export function nearTests(
  changed: readonly string[],
  files: readonly ImportingFile[],
): readonly string[] {
  const importers = importersOf(files);
  const near = new Set<string>();
  const tests = files.map(({ path }) => path).filter((path) => path.endsWith(".test.ts"));
  for (const path of changed) {
    const reached = reachedFrom(path, importers);
    const named = path.replace(/^src\/(.*)\.ts$/, "test/$1.test.ts");
    const own = tests.filter((test) => test === named || reached.has(test));
    const beside = tests.filter((test) => dirname(test) === dirname(named));
    for (const test of own.length > 0 || isFace(path) ? own : beside) near.add(test);
  }
  return [...near].toSorted();
}

function importersOf(files: readonly ImportingFile[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const target of imports) importers.set(target, [...importers.get(target) ?? [], path]);
  }
  return importers;
}

function reachedFrom(
  start: string,
  importers: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const reached = new Set([start]);
  let edge = isFace(start) ? [] : [start];
  for (let step = 0; step < MAX_STEPS; step++) {
    edge = edge.flatMap((path) => importers.get(path) ?? []).filter((path) => !isFace(path));
    for (const path of edge) reached.add(path);
  }
  return reached;
}

function isFace(path: string): boolean {
  return path === "mod.ts" || path.endsWith("/mod.ts");
}
