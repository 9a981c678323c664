import { type ChildProcess, execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { AccountLimits } from "../../../src/server/account/accounts.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";
import { KEY, NOW } from "../_service.ts";
import { openSleepClock } from "./_sleep_clock.ts";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SCRIPT = fileURLToPath(new URL("_notebook_process.ts", import.meta.url));
const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);
// Who hears how often that the minute is spent depends on who comes first, and whether one waits three seconds for a place on
// the machine.
const WAITING = /^.*ScoreframeNotice: Waiting .*\n/gm;

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

/** A service whose clock stands still until a notebook sleeps, and a way to start notebooks that see the same. */
async function start(limits: Partial<AccountLimits> = {}) {
  fixture = await makeFixtureStore();
  cacheDir = await mkdtemp(join(tmpdir(), "scoreframe-processes-"));
  const clockFile = join(cacheDir, "clock");
  const clock = openSleepClock(clockFile);
  clock.moveTo(Date.parse(NOW));
  server = createScoreServer({
    store: fixture.store,
    accounts: [{ id: "shared", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }], limits }],
    now: clock.now,
  });
  const { url: baseUrl } = await server.listen();
  return (job: object) => {
    const argument = JSON.stringify({ baseUrl, apiKey: KEY, cacheDir, clockFile, ...job });
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
    const open = await start();
    const notebooks = [open({ requests: 130 }), open({ requests: 130 })];
    const results = await Promise.all(notebooks.map(ended));
    const done = "130 loads done, 130 requests sent\n";
    expect(results.map(({ code, output }) => [code, output.replace(WAITING, "")]))
      .toEqual([[0, done], [0, done]]);
    expect(results.map(({ output }) => output).join(""))
      .toMatch(/Waiting until \S+Z: .*120 requests/);
    const { entries } = server.journal;
    expect(entries).toHaveLength(260);
    expect(entries.filter(({ status }) => status !== 200)).toEqual([]);
    const perMinute = Map.groupBy(entries, ({ at }) => at.slice(0, 16));
    expect(Math.max(...[...perMinute.values()].map((minute) => minute.length)))
      .toBeLessThanOrEqual(120);
    expect(perMinute.size).toBeGreaterThanOrEqual(3);
  });

  test("have one download and five requests in flight at the service, each with stores of its own", async () => {
    const open = await start({ downloadsPerDay: 100 });
    // An answer takes long enough for requests to meet.
    server.faults.add({ kind: "latency", ms: 40 });
    const notebooks = ["1", "2", "3"].map((name) =>
      open({ stores: join(cacheDir, name), panel: HOURS })
    );
    const results = await Promise.all(notebooks.map(ended));
    expect(results.map(({ code, output }) => [code, output.replace(WAITING, "")]))
      .toEqual(Array(3).fill([0, ""]));
    // The service refuses a second download and a sixth request at once with 429.
    const { entries } = server.journal;
    expect(entries.filter(({ status }) => status !== 200)).toEqual([]);
    expect(entries.filter(({ spentDownloads }) => spentDownloads === 1)).toHaveLength(18);
  });

  test("lose nothing that had arrived when one is killed in the middle of a panel", async () => {
    const open = await start();
    server.faults.add({ kind: "latency", ms: 150 });
    const killed = open({ panel: HOURS });
    const death = ended(killed);
    const views = join(cacheDir, "stores");
    while ((await countViews(views)) < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    killed.kill("SIGKILL");
    await death;
    server.faults.clear();
    const arrived = await countViews(views);
    const { code, output } = await ended(open({ panel: HOURS }));
    expect([code, output]).toEqual([0, `0 loads done, ${HOURS.length - arrived} requests sent\n`]);
    expect(arrived).toBeGreaterThanOrEqual(3);
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
