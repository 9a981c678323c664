import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildHash } from "../../../src/base/runtime/build_hash.ts";
import { ROOT } from "../../helpers/source_files.ts";

const ROOMS = ["analysis", "base", "desk/dataset", "frames", "report/chart"];

async function hashAfter(change: (folder: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-build-"));
  try {
    for (const room of ROOMS) {
      await cp(join(ROOT, "src", room), join(folder, room), { recursive: true });
    }
    await change(folder);
    const copy = await import(join(folder, "base/runtime/build_hash.ts")) as {
      readonly buildHash: () => string;
    };
    return copy.buildHash();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const append = (path: string) => async (folder: string) => {
  const file = join(folder, path);
  await writeFile(file, `${await readFile(file, "utf8")}\n// changed\n`);
};

test("buildHash() tells builds of one version apart by the sources that compute numbers", async () => {
  expect(buildHash()).toMatch(/^[0-9a-f]{16}$/);
  expect(await hashAfter(() => Promise.resolve())).toBe(buildHash());
  const rankIc = "analysis/dense/rank/rank_correlation.ts";
  expect(await hashAfter(append(rankIc))).not.toBe(buildHash());
  expect(await hashAfter(append("report/chart/chart.ts"))).toBe(buildHash());
});
