/**
 * Figures of the size of the house: `deno run -A .ci/measure.ts [FOLDER …]`, one column a checkout. With `--guarantees` it
 * writes the lines of the table in ARCHITECTURE.md.
 *
 * Code is what is left without blank lines, comments and imports. A function called at one place is a named function at the
 * top of a file whose name stands once more, outside of imports and exports.
 */
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import process from "node:process";
import {
  parseSourceFile,
  parseSyntax,
  ROOT,
  type SourceFile,
  type SyntaxNode,
  visitSyntax,
} from "../test/helpers/source_files.ts";

type Figures = Readonly<Record<string, string | number>>;

if (process.argv[2] === "--guarantees") {
  await writeGuarantees(join(ROOT, "ARCHITECTURE.md"));
  process.exit();
}
const checkouts = process.argv.length > 2
  ? process.argv.slice(2).map((path) => resolve(path))
  : [ROOT];
const measured = await Promise.all(checkouts.map(measure));
process.stdout.write(
  `${"".padEnd(44)}${checkouts.map((path) => basename(path).padStart(12)).join("")}\n`,
);
for (const name of Object.keys(measured[0]!)) {
  const row = measured.map((figures) => String(figures[name]).padStart(12)).join("");
  process.stdout.write(`${name.padEnd(44)}${row}\n`);
}

async function measure(root: string): Promise<Figures> {
  const paths = ["mod.ts", ...await below(root, "src")];
  const files = await Promise.all(
    paths.map(async (path) => parseSourceFile(path, await readFile(join(root, path), "utf8"))),
  );
  const tests = await Promise.all(
    (await below(root, "test")).map(async (path) => ({
      path,
      text: await readFile(join(root, path), "utf8"),
    })),
  );
  const { tasks } = JSON.parse(await readFile(join(root, "deno.json"), "utf8")) as {
    tasks: object;
  };
  const face = await readFile(join(root, ".ci/public_api.txt"), "utf8");
  const arrows = arrowsOf(files);
  const { all, once } = calledFunctions(files);
  return {
    "lines of code in src": files.reduce((sum, { text }) => sum + codeLines(text), 0),
    "files in src": files.length,
    "public names": new Set(face.match(/^(?:function|const|class|interface|type) \w+/gm)).size,
    "functions called at one place": `${once} (${Math.round(100 * once / all)} %)`,
    "files imported by one other": importedOnce(files),
    "arrows between wings": between(arrows, 2),
    "arrows between folders": between(arrows, 9),
    "encode… and parse… functions": files.reduce((sum, { text }) => sum + coders(text), 0),
    "tasks": Object.keys(tasks).length,
    "lines of code in test": tests.reduce((sum, { text }) => sum + codeLines(text), 0),
    "words of documents": await wordsOf(root),
    ...proseFigures(files, tests),
  };
}

async function below(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name)).toSorted();
}

async function wordsOf(root: string): Promise<number> {
  const names = await readdir(join(root, "docs"), { recursive: true });
  const pages = [
    "README.md",
    ...names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ];
  const texts = await Promise.all(pages.map((name) => readFile(join(root, name), "utf8")));
  return texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}

/** Rows of a table whose second cell names folders of `src`: their lines of code, and those of the tests that mirror them. */
async function writeGuarantees(path: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n").map(async (line) => {
    const [, guarantee = "", held = "", count, , who] = line.split("|");
    const places = [...held.matchAll(/`([\w/.]+)`/g)].map(([, place]) => place!);
    if (who === undefined || places.length === 0 || !/^ *\d/.test(count ?? "")) return line;
    const cells = await Promise.all(["src", "test"].map(async (root) => {
      const counts = await Promise.all(places.map((place) => linesBelow(root, place)));
      return Math.round(counts.reduce((sum, own) => sum + own, 0) / 100) * 100;
    }));
    return ["", guarantee, held, ...cells.map((cell) => ` ${cell} `), who, ""].join("|");
  });
  await writeFile(path, (await Promise.all(lines)).join("\n"));
}

async function linesBelow(root: string, place: string): Promise<number> {
  const own = join(root, root === "test" ? place.replace(/\.ts$/, ".test.ts") : place);
  const found = await stat(join(ROOT, own)).catch(() => null);
  if (found === null) return 0;
  const paths = found.isFile() ? [own] : await below(ROOT, own);
  const texts = await Promise.all(paths.map((name) => readFile(join(ROOT, name), "utf8")));
  return texts.reduce((sum, text) => sum + codeLines(text), 0);
}

function codeLines(text: string): number {
  const code = text.replaceAll(/^(?:import|export) (?:type )?\{[^}]*\} from "[^"]*";$/gm, "")
    .replaceAll(/^import .*;$/gm, "");
  return code.split("\n").filter((line) => !/^\s*($|\/\/|\*|\/\*)/.test(line)).length;
}

/** `from to` for each pair of files of which one imports the other. */
function arrowsOf(files: readonly SourceFile[]): readonly (readonly [string, string])[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap(({ target }) =>
      target === null ? [] : [[path, relative(ROOT, target)] as const]
    )
  );
}

function between(arrows: readonly (readonly [string, string])[], depth: number): number {
  const place = (path: string) => path.split("/").slice(0, -1).slice(0, depth).join("/");
  const pairs = arrows.map(([from, to]) => [place(from), place(to)] as const)
    .filter(([from, to]) => from !== "" && from !== to);
  return new Set(pairs.map((pair) => pair.join(" "))).size;
}

function importedOnce(files: readonly SourceFile[]): number {
  const importers = new Map<string, Set<string>>();
  for (const [from, to] of arrowsOf(files)) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from));
  }
  return files.filter(({ path }) => importers.get(path)?.size === 1).length;
}

function calledFunctions(files: readonly SourceFile[]): { all: number; once: number } {
  const uses = files.map(({ text }) => namesUsed(text));
  const everywhere = new Map<string, number>();
  for (const own of uses) {
    for (const [name, count] of own) everywhere.set(name, (everywhere.get(name) ?? 0) + count);
  }
  const counts = files.flatMap(({ text }, i) =>
    [...text.matchAll(/^(export )?(?:async )?function\*? (\w+)/gm)].map(([, exported, name]) =>
      (exported === undefined ? uses[i]! : everywhere).get(name!) ?? 0
    )
  );
  return { all: counts.length, once: counts.filter((count) => count === 1).length };
}

/** How often each name is used, declarations, imports and exports left out. */
function namesUsed(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const visitor = (node: SyntaxNode, parent: SyntaxNode | null) => {
    if (node.type !== "Identifier" || /^(Import|Export)/.test(parent?.type ?? "")) return;
    if (parent?.type === "FunctionDeclaration" && parent["id"] === node) return;
    if (parent?.type === "TSDeclareFunction" && parent["id"] === node) return;
    const name = String(node["name"]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  visitSyntax(parseSyntax(text), visitor);
  return counts;
}

function coders(text: string): number {
  return text.match(/function (?:encode|parse)[A-Z]\w*/g)?.length ?? 0;
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Assertions that quote four words of prose, and how many of them quote wording of another room than the one they test. */
function proseFigures(files: readonly TextFile[], tests: readonly TextFile[]): Figures {
  const sources = files.map(({ path, text }) => ({
    room: roomOf(path),
    // Text that is written over several lines is one.
    text: text.replaceAll(/["`]\s*\+?\s*["`]/g, " ").replaceAll(/\s+/g, " "),
  }));
  const all = tests.flatMap(({ path, text }) =>
    quotedProse(text).map((words) => ({ words, room: roomOf(path) }))
  );
  const foreign = all.filter(({ words, room }) => {
    const homes = sources.filter(({ text }) => words.some((run) => text.includes(run)));
    return homes.length > 0 && homes.every((home) => home.room !== room);
  });
  return {
    "assertions that quote four words of prose": all.length,
    "… of another room": foreign.length,
  };
}

/** Wing and room of a file of src or test. */
function roomOf(path: string): string {
  return path.split("/").slice(1, 3).join("/").replace(/(\.test)?\.ts$/, "");
}

/** Runs of four words in the argument of each matcher that has one. */
function quotedProse(text: string): readonly (readonly string[])[] {
  const matcher = /\.(?:toBe|toThrow|toContain|toMatch|toEqual|rejects\.toThrow)\(\s*["'`/][^\n]*/g;
  return [...text.matchAll(matcher)].map(([call]) =>
    call.match(/(?:[A-Za-z,]+ ){3}[A-Za-z]+/g) ?? []
  )
    .filter((runs) => runs.length > 0);
}
