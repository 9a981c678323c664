import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError } from "../../../../src/base/errors.ts";
import { encodeStoredSet, type StoredSet } from "../../../../src/base/store/scores/set_file.ts";
import { Store } from "../../../../src/base/store/store.ts";
import { verifyStore } from "../../../../src/base/store/verify_store.ts";
import { ID, OTHER_ID, RECORDING, SET } from "../_stored.ts";

const tickers = Array.from({ length: 600 }, (_, i) => `T${String(i).padStart(4, "0")}`);
const scores = tickers.map((_, i) => i % 20 === 0 ? null : i / 1_000);
const LARGE: StoredSet = { ...SET, rows: { tickers, scores } };
const PACKED = join("ecpnd", "sets", `${ID}.json.gz`);
const PLAIN = join("ecpnd", "sets", `${ID}.json`);

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-store-"));
  store = await Store.create(folder, RECORDING);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a verification finds, a line for each problem. */
async function problemsOf(): Promise<string[]> {
  return (await verifyStore(store)).problems.map(({ path, problem }) => `${path}: ${problem}`);
}

/** Writes a set as stores did before they compressed, whatever its size. */
async function putAsBefore(set: StoredSet): Promise<void> {
  await store.putSet({ ...SET, snapshotId: OTHER_ID });
  await writeFile(join(folder, PLAIN), encodeStoredSet(set));
}

describe("a large set", () => {
  test("is kept compressed, with its text inside, and read back as it was", async () => {
    expect(await store.putSet(LARGE)).toBe(true);
    expect(await readdir(join(folder, "ecpnd", "sets"))).toEqual([`${ID}.json.gz`]);
    const text = gunzipSync(await readFile(join(folder, PACKED))).toString();
    expect(text).toBe(encodeStoredSet(LARGE));
    expect(text.split("\n")[2]).toBe('{"ticker":"T0001","ecpnd_score":0.001},');
    expect(await (await Store.open(folder)).readSet("ecpnd", ID)).toEqual(LARGE);
    expect(await store.listSets("ecpnd")).toEqual([ID]);
    expect(await problemsOf()).toEqual([]);
  });

  test("gives the same bytes on any day and any system, and bytes that git takes for no text", async () => {
    await store.putSet(LARGE);
    const bytes = await readFile(join(folder, PACKED));
    // RFC 1952: no time, system unknown. A zero byte makes git leave the line ends alone.
    expect([...bytes.subarray(3, 8), bytes[9]]).toEqual([0, 0, 0, 0, 0, 255]);
  });

  test("is never rewritten: the same again is fine, other numbers are refused", async () => {
    await store.putSet(LARGE);
    expect(await store.putSet(LARGE)).toBe(false);
    const rows = { tickers, scores: scores.with(1, 0.5) };
    await expect(store.putSet({ ...LARGE, rows })).rejects.toThrow(
      'row 1 is "T0001 0.001" in the store and "T0001 0.5" now',
    );
    await expect(store.putSet(SET)).rejects.toThrow("a published set never changes");
    expect(await readdir(join(folder, "ecpnd", "sets"))).toEqual([`${ID}.json.gz`]);
  });

  test("that an older version kept as text is read, verified, and not written a second time", async () => {
    await putAsBefore(LARGE);
    expect(await store.readSet("ecpnd", ID)).toEqual(LARGE);
    expect(await store.putSet(LARGE)).toBe(false);
    expect((await store.listSets("ecpnd")).toSorted()).toEqual([ID, OTHER_ID].toSorted());
    expect(await store.setFiles("ecpnd", ID)).toEqual([PLAIN]);
    expect(await problemsOf()).toEqual([]);
  });

  test("that stands in two files is read where they are the same, and refused where they differ", async () => {
    await store.putSet(LARGE);
    await writeFile(join(folder, PLAIN), encodeStoredSet(LARGE));
    expect(await (await Store.open(folder)).readSet("ecpnd", ID)).toEqual(LARGE);
    const forged = { ...LARGE, rows: { tickers, scores: scores.with(1, 0.5) } };
    await writeFile(join(folder, PLAIN), encodeStoredSet(forged));
    const reading = (await Store.open(folder)).readSet("ecpnd", ID);
    await expect(reading).rejects.toThrow(IntegrityError);
    await expect(reading).rejects.toThrow(
      'row 1 is "T0001 0.001" in the one and "T0001 0.5" in the other',
    );
    expect(await problemsOf()).toEqual([
      expect.stringContaining(
        "expected the same set as in the other file of its id, got another one",
      ),
    ]);
  });

  test("whose universe the set before had shares its tickers with it", async () => {
    await store.putSet(LARGE);
    const next = { ...LARGE, snapshotId: OTHER_ID, rows: { tickers, scores: scores.toReversed() } };
    await store.putSet(next);
    const first = await store.readSet("ecpnd", ID);
    const second = await store.readSet("ecpnd", OTHER_ID);
    expect(second).toEqual(next);
    expect(second?.rows.tickers).toBe(first?.rows.tickers);
  });
});

describe("verifyStore() names a compressed set file", () => {
  beforeEach(() => store.putSet(LARGE));
  const edit = async (change: (text: string) => string) => {
    const text = gunzipSync(await readFile(join(folder, PACKED))).toString();
    await writeFile(join(folder, PACKED), gzipSync(change(text)));
  };

  test("with a changed digit", async () => {
    await edit((text) => text.replace("0.001", "0.002"));
    expect(await problemsOf()).toEqual([
      expect.stringContaining(`${PACKED}: Cannot read $.sha256`),
    ]);
    await expect(store.readSet("ecpnd", ID)).rejects.toThrow(IntegrityError);
  });

  test("with a byte that was turned over", async () => {
    const bytes = await readFile(join(folder, PACKED));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(join(folder, PACKED), bytes);
    expect(await problemsOf()).toEqual([
      expect.stringContaining(
        `${PACKED}: Cannot read the file: expected whole gzip data of a score set`,
      ),
    ]);
    await expect(store.readSet("ecpnd", ID)).rejects.toMatchObject({ name: "IntegrityError" });
  });

  test("that was cut off", async () => {
    const bytes = await readFile(join(folder, PACKED));
    await writeFile(join(folder, PACKED), bytes.subarray(0, -9));
    expect(await problemsOf()).toEqual([expect.stringContaining("expected whole gzip data")]);
  });

  test("that inflates beyond any set", async () => {
    await writeFile(join(folder, PACKED), gzipSync(new Uint8Array(65 << 20)));
    expect(await problemsOf()).toEqual([expect.stringContaining("expected whole gzip data")]);
  });

  test("beside a text of the same set that has other numbers", async () => {
    const rows = { tickers, scores: scores.with(1, 0.5) };
    await writeFile(join(folder, PLAIN), encodeStoredSet({ ...LARGE, rows }).replace("0.5", "0.6"));
    expect(await problemsOf()).toEqual([expect.stringContaining(`${PLAIN}: Cannot read $.sha256`)]);
  });
});
