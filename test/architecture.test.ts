import { describe, expect, test } from "vitest";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exportedNames } from "./helpers/source/exported_names.ts";
import { ImportGraph, LOADED_AT_ONCE, localTarget } from "./helpers/source/import_graph.ts";
import { forbiddenArrow, isIn, READ_MORE, wingOf, WINGS } from "./helpers/source/wings.ts";
import { roomCycles } from "./helpers/source/room_cycles.ts";
import { parseSourceFile, ROOT, type SourceFile, sourceFiles } from "./helpers/source_files.ts";

// Where a heavy package may be named as a value; type imports cost nothing at run time. The demo of the command line
// asks its question of a frame as any program of a user does.
const HEAVY: Readonly<Record<string, readonly string[]>> = {
  "nodejs-polars": [
    ...[
      "frames/frame",
      "frames/vintage",
      "frames/prices",
      "analysis",
      "report",
      "desk/dataset",
      "desk/variants",
    ],
    ...["base/store", "app/cli"],
  ],
  undici: ["client/transport"],
};
// Numbers of tables, each with the digits of its column.
const OWN_NUMBERS = new Set(["src/report/sheet/html/part_html.ts"]);
const MAX_LINES = 300;
const MAX_FUNCTION_LINES = 40;

// What a user imports; a chain of imports is told from one of them on.
const ENTRIES = ["mod.ts", "src/server/mod.ts", "src/server/world/mod.ts", "src/app/cli/main.ts"];

const files = await sourceFiles();
const graph = new ImportGraph(files);

describe("src", () => {
  test("imports only along the arrows of the import table", () => {
    const wrong = violations(files, graph);
    expect(wrong.length, `\n${wrong.join("\n\n")}\n`).toBe(0);
  });

  test("has the nine wings that the import table names", () => {
    const known = ["mod", ...Object.keys(WINGS)];
    const unknown = files.filter((file) => !known.includes(wingOf(file.path)));
    expect(unknown.map((file) => file.path)).toEqual([]);
    expect(Object.keys(WINGS)).toHaveLength(9);
  });

  test("has no import cycle, not even of types", () => {
    expect(graph.cycle()).toBeNull();
  });

  test("has no cycle of imports between the rooms of a wing", () => {
    const plain = files.map(({ path, imports }) => ({
      path,
      imports: imports.flatMap(localTarget),
    }));
    const cycles = Object.keys(WINGS).flatMap((wing) => roomCycles(`src/${wing}`, plain))
      .map(({ rooms, imports }) =>
        `${rooms.join(" → ")} → ${rooms[0]}: move what one of these imports names, into the room ` +
        `that needs it or up to the wing:\n  ${imports.join("\n  ")}`
      );
    expect(cycles.length, `\n${cycles.join("\n\n")}\n`).toBe(0);
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
      file.imports.filter((entry) => !entry.typeOnly)
        .filter((entry) => {
          const folders = HEAVY[packageOf(entry.specifier)];
          return folders !== undefined && !isIn(file.path, ...folders);
        })
        .map((entry) => `${file.path} imports ${entry.specifier}`)
    );
    expect(wrong).toEqual([]);
  });

  test("loads the server without Polars, undici, or any wing of the client", () => {
    const reached = [...graph.reachable("src/server/mod.ts", LOADED_AT_ONCE)];
    expect(reached.length).toBeGreaterThan(1);
    const wrong = reached.filter((path) =>
      ["client", "frames"].includes(wingOf(path)) ||
      graph.importsOf(path).filter(LOADED_AT_ONCE)
        .some((entry) => packageOf(entry.specifier) in HEAVY)
    );
    const chains = wrong.map((path) =>
      graph.chain(["src/server/mod.ts"], path, LOADED_AT_ONCE)?.join("\n  → ")
    );
    expect(wrong, `the server may not load these:\n${chains.join("\n")}\n`).toEqual([]);
  });

  test("loads what a first cell does not use only when it is used", () => {
    const reached = [...graph.reachable("mod.ts", LOADED_AT_ONCE)];
    expect(reached).toContain("src/study/study.ts");
    const later = ["analysis", "report", "desk", "server", "base/store"];
    const packages = reached.flatMap((path) =>
      graph.importsOf(path).filter(LOADED_AT_ONCE)
        .filter(({ specifier }) => !specifier.startsWith("."))
        .map(({ specifier }) => specifier.startsWith("node:") ? specifier : packageOf(specifier))
    );
    expect(reached.filter((path) => isIn(path, ...later))).toEqual([]);
    expect([...new Set(packages)].toSorted()).toEqual([
      "node:module",
      "node:path",
      "node:process",
      "node:url",
      "node:util",
      "nodejs-polars",
    ]);
  });

  test("has barrels only at the root and in the published folders", () => {
    const barrels = files.filter((file) => file.path.endsWith("mod.ts")).map((file) => file.path);
    expect(barrels.toSorted()).toEqual([
      "mod.ts",
      "src/analysis/mod.ts",
      "src/desk/dataset/mod.ts",
      "src/report/chart/mod.ts",
      "src/report/sheet/mod.ts",
      "src/server/mod.ts",
      "src/server/world/mod.ts",
    ]);
  });

  test("defines each exported name once", () => {
    const wrong = definedTwice(files).map(([name, paths]) =>
      `${name} is exported by ${paths.join(" and ")}: a name means one thing; import the one, or ` +
      "rename the less central one after what it means"
    );
    expect(wrong.length, `\n${wrong.join("\n")}\n`).toBe(0);
  });

  test("exports no function, class or constant that no other file names", async () => {
    const wrong = namedNowhere(files, await otherTexts()).map((where) =>
      `${where} is exported, and no other file names it: take "export" away, or the code`
    );
    expect(wrong.length, `\n${wrong.join("\n")}\n`).toBe(0);
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

  test("writes thousands and percentages in wording alone", () => {
    const elsewhere = files.filter(({ path }) =>
      !isIn(path, "base/wording") && !OWN_NUMBERS.has(path)
    );
    const wrong = elsewhere.filter(({ text }) => /toLocaleString\(|\d %|\} %/.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test("says in words of its own what is open: no TODO, no FIXME", () => {
    const open = files.filter((file) => /\b(TODO|FIXME|XXX|HACK)\b/.test(file.text));
    expect(open.map((file) => file.path)).toEqual([]);
  });
});

type SourceText = Pick<SourceFile, "path" | "text">;

/** The names that two files export, with these files. */
function definedTwice(
  sources: readonly SourceText[],
): readonly (readonly [string, readonly string[]])[] {
  const all = sources.flatMap(({ path, text }) =>
    exportedNames(text).map(({ name }) => ({ path, name }))
  );
  return [...Map.groupBy(all, ({ name }) => name)].filter(([, where]) => where.length > 1)
    .map(([name, where]) => [name, where.map(({ path }) => path)] as const);
}

/** The exported values whose names stand in no other file but in its comments, each behind its file. */
function namedNowhere(
  sources: readonly SourceText[],
  others: readonly string[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of [...sources.map((file) => file.text), ...others]) {
    const code = text.split("\n").filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line)).join("\n");
    for (const word of new Set(code.match(/\w+/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return sources.flatMap(({ path, text }) =>
    exportedNames(text).filter(({ name, isType }) => !isType && counts.get(name) === 1)
      .map(({ name }) => `${path}: ${name}`)
  );
}

/** The code beside `src` that imports from it. */
async function otherTexts(): Promise<readonly string[]> {
  const texts = await Promise.all(["test", "bench", ".ci"].map(async (folder) => {
    const below = await readdir(join(ROOT, folder), { recursive: true });
    const paths = below.filter((path) => path.endsWith(".ts"));
    return await Promise.all(paths.map((path) => readFile(join(ROOT, folder, path), "utf8")));
  }));
  return texts.flat();
}

/** Every forbidden import: the wing, what it may import and why, how it is reached, where to read more. */
function violations(
  sources: readonly Pick<SourceFile, "path" | "imports">[],
  imports: ImportGraph,
): readonly string[] {
  return sources.flatMap(({ path, imports: entries }) =>
    entries.flatMap((entry) => {
      const [target] = localTarget(entry);
      if (target === undefined) return [];
      const reason = forbiddenArrow(wingOf(path), wingOf(target));
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
  test("explain a forbidden arrow: the wing, why, the chain of imports, where to read more", () => {
    const sources = [
      importing("src/server/mod.ts", ["src/server/y.ts"]),
      importing("src/server/y.ts", ["src/client/x.ts"]),
      importing("src/client/x.ts", []),
    ];
    expect(violations(sources, new ImportGraph(sources))).toEqual([
      [
        'src/server/y.ts imports src/client/x.ts: "server" may not import "client"',
        "  server: the whole API over a store, and the synthetic world that fills one",
        "  why: it never imports the client, and loads without Polars and undici",
        "  it may import: base",
        "  chain: src/server/mod.ts → src/server/y.ts → src/client/x.ts",
        '  read more: ARCHITECTURE.md, "Which wing may import which"',
      ].join("\n"),
    ]);
  });

  test("find a name that two files export, and one that nobody else names", () => {
    const sources = [
      { path: "a.ts", text: "export interface Part {}\nexport const used = 1;\n" },
      { path: "b.ts", text: "export type Part = 1;\nexport function over(a: 1): 1;\n" },
      { path: "c.ts", text: "// over\nexport function over(a: 2): 2;\nused;\n" },
      { path: "d.ts", text: "export async function lone() {}\n/** lone */\nlone();\n" },
    ];
    expect(definedTwice(sources)).toEqual([["Part", ["a.ts", "b.ts"]], ["over", ["b.ts", "c.ts"]]]);
    expect(namedNowhere(sources, ["used"])).toEqual(["d.ts: lone"]);
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
