import { expect, test } from "vitest";
import { commandLine } from "../../../src/base/runtime/command_line.ts";

test.each([
  [
    "in a clone",
    "file:///home/me/scoreframe/src/base/runtime/command_line.ts",
    "deno task scoreframe",
  ],
  [
    "in a project",
    "file:///home/me/study/node_modules/scoreframe/src/base/runtime/command_line.js",
    "scoreframe",
  ],
  [
    "from a registry of modules",
    "https://jsr.io/@scoreframe/scoreframe/0.1.0/src/base/runtime/command_line.ts",
    "deno run -A jsr:@scoreframe/scoreframe/cli",
  ],
])("a command is typed %s as what runs there", (_where, url, line) => {
  expect(commandLine(url, "/home/me/scoreframe")).toBe(line);
});

test("a command is typed outside of a clone as the module that Deno runs: the tasks are unknown there", () => {
  const url = "file:///home/me/scoreframe/src/base/runtime/command_line.ts";
  const main = "/home/me/scoreframe/src/app/cli/main.ts";
  expect(commandLine(url, "/home/me/scoreframe/notebooks", main)).toBe("deno task scoreframe");
  expect(commandLine(url, "/home/me/scoreframe", main)).toBe("deno task scoreframe");
  expect(commandLine(url, "/home/me", main)).toBe(`deno run -A ${main}`);
  expect(commandLine(url, "/home/me/scoreframe-study", main)).toBe(`deno run -A ${main}`);
});

test("a command that npx started is typed with npx: no Deno may be installed", () => {
  const url = "file:///home/me/scoreframe/src/base/runtime/command_line.ts";
  const main = "/home/me/scoreframe/src/app/cli/main.ts";
  const line = (folder: string) => commandLine(url, folder, main, "exec");
  expect(line("/home/me/scoreframe")).toBe("npx --yes deno@2.9.6 task scoreframe");
  expect(line("/home/me")).toBe(`npx --yes deno@2.9.6 run -A ${main}`);
});

test("a notebook of a clone names the task wherever it lies, so that its outputs stay as they are", () => {
  const url = "file:///home/me/scoreframe/src/base/runtime/command_line.ts";
  expect(commandLine(url, "/home/me/study", "/usr/lib/kernel.ts")).toBe("deno task scoreframe");
});

test("this copy is a clone", () => {
  expect(commandLine()).toBe("deno task scoreframe");
});
