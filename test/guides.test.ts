import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONTRACT_VERSION, PACKAGE_VERSION } from "../src/base/contract/limits.ts";
import { encodeStoreInfo } from "../src/base/store/store_info.ts";
import { DATASET_FORMAT } from "../src/desk/dataset/versions.ts";
import { parseLock } from "../src/study/lock/lock_text.ts";
import {
  decisions,
  type Document,
  documents,
  programsOf,
  sourceOf,
} from "./helpers/source/documents.ts";
import { RELEASE_COLUMNS, SCORE_SET_COLUMNS } from "./helpers/provenance_names.ts";
import { describeAccess, WINGS } from "./helpers/source/wings.ts";
import { ROOT } from "./helpers/source_files.ts";

const MAX_README_WORDS = 900;
const MAX_CHANGELOG_WORDS = 2_400;
const docs = await documents();
const decided = await decisions();
const guides = docs.map(({ path }) => path).filter((path) => path.startsWith("docs/"));
const textOf = (path: string) => docs.find((document) => document.path === path)?.text ?? "";

describe("the documents", () => {
  test("link to files and headings that exist", async () => {
    const changelog = {
      path: "CHANGELOG.md",
      text: await readFile(join(ROOT, "CHANGELOG.md"), "utf8"),
    };
    const broken = [...docs, ...decided, changelog].flatMap((document) =>
      linksOf(document).filter((link) => !exists(link))
    );
    expect(broken).toEqual([]);
  });

  test("name paths of the repository that exist", () => {
    const missing = docs.flatMap(({ path, text }) =>
      pathsIn(text).filter((named) => !existsSync(join(ROOT, named)))
        .map((named) => `${path}: ${named}`)
    );
    expect(missing).toEqual([]);
    expect(pathsIn(textOf("ARCHITECTURE.md")).length).toBeGreaterThan(20);
    expect(pathsIn(textOf("CONTRIBUTING.md")).length).toBeGreaterThan(20);
  });

  test("name tasks that exist, with the Deno that continuous integration uses", async () => {
    const { tasks } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
    const text = docs.map((document) => document.text).join("\n");
    const named = [...text.matchAll(/(?:deno(?:@\S+)?|`) ?task ([\w:]+)/g)];
    expect(named.map(([, task]) => task).filter((task) => !(task! in tasks))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
    const ci = await readFile(join(ROOT, ".ci/run"), "utf8");
    const versions = [...text.matchAll(/npx --yes deno@([\d.]+)/g)].map(([, version]) => version);
    expect(new Set(versions)).toEqual(new Set([/deno@(\S+?)"/.exec(ci)?.[1]]));
  });
});

describe("README.md", () => {
  test(`has at most ${MAX_README_WORDS} words`, () => {
    expect(textOf("README.md").split(/\s+/).length).toBeLessThanOrEqual(MAX_README_WORDS);
  });

  test("links to every guide", () => {
    expect(guides.filter((path) => !textOf("README.md").includes(`](${path})`))).toEqual([]);
  });
});

describe("a guide", () => {
  test.each(guides)("opens with the question that it answers: %s", (path) => {
    expect(textOf(path).split("\n\n")[1]).toMatch(/^This page answers (which|how|what)\b[^]*\.$/);
  });
});

describe("an example that calls demo()", () => {
  const examples = docs.flatMap(programsOf)
    .map((program) => ({ title: program.title, code: sourceOf(program) }))
    .filter(({ code }) => code.includes("= await demo("));

  test("stands in many guides", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  test.each(examples)("says which line to change for a key: $title", ({ code }) => {
    const calls = code.split("\n").filter((line) => line.includes("= await demo("));
    expect(calls.filter((line) => !line.includes("with a key: await connect()"))).toEqual([]);
    expect(code).toMatch(/import \{[^}]*\bconnect\b[^}]*\} from "scoreframe"/);
  });
});

describe("CHANGELOG.md", () => {
  test("is read in eight minutes", async () => {
    const text = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(MAX_CHANGELOG_WORDS);
  });

  test("names functions that exist, beside the names that went", async () => {
    const face = await readFile(join(ROOT, ".ci/public_api.txt"), "utf8");
    const text = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
    const kept = text.replace(/^\|[^|]*\|/gm, "");
    const named = [...kept.matchAll(/`(?!pl\.)(?:\w+\.)?(\w+)\(/g)].map(([, name = ""]) => name);
    const known = new Set([...face.matchAll(/(?:^ {2}|^function )(\w+)[<(]/gm)].map(([, n]) => n));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(60);
  });
});

describe("docs/columns.md", () => {
  test("has every column of provenance in its table", () => {
    const rows = textOf("docs/columns.md").split("\n").filter((line) => line.startsWith("|"))
      .join();
    const named = [...SCORE_SET_COLUMNS, ...RELEASE_COLUMNS];
    expect(named.filter((name) => !rows.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/views.md", () => {
  test("states the versions that the code has", () => {
    const rows = [
      ...textOf("docs/views.md").matchAll(/^\| (?:the |an? )([^|]+?) +\| ([\d][^|]*?) +\|/gm),
    ]
      .map(([, of, version]) => [of, version]);
    expect(rows).toEqual([
      ["package", PACKAGE_VERSION],
      ["API document", CONTRACT_VERSION],
      ["store", String(storeFormat())],
      ["lock of a study", lockFormats()],
      ["dataset", String(DATASET_FORMAT)],
    ]);
  });
});

describe("ARCHITECTURE.md", () => {
  test("shows the import table that the architecture test enforces", () => {
    const rows = [...textOf("ARCHITECTURE.md").matchAll(/^\| `(\w+)` (.*)\|$/gm)]
      .map(([, name, rest = ""]) => [name, ...rest.split("|").slice(1).map((cell) => cell.trim())]);
    const expected = Object.entries(WINGS)
      .map(([name, { what, why, may }]) => [name, what, describeAccess(may), why]);
    expect(rows).toEqual(expected);
  });
});

describe("the README of a wing", () => {
  test.each(Object.keys(WINGS))("names every room of %s, in at most twenty lines", async (wing) => {
    const text = await readFile(join(ROOT, "src", wing, "README.md"), "utf8");
    const entries = await readdir(join(ROOT, "src", wing), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.filter((room) => !text.includes(`\`${room}\``))).toEqual([]);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
  });

  test.each(Object.keys(WINGS))("begins each room of %s at files that are there", async (wing) => {
    const text = await readFile(join(ROOT, "src", wing, "README.md"), "utf8");
    const named = text.split("\n").filter((line) => line.startsWith("|")).flatMap((line) => {
      const [, rooms = "", begins = ""] = line.split("|");
      const folders = [...rooms.matchAll(/`([^`]+)`/g)].map(([, room = ""]) => room);
      return [...begins.matchAll(/`([^`]+\.(?:ts|json))`/g)].map(([, name = ""]) => ({
        folders,
        name,
      }));
    });
    const isThere = (path: string) => existsSync(join(ROOT, "src", wing, path));
    const wrong = named.filter(({ folders, name }) =>
      ![join("..", name), name, ...folders.map((folder) => join(folder, name))].some(isThere)
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("the reading of documents", () => {
  const document = {
    path: "x.md",
    text: [
      "```ts\nconst a = 1;\n```\n\n```text\n1\n```\n",
      "```ts more\nconst b = a;\n```\n",
      "```ts ignore\nconnect();\n```\n",
    ].join("\n"),
  };

  test("joins blocks that go on, each with names of its own", () => {
    const [first, second] = programsOf(document);
    expect(first?.blocks.map((block) => block.output)).toEqual(["1\n", null]);
    expect(sourceOf(first!)).toBe(
      'const a = 1;\n\nconsole.log("\\u001d");\n{\nconst b = a;\n}\nexport {};\n',
    );
    expect(second?.isIgnored).toBe(true);
  });

  test("finds paths in code and in text, and headings as links spell them", () => {
    expect(pathsIn("`src/a/b.ts`, src/c.ts and `test/x.test.ts`. Not notes/y.ts")).toEqual([
      "src/a/b.ts",
      "src/c.ts",
      "test/x.test.ts",
    ]);
    expect(anchorOf("## nodejs-polars, `as it is`")).toBe("nodejs-polars-as-it-is");
  });
});

function storeFormat(): number {
  const info = {
    kind: "world",
    description: "",
    synthetic: true,
    complete: null,
    origin: {},
  } as const;
  return JSON.parse(encodeStoreInfo({ format: 1, ...info })).format;
}

/** `1, 2 or 3`, as the refusal of another one says. */
function lockFormats(): string | undefined {
  try {
    parseLock('{ "format": 99 }');
  } catch (error) {
    return /expected (.*), got/.exec((error as Error).message)?.[1];
  }
  return undefined;
}

function linksOf({ path, text }: Document): string[] {
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = ""]) => link);
  return links.map((link) => link.startsWith("#") ? path + link : join(dirname(path), link));
}

function exists(link: string): boolean {
  const [path = "", anchor] = link.split("#");
  if (!existsSync(join(ROOT, path))) return false;
  return anchor === undefined ||
    textOf(path).split("\n").some((line) => /^#+ /.test(line) && anchorOf(line) === anchor);
}

function anchorOf(heading: string): string {
  return heading.replace(/^#+ /, "").toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}

function pathsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w/.])(?:src|test|bench|\.ci|notebooks)\/[\w./]*\.\w+/g)]
    .map(([path]) => path);
}
