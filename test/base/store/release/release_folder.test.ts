import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRelease } from "../../../../src/base/contract/release.ts";
import { stageRelease } from "../../../../src/base/store/release/release_folder.ts";

const BYTES = "bytes of a release\n";
const SHA256 = createHash("sha256").update(BYTES).digest("hex");
const RECEIPT = {
  release: parseRelease({
    download: "/v1/scores/history.csv.gz?factor=ecpnd",
    download_sha256: SHA256,
  }, "ecpnd"),
  sha256: SHA256,
  sizeBytes: BYTES.length,
  availableFrom: "2026-10-01T00:00:00.000Z",
  origin: "test",
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-staging-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("A staged release", () => {
  test("that was flushed on the way becomes part of the store as any other", async () => {
    const staging = await stageRelease(folder, "ecpnd", { durable: true });
    await writeFile(staging.path, BYTES.slice(0, 5));
    staging.flush();
    await writeFile(staging.path, BYTES);
    staging.flush();
    const kept = await staging.commit(RECEIPT);
    expect(kept.path).toBe(join(folder, SHA256, "history.csv.gz"));
    expect(await readdir(folder)).toEqual([SHA256]);
  });

  test("is not kept if flushing it failed, and says so", async () => {
    const staging = await stageRelease(folder, "ecpnd", { durable: true });
    // Nothing is there to be flushed, which is an error like any other.
    staging.flush();
    await expect(staging.commit(RECEIPT)).rejects.toThrow(/ENOENT.*open/);
    expect(await readdir(folder)).toEqual([]);
  });

  test("removes what a killed process left behind, and nothing that is being written", async () => {
    const [left, written] = [join(folder, ".tmp-left"), join(folder, ".tmp-written")];
    for (const path of [left, written]) await writeFile(path, "half of a release");
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(left, before, before);
    const staging = await stageRelease(folder, "ecpnd", { durable: true });
    expect(await readdir(folder)).toEqual([".tmp-written"]);
    await staging.discard();
  });

  test("is not flushed in a store that need not be durable", async () => {
    const staging = await stageRelease(folder, "ecpnd", { durable: false });
    staging.flush();
    await writeFile(staging.path, BYTES);
    expect((await staging.commit(RECEIPT)).sizeBytes).toBe(BYTES.length);
  });
});
