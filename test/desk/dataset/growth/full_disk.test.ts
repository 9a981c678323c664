import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdtemp, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../../src/desk/dataset/mod.ts";
import { StorageError } from "../../../../src/base/errors.ts";
import { rowsOf } from "../_look.ts";
import { hourlySets } from "../_hourly_sets.ts";

const run = promisify(execFile);
const DISK_KB = 512;
const BLOCK_KB = 4;
const LONG_MS = 300_000;

// A disk of its own, which only an administrator of the system mounts.
const disk = await mkdtemp(join(tmpdir(), "scoreframe-growth-disk-"));
const canMount = await run("mount", ["-t", "tmpfs", "-o", `size=${DISK_KB}k`, "tmpfs", disk])
  .then(() => true, () => false);
const named = canMount ? "" : " (SKIPPED: this user may mount no disk)";
const filler = join(disk, "filler");

afterAll(async () => {
  if (canMount) await run("umount", ["-l", disk]);
  await rmdir(disk).catch(() => {});
});

/** Leaves so many kilobytes on the disk. */
async function leave(kilobytes: number): Promise<void> {
  await rm(filler, { force: true });
  const { stdout } = await run("df", ["-k", "--output=avail", disk]);
  const free = Number(stdout.trim().split("\n").at(-1));
  await writeFile(filler, Buffer.alloc(Math.max(0, free - kilobytes) * 1024));
}

async function sizeOf(folder: string): Promise<number> {
  const { partitions } = await openDataset(folder);
  return partitions.reduce((sum, { table, rows }) => table === "sets" ? sum + rows : sum, 0);
}

describe.runIf(canMount)(`on a full disk${named}`, () => {
  test(
    "an append says what it cannot write, loses no stored row, and goes on when there is room",
    async () => {
      const [folder, whole] = [join(disk, "grown"), `${disk}-whole`];
      const asked = { factor: "ecpnd", append: true } as const;
      try {
        await exportDataset(hourlySets(120, 144), folder, asked);
        let refused = 0;
        for (let room = 0;; room += BLOCK_KB) {
          expect(room).toBeLessThan(DISK_KB);
          await leave(room);
          const error = await exportDataset(hourlySets(144, 168), folder, asked)
            .then(() => null, (error) => error);
          if (error === null) break;
          refused++;
          expect(error, `${room} KB: ${error?.stack}`).toBeInstanceOf(StorageError);
          expect(error.message, `${room} KB`).toContain(disk);
          expect([72, 144], `${room} KB`).toContain(await sizeOf(folder));
        }
        expect(refused).toBeGreaterThan(1);
        await exportDataset(hourlySets(120, 168), whole, { factor: "ecpnd" });
        await rm(filler);
        expect(await rowsOf(folder)).toEqual(await rowsOf(whole));
      } finally {
        await rm(whole, { recursive: true, force: true });
      }
    },
    LONG_MS,
  );
});
