import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StorageError } from "../../../src/base/errors.ts";
import { openTemporaryFolder } from "../../../src/base/disk/temporary_folder.ts";

const NOW = Date.UTC(2026, 10, 20, 15);
const HOUR_S = 3_600;
// Above the largest process id that Linux gives.
const NO_PROCESS = 99_999_999;
const MODULE = join(import.meta.dirname!, "../../../src/base/disk/temporary_folder.ts");
const run = promisify(execFile);

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "temporary-folder-test-"));
});
afterEach(() => rm(parent, { recursive: true }));

async function put(name: string, ageHours: number): Promise<void> {
  await mkdir(join(parent, name));
  await writeFile(join(parent, name, "file"), "x");
  const timeS = NOW / 1000 - ageHours * HOUR_S;
  await utimes(join(parent, name), timeS, timeS);
}

describe("openTemporaryFolder()", () => {
  test("gives each caller a folder of its own, which can be removed at once", async () => {
    const [a, b] = [
      await openTemporaryFolder("demo", { parent }),
      await openTemporaryFolder("demo", { parent }),
    ];
    expect(a.path).not.toBe(b.path);
    await writeFile(join(a.path, "file"), "x");
    a.remove();
    expect([existsSync(a.path), existsSync(b.path)]).toEqual([false, true]);
    b.remove();
    expect(() => b.remove()).not.toThrow();
  });

  test("says of a missing parent that it is that of TMPDIR", async () => {
    const known = process.env["TMPDIR"];
    process.env["TMPDIR"] = join(parent, "none");
    try {
      const opened = openTemporaryFolder("demo");
      await expect(opened).rejects.toThrow(StorageError);
      await expect(opened).rejects.toThrow(
        `Cannot make a folder in ${
          join(parent, "none")
        }, the one of TMPDIR: expected access to the file system, got "ENOENT`,
      );
    } finally {
      if (known === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = known;
    }
  });

  test("may be removed twice, as a connection may be closed twice", async () => {
    const folder = await openTemporaryFolder("demo", { parent });
    folder.remove();
    expect(() => folder.remove()).not.toThrow();
  });

  test("removes what no process owns, and nothing else", async () => {
    const owned = await openTemporaryFolder("demo", { parent });
    await put(`scoreframe-demo-${NO_PROCESS}.abcdef`, 25);
    await put(`scoreframe-demo-${NO_PROCESS}.ABCDEF`, 0);
    // In a container a process often has the number of the one before it.
    await put(`scoreframe-store-${process.pid}.abcdef`, 0);
    const others = [`scoreframe-notes-2026`, `other-demo-${NO_PROCESS}-abcdef`];
    for (const name of others) await put(name, 25);
    const { remove } = await openTemporaryFolder("store", { parent, now: () => NOW });
    remove();
    expect(await readdir(parent)).toEqual(
      expect.arrayContaining([...others, basename(owned.path)]),
    );
    expect(await readdir(parent)).toHaveLength(3);
    owned.remove();
  });

  test("keeps a folder of version 0.1.0, which had no lock, as long as its process runs", async () => {
    const kept = `scoreframe-demo-${process.pid}-abcdef`;
    await put(kept, 25);
    await put(`scoreframe-demo-${NO_PROCESS}-abcdef`, 25);
    const { remove } = await openTemporaryFolder("store", { parent, now: () => NOW });
    remove();
    expect(await readdir(parent)).toEqual([kept]);
  });

  test("keeps for a day what it cannot lock, and as long as a process has its number", async () => {
    const open = vi.spyOn(Deno, "open").mockRejectedValue(new Error("a folder cannot be opened"));
    await put(`scoreframe-demo-${NO_PROCESS}.abcdef`, 25);
    const kept = [
      `scoreframe-demo-${NO_PROCESS}.ABCDEF`,
      `scoreframe-store-${process.pid}.abcdef`,
    ];
    await put(kept[0]!, 23);
    await put(kept[1]!, 25);
    const { remove } = await openTemporaryFolder("store", { parent, now: () => NOW });
    remove();
    open.mockRestore();
    expect((await readdir(parent)).toSorted()).toEqual(kept.toSorted());
  });

  test("removes at once what a process that was killed left behind", async () => {
    const script = `const { openTemporaryFolder } = await import("file://${MODULE}");\n` +
      `await openTemporaryFolder("serve");\nDeno.kill(Deno.pid, "SIGKILL");`;
    const killed = run(Deno.execPath(), ["eval", script], {
      env: { ...process.env, TMPDIR: parent },
    });
    await expect(killed).rejects.toThrow();
    expect(await readdir(parent)).toHaveLength(1);
    const { path, remove } = await openTemporaryFolder("serve", { parent });
    expect(await readdir(parent)).toEqual([basename(path)]);
    remove();
  });

  test.each(["", "Deno.exit(0);", "(await import('node:process')).default.exit(0);"])(
    "leaves nothing behind a process that ends with %j",
    async (ending) => {
      const script = `const { openTemporaryFolder } = await import("file://${MODULE}");\n` +
        `console.log((await openTemporaryFolder("demo")).path);\n${ending}`;
      const { stdout } = await run(Deno.execPath(), ["eval", script], {
        env: { ...process.env, TMPDIR: parent },
      });
      expect(stdout.trim().startsWith(parent)).toBe(true);
      expect(await readdir(parent)).toEqual([]);
    },
  );
});
