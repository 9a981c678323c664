import { expect, test } from "vitest";
import { installLine } from "../../../src/base/runtime/command_line.ts";

test.each([
  ["file:///home/ann/scoreframe/src/runtime/install_line.ts", "deno install"],
  [
    "file:///home/ann/p/node_modules/.deno/scoreframe@0.1.0/node_modules/scoreframe/src/runtime/install_line.js",
    "deno install",
  ],
  [
    "file:///home/ann/p/node_modules/scoreframe/src/runtime/install_line.js",
    "npx --yes -p node@22 npm install",
  ],
  ["https://jsr.io/@scoreframe/scoreframe/0.1.0/src/runtime/install_line.ts", "deno install"],
])("installLine() names the program that installed %s", (url, line) => {
  expect(installLine(url)).toBe(line);
});
