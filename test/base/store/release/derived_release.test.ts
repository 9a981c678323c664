import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRelease } from "../../../../src/base/contract/release.ts";
import {
  findDerived,
  isAsWritten,
  putDerived,
} from "../../../../src/base/store/release/derived_release.ts";
import { vouchFor } from "../../../helpers/vouch_for.ts";
import { metadataId, type StoredRelease } from "../../../../src/base/store/release/release_file.ts";

const METADATA = {
  rows: 4,
  note: "first",
  download: "/v1/scores/history.csv.gz?factor=ecpnd",
  download_sha256: "a".repeat(64),
};
const FACTS = { tickers: ["A", "NA"], codes: [0, 1], checks: [{ name: "rows" }] };

let folder: string;
let stored: StoredRelease;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-derived-"));
  stored = {
    release: parseRelease(METADATA, "ecpnd"),
    availableFrom: "2026-10-01T00:00:00.000Z",
    origin: "test",
    path: join(folder, "history.csv.gz"),
    sizeBytes: 10,
  };
});
afterEach(() => rm(folder, { recursive: true }));

const derive = (text = "rows") => putDerived(stored, FACTS, (path) => writeFile(path, text));
const vouching = () => join(folder, "history.parquet.json");

/** Changes what vouches for the derived file, and its hash with it. */
const vouch = (change: Record<string, unknown>) =>
  vouchFor(join(folder, "history.parquet"), change);

describe("A derived release", () => {
  test("is found with its facts and the checksum of its bytes", async () => {
    const derived = await derive();
    expect(await findDerived(stored)).toEqual(derived);
    // The CRC-32 of the four letters "rows", as any other program computes it.
    expect(derived).toMatchObject({ ...FACTS, sizeBytes: 4, crc32: "0a8bf4a1" });
    expect((await readdir(folder)).toSorted()).toEqual(["history.parquet", "history.parquet.json"]);
  });

  test("is as it was written until a bit of it changes", async () => {
    const derived = await derive();
    expect(await isAsWritten(derived)).toBe(true);
    await writeFile(derived.path, "rowt");
    expect(await isAsWritten(derived)).toBe(false);
  });

  test("has a checksum of eight digits, even if it begins with a zero", async () => {
    const derived = await derive("rows 53");
    expect(derived.crc32).toBe("08ed751e");
    expect(await isAsWritten((await findDerived(stored))!)).toBe(true);
  });

  test("is made anew after any single bit of what vouches for it changed", async () => {
    await derive();
    const bytes = await readFile(vouching());
    const passed: number[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const at = bit >> 3;
      await writeFile(vouching(), bytes.with(at, bytes[at]! ^ (1 << (bit & 7))));
      if (await findDerived(stored) !== null) passed.push(at);
    }
    expect(passed).toEqual([]);
  });

  test("replaces the one before", async () => {
    await derive("before");
    await derive("after");
    expect(await readFile(join(folder, "history.parquet"), "utf8")).toBe("after");
    expect((await findDerived(stored))?.sizeBytes).toBe(5);
  });

  test("removes what a killed process left behind", async () => {
    const left = join(folder, ".tmp-left");
    await writeFile(left, "half of a file");
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(left, before, before);
    await derive();
    expect((await readdir(folder)).toSorted()).toEqual(["history.parquet", "history.parquet.json"]);
  });

  test("is not there if it could not be written", async () => {
    const failing = putDerived(stored, FACTS, async (path) => {
      await writeFile(path, "half");
      throw new Error("no space left");
    });
    await expect(failing).rejects.toThrow("no space left");
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ["another form", { form: 1 }],
    ["a form that is to come", { form: 99 }],
    ["another size", { size_bytes: 5 }],
    ["the form before", { form: 3 }],
    ["no checksum", { crc32: null }],
    ["no tickers", { tickers: null }],
    ["no codes", { codes: null }],
    ["no checks", { checks: null }],
    ["other metadata", { of: "b".repeat(64) }],
  ])("with %s is made anew", async (_, change) => {
    await derive();
    await vouch(change);
    expect(await findDerived(stored)).toBeNull();
  });

  test.each(["", "{", "[]", "null", '"text"'])("that %j vouches for is made anew", async (text) => {
    await derive();
    await writeFile(vouching(), text);
    expect(await findDerived(stored)).toBeNull();
  });

  test("without one of its two files is made anew", async () => {
    await derive();
    const text = await readFile(vouching(), "utf8");
    await rm(vouching());
    expect(await findDerived(stored)).toBeNull();
    await writeFile(vouching(), text);
    expect(await findDerived(stored)).not.toBeNull();
    await rm(join(folder, "history.parquet"));
    expect(await findDerived(stored)).toBeNull();
  });

  test("belongs to the metadata that it was checked against, unknown fields aside", async () => {
    await derive();
    const offered = (change: object) => parseRelease({ ...METADATA, ...change }, "ecpnd");
    const noted = offered({ note: "second" });
    expect(metadataId(noted)).toBe(metadataId(stored.release));
    expect(await findDerived({ ...stored, release: noted })).not.toBeNull();
    expect(await findDerived({ ...stored, release: offered({ rows: 5 }) })).toBeNull();
  });
});
