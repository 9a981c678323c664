// @heavy: programs of documents
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createScoreServer } from "../src/server/mod.ts";
import { buildWorld } from "../src/server/world/mod.ts";
import { ROOT } from "./helpers/source_files.ts";

const run = promisify(execFile);
const EXAMPLE = /^```python\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/m;

test("the Python example of docs/servers.md prints what stands below it", async () => {
  const page = await readFile(join(ROOT, "docs/servers.md"), "utf8");
  const [, code = "", printed] = EXAMPLE.exec(page) ?? [];
  expect(code).toContain("SCOREFRAME_URL");
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-python-"));
  // The world and the clock of the command at the top of the page.
  const { store } = await buildWorld(folder, { size: "small" });
  const server = createScoreServer({
    store,
    accounts: [{ id: "me", factors: ["ecpnd", "ecqdi"], keys: [{ key: "svc_test_example" }] }],
    clock: { at: "2026-11-20T15:00:00Z" },
  });
  const listener = await server.listen({ port: 0 });
  try {
    const env = {
      ...process.env,
      SCOREFRAME_URL: listener.url,
      SCOREFRAME_API_KEY: "svc_test_example",
    };
    const { stdout } = await run("python3", ["-c", code], { env });
    expect(stdout).toBe(printed);
  } finally {
    await listener.close();
    await rm(folder, { recursive: true, force: true });
  }
});
