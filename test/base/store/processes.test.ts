// @heavy: processes that are killed
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";

const WRITER = new URL("./_writer.ts", import.meta.url).pathname;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-processes-"));
  await Store.create(folder, {
    format: 1,
    kind: "recording",
    description: "Written by several processes",
    synthetic: true,
    complete: null,
    origin: {},
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function startWriter(from: number, to: number): Deno.ChildProcess {
  const args = ["run", "-A", "--config", CONFIG, WRITER, folder, String(from), String(to)];
  return new Deno.Command(Deno.execPath(), { args }).spawn();
}

test("three processes that write overlapping sets at once leave one sound store", async () => {
  const writers = [startWriter(0, 60), startWriter(30, 90), startWriter(0, 90)];
  for (const writer of writers) expect((await writer.status).success).toBe(true);
  const report = await verifyStore(await Store.open(folder));
  expect(report).toEqual({
    sets: 90,
    checks: 90,
    views: 0,
    releases: 0,
    leftovers: [],
    problems: [],
  });
});

test("a writer killed without warning leaves whole files, and the next one goes on", async () => {
  const victim = startWriter(0, 100_000);
  const sets = join(folder, "ecqdi", "sets");
  // A file that is still being written has a name of its own, and may be lost.
  const countWhole = async () =>
    (await readdir(sets).catch(() => [])).filter((name) => /^[0-9a-f-]{36}\.json$/.test(name))
      .length;
  while (await countWhole() < 20) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  victim.kill("SIGKILL");
  await victim.status;
  const broken = await verifyStore(await Store.open(folder));
  expect(broken.problems).toEqual([]);
  expect(broken.sets).toBeGreaterThanOrEqual(20);
  expect((await startWriter(0, broken.sets + 10).status).success).toBe(true);
  const mended = await verifyStore(await Store.open(folder));
  expect(mended.problems).toEqual([]);
  expect(mended.sets).toBe(broken.sets + 10);
  expect(mended.checks).toBe(broken.sets + 10);
});

test("three processes that write into a large store at once list what they wrote, and soon what the others wrote", async () => {
  const checks = join(folder, "ecqdi", "checks");
  await mkdir(checks, { recursive: true });
  for (let hour = 0; hour < 6_000; hour++) {
    const at = new Date(Date.UTC(2020, 0, 1) + hour * 3_600_000).toISOString();
    await writeFile(join(checks, `${at.replaceAll(":", "-")}--0123456789ab.json`), "");
  }
  const store = await Store.open(folder);
  expect(await store.listChecks("ecqdi")).toHaveLength(6_000);
  const writers = [startWriter(0, 60), startWriter(40, 120), startWriter(100, 180)];
  for (const writer of writers) expect((await writer.status).success).toBe(true);
  await expect.poll(() => store.listChecks("ecqdi"), { timeout: 10_000 }).toHaveLength(6_180);
  const times = (await store.listChecks("ecqdi")).map(({ lastCheckedAt }) => lastCheckedAt);
  expect(times).toEqual(times.toSorted());
});
