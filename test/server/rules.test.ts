import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const ROW = /^\| *(\d+) *\| *([\d.]+) *\| *(.+?) *\| *(\S+) *\| *([\w/]+): (.+?) *\|$/;
// What shows that a test's answers came over a socket.
const SOCKET = /WAYS|"over a socket"|\b(?:listen|sendRaw|startWith|countUntilKilled)\(/;
let readme: string;
beforeAll(async () => {
  readme = await readFile(join(ROOT, "src/server/README.md"), "utf8");
});

describe("the rule table of the server's documentation", () => {
  const rows = () =>
    readme.split("\n").filter((line) => /^\| *\d+ *\|/.test(line)).map((line) => {
      const match = ROW.exec(line);
      expect(match, line).not.toBeNull();
      const [, number, section, rule, where, file, title] = match!;
      return { number: Number(number), section, rule, where, file, title };
    });

  test("is numbered from 1 without a gap, and has more than 150 rules", () => {
    const numbers = rows().map((row) => row.number);
    expect(numbers.length).toBeGreaterThan(150);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  });

  test("has rules of every section of the API document", () => {
    const sections = new Set(rows().map((row) => row.section?.split(".")[0]));
    expect([...sections].sort()).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  test("does not say the same rule twice", () => {
    const rules = rows().map((row) => `${row.section} ${row.rule}`);
    expect(new Set(rules).size).toBe(rules.length);
  });

  test("names source files that exist", () => {
    for (const { where } of rows()) {
      expect(existsSync(join(ROOT, "src", where ?? "")), where).toBe(true);
    }
  });

  test("names tests that exist, and those of the server ask over a socket", async () => {
    const blocks = new Map<string, readonly string[]>();
    for (const { file = "", title = "" } of rows()) {
      const isServer = !file.includes("/");
      const path = join(ROOT, "test", `${isServer ? "server/" : ""}${file}.test.ts`);
      const known = blocks.get(file) ?? (await readFile(path, "utf8")).split(/\n(?=\w)/);
      blocks.set(file, known);
      const block = known.find((text) => text.includes(JSON.stringify(title)));
      expect(block, `${file}: ${title}`).toBeDefined();
      if (isServer) expect(SOCKET.test(block ?? ""), `${file} over a socket: ${title}`).toBe(true);
    }
  });
});

describe("the examples of the server's documentation", () => {
  test("print what they say, from a 429 to its recovery, with curl", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-readme-"));
    const [, files = "", commands = ""] = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
      .map((match) => match[1]);
    const start = files.indexOf("npx");
    await bash(files.slice(0, start), folder);
    const args = files.slice(start).replaceAll("\\\n", " ").trim().split(/\s+/).slice(5);
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const main = join(ROOT, "src/cli/main.ts");
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
