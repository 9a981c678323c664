import { describe, expect, test } from "vitest";
import { dirname, join, relative } from "node:path";
import { type Import, parseSourceFile, ROOT, sourceFiles } from "./helpers/source_files.ts";

// Which layer may import which; "types" allows `import type` only.
const ALLOWED: Readonly<Record<string, Readonly<Record<string, "all" | "types">>>> = {
  contract: {},
  errors: { contract: "types" },
  calendar: { contract: "types" },
  arguments: { contract: "all", errors: "all" },
  gzip: { errors: "all" },
  store: { contract: "all", errors: "all" },
  transport: { contract: "all", errors: "all", arguments: "all", store: "all" },
  frame: { contract: "all", errors: "all", arguments: "all" },
  vintage: { contract: "all", errors: "all", arguments: "all", frame: "all" },
  notebook: { contract: "all", errors: "all", arguments: "all" },
  client: {
    contract: "all",
    calendar: "all",
    gzip: "all",
    errors: "all",
    arguments: "all",
    store: "all",
    transport: "all",
    frame: "all",
    vintage: "all",
    notebook: "all",
  },
  server: { contract: "all", calendar: "all", arguments: "all", store: "all" },
  world: { contract: "all", calendar: "all", arguments: "all", store: "all" },
  study: {
    contract: "all",
    calendar: "all",
    gzip: "all",
    errors: "all",
    arguments: "all",
    store: "all",
    transport: "all",
    frame: "all",
    vintage: "all",
    notebook: "all",
    client: "all",
  },
  analysis: {
    contract: "all",
    calendar: "all",
    errors: "all",
    arguments: "all",
    frame: "all",
    vintage: "all",
    notebook: "all",
  },
  chart: {
    errors: "all",
    arguments: "all",
    frame: "all",
    vintage: "all",
    analysis: "types",
    notebook: "all",
  },
};
const MAY_IMPORT_ALL = ["demo", "cli", "mod"];

// Where a heavy package may be named as a value; type imports cost nothing at run time. The demo of the command line
// asks its question of a frame as any program of a user does.
const HEAVY: Readonly<Record<string, readonly string[]>> = {
  "nodejs-polars": ["frame", "vintage", "analysis", "chart", "store", "cli"],
  undici: ["transport"],
};
const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 40;

const files = await sourceFiles();

describe("src", () => {
  test("imports only along the arrows of the import table", () => {
    const wrong = files.flatMap((file) =>
      file.imports.flatMap((entry) => violation(file.path, layerOf(file.path), entry))
    );
    expect(wrong).toEqual([]);
  });

  test("has no import cycle, not even of types", () => {
    expect(findCycle(new Map(files.map((file) => [file.path, file.imports.flatMap(localTarget)]))))
      .toBeNull();
  });

  test("keeps files that begin with an underscore in their own folder", () => {
    const wrong = files.flatMap((file) =>
      file.imports.flatMap(localTarget)
        .filter((target) => /(^|\/)_[^/]*$/.test(target) && dirname(target) !== dirname(file.path))
        .map((target) => `${file.path} imports ${target}`)
    );
    expect(wrong).toEqual([]);
  });

  test("names Polars and undici as values only where they belong", () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((entry) => !entry.typeOnly)
        .filter((entry) => {
          const folders = HEAVY[packageOf(entry.specifier)];
          return folders !== undefined && !folders.includes(layerOf(file.path));
        })
        .map((entry) => `${file.path} imports ${entry.specifier}`)
    );
    expect(wrong).toEqual([]);
  });

  test("loads the server without Polars, undici, or any layer of the client", () => {
    const reached = reachable("src/server/mod.ts");
    expect(reached.size).toBeGreaterThan(0);
    const heavy = [...reached].flatMap((path) => fileAt(path).imports)
      .filter((entry) => !entry.typeOnly && !entry.dynamic && packageOf(entry.specifier) in HEAVY);
    expect(heavy).toEqual([]);
    const layers = new Set([...reached].map(layerOf));
    for (const layer of ["client", "transport", "frame"]) expect(layers).not.toContain(layer);
  });

  test("has barrels only at the root, in ./analysis, ./server and ./world", () => {
    const barrels = files.filter((file) => file.path.endsWith("mod.ts")).map((file) => file.path);
    expect(barrels.toSorted()).toEqual([
      "mod.ts",
      "src/analysis/mod.ts",
      "src/server/mod.ts",
      "src/world/mod.ts",
    ]);
  });

  test("has no default export, export *, enum, any, private keyword or console", () => {
    const wrong = files.flatMap((file) => file.forbidden.map((what) => `${file.path}: ${what}`));
    expect(wrong).toEqual([]);
  });

  test(`has no file of more than ${MAX_LINES} lines of code`, () => {
    const long = files.map((file) => [file.path, codeLines(file.text)] as const)
      .filter(([, lines]) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  test(`has no function of more than ${MAX_FUNCTION_LINES} lines`, () => {
    const long = files.flatMap((file) =>
      file.functions.filter((entry) => entry.lines > MAX_FUNCTION_LINES)
        .map((entry) => `${file.path}: ${entry.name} has ${entry.lines} lines`)
    );
    expect(long).toEqual([]);
  });

  test("says in words of its own what is open: no TODO, no FIXME", () => {
    const open = files.filter((file) => /\b(TODO|FIXME|XXX|HACK)\b/.test(file.text));
    expect(open.map((file) => file.path)).toEqual([]);
  });
});

function violation(from: string, layer: string, entry: Import): string[] {
  if (MAY_IMPORT_ALL.includes(layer)) return [];
  const [target] = localTarget(entry);
  if (target === undefined) return [];
  const to = layerOf(target);
  if (to === layer) return [];
  const allowed = ALLOWED[layer]?.[to];
  const right = allowed === "all" || (allowed === "types" && entry.typeOnly);
  return right ? [] : [`${from} imports ${target}`];
}

// Documentation is no reason to split a file: blank lines and comments do not count.
function codeLines(text: string): number {
  return text.split("\n").filter((line) => !/^\s*($|\/\/|\*|\/\*)/.test(line)).length;
}

/** `contract` for `src/contract/x.ts`, `errors` for `src/errors.ts`, `mod` for the root. */
function layerOf(path: string): string {
  const parts = path.replace(/\.ts$/, "").split("/");
  return parts[0] === "src" ? parts[1]! : parts[0]!;
}

function localTarget(entry: Import): string[] {
  return entry.target === null ? [] : [relative(ROOT, entry.target)];
}

/** `nodejs-polars` for `nodejs-polars/bin/dataframe.js` and for `npm:nodejs-polars@1`. */
function packageOf(specifier: string): string {
  const [scopeOrName = "", name = ""] = specifier.replace(/^npm:/, "").split("/");
  return scopeOrName.startsWith("@")
    ? `${scopeOrName}/${name}`.replace(/(.)@.*$/, "$1")
    : scopeOrName.replace(/@.*$/, "");
}

function fileAt(path: string) {
  const file = files.find((entry) => entry.path === path);
  if (file === undefined) {
    throw new Error(`Cannot find "${path}": it is imported, and not a source file`);
  }
  return file;
}

/** Everything that is loaded with a file: imports of values that are not dynamic. */
function reachable(start: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const values = fileAt(path).imports.filter((entry) => !entry.typeOnly && !entry.dynamic);
    open.push(...values.flatMap(localTarget));
  }
  return seen;
}

function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== null) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

describe("the rules of this test", () => {
  test("find a forbidden arrow, a cycle and a package with a path", () => {
    const target = join(ROOT, "src/client/x.ts");
    const entry = { specifier: "../client/x.ts", target, typeOnly: true, dynamic: false };
    expect(violation("src/server/y.ts", "server", entry)).toEqual([
      "src/server/y.ts imports src/client/x.ts",
    ]);
    expect(findCycle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]]))).toEqual(["b", "c", "b"]);
    expect(packageOf("npm:nodejs-polars@0.25.2/bin/x.js")).toBe("nodejs-polars");
    expect(packageOf("@scope/name/x")).toBe("@scope/name");
  });

  test("read imports, functions and forbidden constructs from the syntax tree", () => {
    const file = parseSourceFile(
      "src/a/x.ts",
      [
        'import { type B, c } from "./b.ts"; // import "./not.ts"',
        'import { type D } from "../d.ts";',
        'type E = import("../e.ts").E;',
        'export const f = async () => await import("npm:g");',
        "enum H {}",
        "export class I { private j: any = console.log; }",
        "export default function k() {\n  return 1;\n}",
        'export * from "../l.ts";',
      ].join("\n"),
    );
    expect(file.imports.map((entry) => [entry.specifier, entry.typeOnly, entry.dynamic])).toEqual([
      ["./b.ts", false, false],
      ["../d.ts", true, false],
      ["../e.ts", true, false],
      ["npm:g", false, true],
      ["../l.ts", false, false],
    ]);
    expect(file.imports[1]?.target).toBe(join(ROOT, "src/d.ts"));
    expect(file.functions).toEqual([{ name: "f", lines: 1 }, { name: "k", lines: 3 }]);
    expect(file.forbidden.toSorted()).toEqual([
      "any",
      "console",
      "enum",
      "export *",
      "export default",
      "private",
    ]);
  });
});
