import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import {
  RULES_DOCUMENT,
  rulesIn,
  tableCells,
  tablesIn,
  taggedRules,
  withTables,
} from "../helpers/source/rules.ts";
import { ROOT } from "../helpers/source_files.ts";

// What shows that a test's answers came over a socket.
const SOCKET = /WAYS|"over a socket"|\b(?:listen|sendRaw|startWith|countUntilKilled)\(/;
// What a test imports that asks a whole server, not one of its parts.
const ASKS_SERVER = /_(?:harness|raw_socket|killable_server|moving_server)\.ts"/;
const listed = await readFile(join(ROOT, RULES_DOCUMENT), "utf8");
const readme = await readFile(join(ROOT, "docs/servers.md"), "utf8");
const rules = await taggedRules();

describe("the rule tables of the server's documentation", () => {
  test("are what the tags of the tests say; `deno task generate rules` writes it", () => {
    const [shown, tagged] = [tablesIn(listed), tableCells(rules)]
      .map((tables) => tables.flat().map((cells) => cells.slice(1).join(" | ")));
    expect(tagged!.filter((row) => !shown!.includes(row)), "not in the table").toEqual([]);
    expect(shown!.filter((row) => !tagged!.includes(row)), "without a tag").toEqual([]);
    expect(tablesIn(listed)).toEqual(tableCells(rules));
  });

  test("have more than 150 rules, of every section of the API document", () => {
    expect(rules.length).toBeGreaterThan(150);
    const sections = new Set(rules.map((rule) => rule.section.split(".")[0]));
    expect([...sections].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  test("do not say the same rule twice", () => {
    const texts = rules.map(({ section, rule }) => `${section} ${rule}`);
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  });

  test("name source files that exist", () => {
    const missing = rules.filter(({ where }) => !existsSync(join(ROOT, "src", where)));
    expect(missing).toEqual([]);
  });

  test("name tests that ask over a socket, unless they test a part of the server alone", async () => {
    const blocks = new Map<string, readonly string[]>();
    for (const { test: path, title } of rules) {
      const known = blocks.get(path) ??
        (await readFile(join(ROOT, path), "utf8")).split(/\n(?=\w)/);
      blocks.set(path, known);
      if (!path.startsWith("test/server/") || !ASKS_SERVER.test(known[0] ?? "")) continue;
      const block = known.find((text) => text.includes(JSON.stringify(title)));
      expect(SOCKET.test(block ?? ""), `${path} over a socket: ${title}`).toBe(true);
    }
  });
});

describe("the tags of tests", () => {
  const tagged = [
    'describe("x", () => {',
    "  // @rule 4.3 base/contract/http/query.ts: One <factor> | or none",
    "  // @silent 10 base/contract/factor.ts: There are two",
    '  test.each(["a", "b"])("refuses %s", () => {});',
    "});",
  ].join("\n");

  test("belong to the test that follows them", () => {
    const found = rulesIn("test/server/pipeline/errors.test.ts", tagged);
    expect(found.map(({ section, title }) => [section, title])).toEqual([
      ["4.3", "refuses %s"],
      ["10", "refuses %s"],
    ]);
    const table = "| No. | x |\n| --- | - |\n| 1 | y |\n";
    const document = withTables(
      `before\n\n${table}\nbetween\n\n${table}\nafter\n`,
      tableCells(found),
    );
    expect(document).toMatch(/^before\n[^]*\nbetween\n[^]*\nafter\n$/);
    expect(tablesIn(document)).toEqual([
      [[
        "1",
        "4.3",
        "One &lt;factor&gt; \\| or none",
        "base/contract/http/query.ts",
        "pipeline/errors: refuses %s",
      ]],
      [["2", "10", "There are two", "base/contract/factor.ts", "pipeline/errors: refuses %s"]],
    ]);
  });

  test("are refused when they are not whole, or nothing follows", () => {
    expect(() => rulesIn("x.test.ts", '// @rule 4.3: no file\ntest("a", f);')).toThrow(
      "Cannot read",
    );
    expect(() => rulesIn("x.test.ts", "// @rule 4.3 a.ts: text\n")).toThrow("Cannot read");
  });
});

describe("the examples of the server's documentation", () => {
  test("print what they say, from a 429 to its recovery, with curl", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-readme-"));
    const [, files = "", commands = ""] = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map((match) => match[1]);
    const start = files.indexOf("npx");
    await bash(files.slice(0, start), folder);
    const args = files.slice(start).replaceAll("\\\n", " ").trim().split(/\s+/).slice(6);
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const main = join(ROOT, "src/app/cli/main.ts");
    const server = spawn(
      process.execPath,
      ["run", "-A", main, "serve", ...args.map((arg) => arg === "8787" ? String(port) : arg)],
      { cwd: folder, env: { ...process.env, TMPDIR: folder } },
    );
    try {
      await new Promise((resolve) =>
        server.stdout.on("data", (data) => String(data).includes("listening") && resolve(null))
      );
      const printed = await bash(commands.replaceAll("8787", String(port)), folder);
      const expected = [...commands.matchAll(/ # (\d{3}|whole)$/gm)].map((match) => match[1]);
      expect(expected.length).toBeGreaterThan(10);
      expect(printed.trim().split("\n")).toEqual(expected);
    } finally {
      server.kill("SIGKILL");
      await rm(folder, { recursive: true });
    }
  });
});

function bash(script: string, cwd: string): Promise<string> {
  const child = spawn("bash", ["-c", script], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (data) => output += data);
  return new Promise((resolve) => child.on("close", () => resolve(output)));
}
