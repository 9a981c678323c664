import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { RUNNING } from "./_running_cells.ts";

test("cells without an alarm run in Deno, so that an alarm would be a false one", () => {
  const { stdout, stderr } = spawnSync(Deno.execPath(), ["repl", "--quiet"], {
    input: Object.values(RUNNING).flat().join("\n") + '\n"all " + "ran"\n',
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(stdout).toContain('"all ran"');
  expect(stdout + stderr).not.toMatch(/Uncaught|parse error|SyntaxError/);
});
