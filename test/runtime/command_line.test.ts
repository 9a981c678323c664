import { expect, test } from "vitest";
import { commandLine } from "../../src/runtime/command_line.ts";

test.each([
  ["in a clone", "file:///home/me/scoreframe/src/runtime/command_line.ts", "deno task"],
  [
    "in a project",
    "file:///home/me/study/node_modules/scoreframe/src/runtime/command_line.js",
    "scoreframe",
  ],
  [
    "from a registry of modules",
    "https://jsr.io/@scoreframe/scoreframe/0.1.0/src/runtime/command_line.ts",
    "deno run -A jsr:@scoreframe/scoreframe/cli",
  ],
])("a command is typed %s as what runs there", (_where, url, line) => {
  expect(commandLine(url)).toBe(line);
});

test("this copy is a clone", () => {
  expect(commandLine()).toBe("deno task");
});
