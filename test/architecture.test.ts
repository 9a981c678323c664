import { describe, expect, test } from "vitest";
import { dirname, join } from "node:path";
import { ImportGraph, LOADED_AT_ONCE, localTarget } from "./helpers/source/import_graph.ts";
import {
  forbiddenArrow,
  layerOf,
  LAYERS,
  MAY_IMPORT_ALL,
  READ_MORE,
} from "./helpers/source/layers.ts";
import { parseSourceFile, ROOT, type SourceFile, sourceFiles } from "./helpers/source_files.ts";

// Where a heavy package may be named as a value; type imports cost nothing at run time. The demo of the command line
// asks its question of a frame as any program of a user does.
const HEAVY: Readonly<Record<string, readonly string[]>> = {
  "nodejs-polars": [
    ...["frame", "vintage", "prices", "analysis", "chart", "sheet", "dataset", "store", "cli"],
  ],
  undici: ["transport"],
};
const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 40;

// What a user imports; a chain of imports is told from one of them on.
const ENTRIES = ["mod.ts", "src/server/mod.ts", "src/world/mod.ts", "src/cli/main.ts"];

const files = await sourceFiles();
const graph = new ImportGraph(files);

describe("src", () => {
  test("imports only along the arrows of the import table", () => {
    const wrong = violations(files, graph);
    expect(wrong.length, `\n${wrong.join("\n\n")}\n`).toBe(0);
  });

  test("has layers that the import table names", () => {
    const known = [...Object.keys(LAYERS), ...MAY_IMPORT_ALL];
    const unknown = files.filter((file) => !known.includes(layerOf(file.path)));
    expect(unknown.map((file) => file.path)).toEqual([]);
  });

  test("has no import cycle, not even of types", () => {
    expect(graph.cycle()).toBeNull();
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
    const reached = [...graph.reachable("src/server/mod.ts", LOADED_AT_ONCE)];
    expect(reached.length).toBeGreaterThan(1);
    const wrong = reached.filter((path) =>
      ["client", "transport", "frame"].includes(layerOf(path)) ||
      graph.importsOf(path).filter(LOADED_AT_ONCE)
        .some((entry) => packageOf(entry.specifier) in HEAVY)
    );
    const chains = wrong.map((path) =>
      graph.chain(["src/server/mod.ts"], path, LOADED_AT_ONCE)?.join("\n  → ")
    );
    expect(wrong, `the server may not load these:\n${chains.join("\n")}\n`).toEqual([]);
  });

  test("has barrels only at the root and in the published folders", () => {
    const barrels = files.filter((file) => file.path.endsWith("mod.ts")).map((file) => file.path);
    expect(barrels.toSorted()).toEqual([
      "mod.ts",
      "src/analysis/mod.ts",
      "src/chart/mod.ts",
      "src/dataset/mod.ts",
      "src/server/mod.ts",
      "src/sheet/mod.ts",
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

/** Every forbidden import: the layer, what it may import and why, how it is reached, where to read more. */
function violations(
  sources: readonly Pick<SourceFile, "path" | "imports">[],
  imports: ImportGraph,
): readonly string[] {
  return sources.flatMap(({ path, imports: entries }) =>
    entries.flatMap((entry) => {
      const [target] = localTarget(entry);
      if (target === undefined) return [];
      const reason = forbiddenArrow(layerOf(path), layerOf(target), entry);
      if (reason === null) return [];
      const known = ENTRIES.filter((start) => sources.some((file) => file.path === start));
      const chain = [...imports.chain(known, path, () => true) ?? [path], target];
      return [
        `${path} imports ${target}: ${reason}\n  chain: ${
          chain.join(" → ")
        }\n  read more: ${READ_MORE}`,
      ];
    })
  );
}

// Documentation is no reason to split a file: blank lines and comments do not count.
function codeLines(text: string): number {
  return text.split("\n").filter((line) => !/^\s*($|\/\/|\*|\/\*)/.test(line)).length;
}

/** `nodejs-polars` for `nodejs-polars/bin/dataframe.js` and for `npm:nodejs-polars@1`. */
function packageOf(specifier: string): string {
  const [scopeOrName = "", name = ""] = specifier.replace(/^npm:/, "").split("/");
  return scopeOrName.startsWith("@")
    ? `${scopeOrName}/${name}`.replace(/(.)@.*$/, "$1")
    : scopeOrName.replace(/@.*$/, "");
}

describe("the rules of this test", () => {
  test("explain a forbidden arrow: the layer, why, the chain of imports, where to read more", () => {
    const sources = [
      importing("src/server/mod.ts", ["src/server/y.ts"]),
      importing("src/server/y.ts", ["src/client/x.ts"]),
      importing("src/client/x.ts", []),
    ];
    expect(violations(sources, new ImportGraph(sources))).toEqual([
      [
        'src/server/y.ts imports src/client/x.ts: "server" may not import "client"',
        "  server: the whole API over a store",
        "  why: it never imports the client, and loads without Polars and undici",
        "  it may import: runtime, contract, calendar, errors, arguments, store",
        "  chain: src/server/mod.ts → src/server/y.ts → src/client/x.ts",
        '  read more: ARCHITECTURE.md, "Which layer may import which"',
      ].join("\n"),
    ]);
  });

  test("allow types alone where the table says so", () => {
    expect(forbiddenArrow("chart", "analysis", { typeOnly: true })).toBeNull();
    expect(forbiddenArrow("chart", "analysis", { typeOnly: false })).toContain(
      '"chart" may import only types of "analysis"',
    );
  });

  test("find a cycle and a package with a path", () => {
    const sources = [importing("a", ["b"]), importing("b", ["c"]), importing("c", ["b"])];
    expect(new ImportGraph(sources).cycle()).toEqual(["b", "c", "b"]);
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

function importing(path: string, targets: readonly string[]): Pick<SourceFile, "path" | "imports"> {
  const imports = targets.map((target) => ({
    specifier: target,
    target: join(ROOT, target),
    typeOnly: false,
    dynamic: false,
  }));
  return { path, imports };
}
