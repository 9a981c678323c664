import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StorageError } from "../../src/base/errors.ts";
import { exportStudy } from "../../src/study/share/export_study.ts";
import { importStudy } from "../../src/study/share/import_study.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { openLedger } from "../../src/client/transport/allowance/ledger.ts";
import { recordStudy } from "./_recording.ts";
import { startStudyService, type StudyService } from "./_study.ts";

const run = promisify(execFile);
const DISK_KB = 512;
const BLOCK_KB = 4;

// A disk of its own, which only an administrator of the system mounts.
const disk = await mkdtemp(join(tmpdir(), "scoreframe-disk-"));
const canMount = await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_KB}k`, "tmpfs", disk])
  .then(() => true, () => false);
const named = canMount ? "" : " (SKIPPED: this user may mount no disk)";

const filler = join(disk, "filler");
/** Leaves so many kilobytes on the disk. */
async function leave(kilobytes: number): Promise<void> {
  await rm(filler, { force: true });
  const { stdout } = await run("df", ["-k", "--output=avail", disk]);
  const free = Number(stdout.trim().split("\n").at(-1));
  await writeFile(filler, Buffer.alloc(Math.max(0, free - kilobytes) * 1024));
}

let service: StudyService;
let source: string;
let archive: string;
beforeAll(async () => {
  service = await startStudyService();
  const home = await service.makeFolder();
  source = join(home, "momentum");
  const study = await service.open(source);
  await recordStudy(study);
  await study.close();
  archive = join(home, "momentum.zip");
  await exportStudy(source, archive, { withoutData: false, name: "momentum" });
});
afterAll(async () => {
  await service.close();
  if (canMount) await run("umount", ["-l", disk]);
  await rmdir(disk).catch(() => {});
});
beforeEach(() => mkdir(join(disk, "work"), { recursive: true }));
afterEach(async () => {
  await rm(filler, { force: true });
  await rm(join(disk, "work"), { recursive: true, force: true });
});

/** Does something on a disk with ever more room, until it succeeds; how often it did not. */
async function sweep(work: () => Promise<unknown>, after: () => Promise<void>): Promise<number> {
  for (let room = 0;; room += BLOCK_KB) {
    expect(room).toBeLessThan(DISK_KB);
    await leave(room);
    const error = await work().then(() => null, (error) => error);
    if (error === null) return room / BLOCK_KB;
    expect(error, `${room} KB: ${error?.stack}`).toBeInstanceOf(StorageError);
    expect(error.message, `${room} KB`).toContain(disk);
    await after();
  }
}

describe.runIf(canMount)(`on a full disk${named}`, () => {
  test("a study names what it cannot write, keeps what is whole, and goes on when there is room", async () => {
    const folder = join(disk, "work", "momentum");
    const record = async () => {
      const study = await service.open(folder, { maxRetries: 0 });
      await recordStudy(study).finally(() => study.close());
    };
    const failed = await sweep(record, async () => {
      if (!(await readdir(folder).catch(() => [] as string[])).includes("study.lock.json")) return;
      const { problems } = await verifyStudy(folder);
      expect(problems).toEqual([]);
    });
    expect(failed).toBeGreaterThan(5);
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });

  test("an export leaves no part of an archive", async () => {
    const path = join(disk, "work", "momentum.zip");
    const failed = await sweep(
      () => exportStudy(source, path, { withoutData: false, name: "momentum" }),
      async () => expect(await readdir(join(disk, "work"))).toEqual([]),
    );
    expect(failed).toBeGreaterThan(0);
    await importStudy(path, join(await service.makeFolder(), "again"));
  });

  test("an import leaves no part of a study", async () => {
    const folder = join(disk, "work", "imported");
    const failed = await sweep(
      () => importStudy(archive, folder),
      async () => expect(await readdir(join(disk, "work"))).toEqual([]),
    );
    expect(failed).toBeGreaterThan(5);
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });

  test("a ledger names its file, and knows afterwards what it knew before", async () => {
    const path = join(disk, "work", "account.sqlite");
    const open = async () => {
      const ledger = await openLedger(path);
      try {
        ledger.writeUnfinished("ecpnd", "2026-11-20T15:00:00.000Z" as never);
      } finally {
        ledger.close();
      }
    };
    expect(await sweep(open, async () => {})).toBeGreaterThan(0);
    const large = async () => {
      const ledger = await openLedger(path);
      try {
        for (let i = 0; i < 6; i++) {
          ledger.writeValidator(`http://localhost/${i}`, { etag: "x".repeat(1_000) } as never);
        }
      } finally {
        ledger.close();
      }
    };
    // Each attempt appends to the log of SQLite, so that few of them fit.
    for (const room of [0, 4, 8]) {
      await leave(room);
      const error = await large().then(() => null, (error) => error);
      expect(error, `${room} KB: ${error?.stack}`).toBeInstanceOf(StorageError);
      expect(error.message).toContain(path);
    }
    await rm(filler);
    await large();
    const ledger = await openLedger(path);
    expect(ledger.readUnfinished("ecpnd")).toBe("2026-11-20T15:00:00.000Z");
    expect(ledger.readValidator("http://localhost/5")).toEqual({ etag: "x".repeat(1_000) });
    ledger.close();
  });
});
