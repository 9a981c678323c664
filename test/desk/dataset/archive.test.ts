// @heavy: a process for each night
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDataset } from "../../../src/desk/dataset/mod.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { rowsOf } from "./_look.ts";

const run = promisify(execFile);
const RECIPES = join(ROOT, "docs/beyond-one-machine/archive");
const LONG_MS = 300_000;

let home: string;
let server: ScoreServer;
let url: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-archive-"));
  const { store } = await buildWorld(join(home, "world"), { size: "small" });
  server = createScoreServer({
    store,
    accounts: [{
      ...{ id: "desk", factors: ["ecpnd"], keys: [{ key: "svc_test_example" }] },
      // The clock of the world stands still, and with it the minute.
      limits: { requestsPerMinute: 1e6 },
    }],
    clock: { at: "2026-11-20T15:00:00Z" },
  });
  ({ url } = await server.listen({ port: 0 }));
}, LONG_MS);
afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true });
});

async function archive(dataset: string, day: string): Promise<string> {
  const env = {
    ...process.env,
    SCOREFRAME_URL: url,
    SCOREFRAME_API_KEY: "svc_test_example",
    XDG_CACHE_HOME: join(home, "cache"),
  };
  const words = ["run", "-A", "--no-remote", join(RECIPES, "archive.js"), dataset, day];
  return (await run(process.execPath, words, { env })).stdout;
}

test(
  "each night adds the sets and checks of its day, a repeated one adds nothing, and two may run at once",
  async () => {
    const dataset = join(home, "scores");
    expect(await archive(dataset, "2026-11-18")).toMatch(/^ecpnd 2026-11-18: 3 new files\n/);
    const first = await openDataset(dataset);
    expect(await archive(dataset, "2026-11-18")).toMatch(/^ecpnd 2026-11-18: 0 new files\n/);
    expect((await openDataset(dataset)).version).toBe(first.version);
    await Promise.all(["2026-11-17", "2026-11-19"].map((day) => archive(dataset, day)));
    const whole = join(home, "whole");
    for (const day of ["2026-11-17", "2026-11-18", "2026-11-19"]) await archive(whole, day);
    const scoresOf = async (path: string) =>
      Object.entries(await rowsOf(path)).map(([table, rows]) => [table, (rows as []).length]);
    expect(await scoresOf(dataset)).toEqual(await scoresOf(whole));
  },
  LONG_MS,
);

test("the recipes start the same program at the same time of the night", async () => {
  const names = ["airflow_dag.py", "prefect_flow.py", "cronjob.yaml"];
  for (const name of names) {
    const text = await readFile(join(RECIPES, name), "utf8");
    expect(text, name).toContain(
      "/opt/scoreframe/deno run -A --no-remote /opt/scoreframe/archive.js",
    );
    expect(text, name).toContain('"15 1 * * *"');
  }
});
