import { type ChildProcess, execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { type AccountSpec, createScoreServer, type ScoreServer } from "../../src/server/mod.ts";
import { Store } from "../../src/store/store.ts";
import { verifyStore } from "../../src/store/verify_store.ts";
import { type FixtureStore, makeFixtureStore } from "../helpers/fixture_store.ts";
import { KEY, NOW } from "./_service.ts";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = fileURLToPath(new URL("_notebook_process.ts", import.meta.url));
const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

let fixture: FixtureStore;
let server: ScoreServer;
let cacheDir: string;
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await server.close();
  await fixture.remove();
  await rm(cacheDir, { recursive: true, force: true });
});

/** A service whose clock runs `rate` times as fast as the wall's, and a way to start notebooks that see the same. */
async function start(rate: number, limits: AccountSpec["limits"] = {}) {
  fixture = await makeFixtureStore();
  cacheDir = await mkdtemp(join(tmpdir(), "scoreframe-processes-"));
  const clock = { startMs: Date.parse(NOW), realStartMs: Date.now(), rate };
  server = createScoreServer({
    store: fixture.store,
    accounts: [{ id: "shared", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }], limits }],
    now: () => clock.startMs + (Date.now() - clock.realStartMs) * rate,
  });
  const { url: baseUrl } = await server.listen();
  return (job: object) => {
    const argument = JSON.stringify({ baseUrl, apiKey: KEY, cacheDir, clock, ...job });
    const child = execFile(process.execPath, ["run", "-A", SCRIPT, argument], { cwd: ROOT });
    children.push(child);
    return child;
  };
}

function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = "";
  child.stdout?.on("data", (text) => output += text);
  child.stderr?.on("data", (text) => output += text);
  return new Promise((resolve) => child.on("exit", (code) => resolve({ code, output })));
}

describe("notebooks that share an account", () => {
  test("never exceed a limit together, over several minutes of the service", async () => {
    const open = await start(60);
    const notebooks = [open({ requests: 150 }), open({ requests: 150 })];
    const results = await Promise.all(notebooks.map(ended));
    // Which of the two hears how often that the minute is spent depends on who comes first.
    const told =
      /^.*ScoreframeNotice: Waiting until \S+Z: all of the account's .* are spent; .*\n/gm;
    expect(results.map(({ code, output }) => [code, output.replace(told, "")]))
      .toEqual([[0, "150 loads done\n"], [0, "150 loads done\n"]]);
    expect(results.map(({ output }) => output).join("")).toMatch(told);
    const { entries } = server.journal;
    expect(entries).toHaveLength(300);
    expect(entries.filter(({ status }) => status !== 200)).toEqual([]);
    const perMinute = Map.groupBy(entries, ({ at }) => at.slice(0, 16));
    expect(Math.max(...[...perMinute.values()].map((minute) => minute.length)))
      .toBeLessThanOrEqual(120);
    expect(perMinute.size).toBeGreaterThanOrEqual(3);
  });

  test("lose nothing that had arrived when one is killed in the middle of a panel", async () => {
    const open = await start(1);
    server.faults.add({ kind: "latency", ms: 150 });
    const killed = open({ panel: HOURS });
    const death = ended(killed);
    const views = join(cacheDir, "stores");
    while ((await countViews(views)) < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    killed.kill("SIGKILL");
    await death;
    server.faults.clear();
    const arrived = await countViews(views);
    // What the killed notebook had in flight is noted when its delivery has failed.
    let before = -1;
    while (before !== server.journal.total) {
      before = server.journal.total;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const { code, output } = await ended(open({ panel: HOURS }));
    expect([code, output]).toEqual([0, "0 loads done\n"]);
    expect(arrived).toBeGreaterThanOrEqual(3);
    expect(server.journal.total - before).toBe(HOURS.length - arrived);
    const [folder] = await readdir(views);
    const report = await verifyStore(await Store.open(join(views, folder!)));
    expect(report.problems).toEqual([]);
    expect(report.views).toBe(HOURS.length);
  });
});

async function countViews(stores: string): Promise<number> {
  const [folder] = await readdir(stores).catch(() => []);
  if (folder === undefined) return 0;
  const names = await readdir(join(stores, folder, "ecpnd", "views")).catch(() => []);
  return names.filter((name) => name.endsWith(".json") && !name.startsWith(".")).length;
}
