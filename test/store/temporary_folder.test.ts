import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTemporaryFolder } from "../../src/store/temporary_folder.ts";

const NOW = Date.UTC(2026, 10, 20, 15);
const HOUR_S = 3_600;
// Above the largest process id that Linux gives.
const NO_PROCESS = 99_999_999;
const MODULE = join(import.meta.dirname!, "../../src/store/temporary_folder.ts");
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
  });

  test("removes what processes that ended left behind a day ago, and nothing else", async () => {
    await put(`scoreframe-demo-${NO_PROCESS}-abcdef`, 25);
    const kept = [
      `scoreframe-demo-${NO_PROCESS}-ABCDEF`,
      `scoreframe-store-${process.pid}-abcdef`,
      `scoreframe-notes-2026`,
      `other-demo-${NO_PROCESS}-abcdef`,
    ];
    await put(kept[0]!, 23);
    for (const name of kept.slice(1)) await put(name, 25);
    const { remove } = await openTemporaryFolder("store", { parent, now: () => NOW });
    remove();
    expect((await readdir(parent)).toSorted()).toEqual(kept.toSorted());
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
