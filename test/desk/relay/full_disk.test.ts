import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, afterEach, expect, test } from "vitest";
import { JournalFile } from "../../../src/app/cli/journal_file.ts";
import type { RelayStatus } from "../../../src/desk/relay/page/relay_status.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { type TestRelay, useRelays } from "./_relay.ts";

const BLOCK_KB = 4;
const { first, second } = FIXTURE_SETS.ecpnd;
const set = (id: string) => `/v1/scores?snapshot_id=${id}`;

// A disk of two megabytes, which only an administrator of the system mounts.
const disk = mkdtempSync(join(tmpdir(), "scoreframe-relay-disk-"));
const canMount = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]).status === 0;
const named = canMount ? "" : " (SKIPPED: this user may mount no disk)";
const filler = join(disk, "filler");

const { start } = useRelays();
afterEach(() => rm(filler, { force: true }));
afterAll(() => {
  if (canMount) spawnSync("umount", ["-l", disk]);
  rmdirSync(disk);
});

/** Leaves so many kilobytes on the disk. */
async function leave(kilobytes: number): Promise<void> {
  await rm(filler, { force: true });
  const { stdout } = spawnSync("df", ["-k", "--output=avail", disk]);
  const free = Number(stdout.toString().trim().split("\n").at(-1));
  await writeFile(filler, Buffer.alloc(Math.max(0, free - kilobytes) * 1024));
}

async function startOn(name: string, { all }: { all: boolean }): Promise<TestRelay> {
  const place = join(disk, name);
  await mkdir(place);
  const started = await start({
    relay: {
      store: join(place, "store"),
      ...(all && { state: join(place, "state"), cacheDir: join(place, "cache") }),
    },
  });
  return started;
}

async function page({ relay }: TestRelay): Promise<{ status: RelayStatus; metrics: string }> {
  const listener = await relay.listen();
  try {
    const headers = { Authorization: `Bearer ${relay.pageToken}` };
    const ask = (path: string) => fetch(`${listener.url}${path}`, { headers });
    return {
      status: await (await ask("/relay.json")).json(),
      metrics: await (await ask("/relay/metrics")).text(),
    };
  } finally {
    await listener.close();
  }
}

test.skipIf(!canMount).each([["its store", { all: false }], ["all that it writes", { all: true }]])(
  `a relay whose disk is full, with %s on it, answers what it has and asks nothing${named}`,
  async (name, where) => {
    const started = await startOn(name, where);
    const { get, seen, service, add } = started;
    const bob = await add("bob");
    const before = await (await get(set(first))).text();
    const at = "/v1/scores?at=2026-11-20T11:30:00Z";
    expect((await get(at)).status).toBe(200);
    await leave(0);
    const refused = await get(set(second));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
    expect((await refused.json()).message)
      .toBe("The relay cannot write to its disk; meanwhile it answers only what its store proves");
    const asked = seen().length;
    for (let minute = 0; minute < 5; minute++) {
      for (const key of [bob, undefined]) {
        const known = await get(set(first), key === undefined ? {} : { key });
        expect([known.status, await known.text()]).toEqual([200, before]);
        expect((await get(at)).status).toBe(200);
      }
      expect((await get("/v1/scores?factor=ecqdi&at=2026-11-20T10:30:00Z")).status).toBe(503);
      expect((await get(set(second))).status).toBe(503);
      service.clock.advance(61_000);
    }
    expect(seen().length).toBe(asked);
    expect((await get(set(second))).status).toBe(503);
    const { status: { diskTrouble, refusals, store }, metrics } = await page(started);
    expect(diskTrouble).toMatch(/full|No space/i);
    expect(refusals[0]!.because).toMatch(/full|No space/i);
    expect(store.freeBytes).toBeLessThan(BLOCK_KB * 1024);
    expect(metrics).toContain("\nscoreframe_relay_disk_trouble 1\n");
    const notes = started.relay.journal.entries.map(({ note }) => note ?? "");
    expect(notes.filter((note) => /full|No space/i.test(note))).toHaveLength(12);
    await rm(filler);
    service.clock.advance(61_000);
    expect((await get(set(second))).status).toBe(200);
    expect((await page(started)).status.diskTrouble).toBeNull();
    const report = await verifyStore(await Store.open(join(disk, name, "store")));
    expect([report.problems, report.leftovers]).toEqual([[], []]);
  },
);

test.skipIf(!canMount)(
  `a relay serves no half set, however little room there is${named}`,
  async () => {
    const started = await startOn("little", { all: true });
    const { get, service } = started;
    await get("/v1/factors");
    const paths = [set(first), set(second), "/v1/scores?factor=ecqdi", "/v1/scores/history.csv.gz"];
    const direct = new Map<string, string>();
    let refusals = 0;
    for (let room = 0; direct.size < paths.length; room += BLOCK_KB) {
      expect(room).toBeLessThan(512);
      await leave(room);
      for (const path of paths) {
        const answer = await get(path);
        const text = await answer.text();
        if (answer.status === 200) direct.set(path, text);
        else refusals++;
        if (answer.status !== 200) {
          expect([room, path, answer.status, text]).toEqual([room, path, 503, text]);
        }
      }
      service.clock.advance(61_000);
    }
    expect(refusals).toBeGreaterThan(0);
    await rm(filler);
    for (const path of paths) expect(await (await get(path)).text()).toBe(direct.get(path));
    const report = await verifyStore(await Store.open(join(disk, "little", "store")));
    expect(report.problems).toEqual([]);
  },
);

test.skipIf(!canMount)(
  `a journal on a full disk loses whole lines, counts them, and ends nothing${named}`,
  async () => {
    const path = join(disk, "journal");
    const told: string[] = [];
    const journal = new JournalFile(path, { goesOn: true, onTrouble: (line) => told.push(line) });
    const entry = { requestId: "a".repeat(900) } as never;
    journal.write(entry);
    await leave(0);
    for (let i = 0; i < 20; i++) journal.write(entry);
    await rm(filler);
    journal.write(entry);
    journal.close();
    const lines = (await readFile(path, "utf8")).trim().split("\n");
    expect(lines.every((line) => JSON.parse(line).requestId.length === 900)).toBe(true);
    expect(told).toEqual([
      expect.stringContaining(`annot write to ${path}: `),
      `${path} can be written again; ${22 - lines.length} lines were lost`,
    ]);
  },
);

if (!canMount) {
  process.stderr.write("SKIPPED: a relay on a full disk needs the right to mount one\n");
}
