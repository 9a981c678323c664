import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Release } from "../../../src/base/contract/release.ts";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { Store } from "../../../src/base/store/store.ts";
import { check, ID, OTHER_ID, RECORDING, SET, stored } from "./_stored.ts";

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-store-"));
  store = await Store.create(folder, RECORDING);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("Store", () => {
  test("gives a set back as it was: null, 0, every bit of a number, every odd ticker", async () => {
    expect(await store.putSet(SET)).toBe(true);
    expect(await (await Store.open(folder)).readSet("ecpnd", ID)).toEqual(SET);
    expect(await store.readSet("ecqdi", ID)).toBeNull();
  });

  test("keeps one row a line in a set file, for people and for git", async () => {
    await store.putSet(SET);
    const lines = (await readFile(join(folder, "ecpnd", "sets", `${ID}.json`), "utf8")).split("\n");
    expect(lines[1]).toBe('{"ticker":"1E5","ecpnd_score":0},');
    expect(lines[3]).toBe('{"ticker":"NA","ecpnd_score":null},');
  });

  test("never rewrites a set: the same again is fine, other numbers are refused with the difference", async () => {
    await store.putSet(SET);
    const path = join(folder, "ecpnd", "sets", `${ID}.json`);
    await utimes(path, 1, 1);
    expect(await store.putSet(SET)).toBe(false);
    expect((await stat(path)).mtimeMs).toBe(1000);
    const other = { ...SET, rows: { ...SET.rows, scores: [0, 0.3, null, 1] } };
    await expect(store.putSet(other)).rejects.toThrow(
      `Cannot keep the ecpnd set ${ID}: expected the rows in the store, got others: ` +
        'row 1 is "A 0.30000000000000004" in the store and "A 0.3" now; a published set never changes, ' +
        "so report it to the service; the store keeps its own",
    );
    await expect(store.putSet({ ...SET, factorVersion: "ecpnd-v2" })).rejects.toThrow("ecpnd-v2");
    expect(await store.readSet("ecpnd", ID)).toEqual(SET);
  });

  test("does not give a set for another whose name its file has", async () => {
    await store.putSet(SET);
    const sets = join(folder, "ecpnd", "sets");
    await copyFile(join(sets, `${ID}.json`), join(sets, `${OTHER_ID}.json`));
    await expect(store.readSet("ecpnd", OTHER_ID)).rejects.toThrow(
      `$.snapshot_id: expected "${OTHER_ID}", got "${ID}"`,
    );
  });

  test("shows a row that came where the stored set ends", async () => {
    await store.putSet(SET);
    const rows = { tickers: [...SET.rows.tickers, "ZZ"], scores: [...SET.rows.scores, 0.5] };
    await expect(store.putSet({ ...SET, rows })).rejects.toThrow("no row");
  });

  test("refuses to write anything that looks like a key", async () => {
    const leaking = stored("2026-11-19T15:00:00.000Z", { universe: "svc_live_0123456789" });
    await expect(store.putCheck(leaking)).rejects.toThrow(/ecpnd.* key/);
    expect(await store.listChecks("ecpnd")).toEqual([]);
  });

  test("keeps one file per content of a check, whenever it was received", async () => {
    const first = await store.putCheck(stored("2026-11-19T15:00:00.000Z"));
    const again = {
      ...stored("2026-11-19T15:00:00.000Z"),
      retrievedAt: "2026-11-20T09:00:00.000Z",
    };
    expect(await store.putCheck(again)).toBe(first);
    expect(first).toMatch(/^2026-11-19T15-00-00\.000Z--[0-9a-f]{12}\.json$/);
    const read = await store.readCheck("ecpnd", first);
    expect(read?.retrievedAt).toBe("2026-11-20T08:00:00.000Z");
    expect(read?.check).toEqual(check("2026-11-19T15:00:00.000Z"));
  });

  test("lists what another process wrote a moment ago", async () => {
    const neighbour = await Store.open(folder);
    for (let hour = 10; hour < 20; hour++) {
      await neighbour.putCheck(stored(`2026-11-19T${hour}:00:00.000Z`));
      expect((await store.listChecks("ecpnd")).length).toBe(hour - 9);
    }
  });

  test("lets many writers put the same set at once", async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => Store.open(folder)));
    const results = await Promise.all(stores.map((each) => each.putSet(SET)));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await readdir(join(folder, "ecpnd", "sets"))).toEqual([`${ID}.json`]);
  });

  test("says what is missing when a folder is no store", async () => {
    const nowhere = join(folder, "nowhere");
    await expect(Store.open(nowhere)).rejects.toMatchObject({
      name: "StorageError",
      message:
        `Cannot open the store "${nowhere}": expected a folder with a store.json, got no such ` +
        "folder; choose the folder of a store",
    });
  });

  test("tells a damaged store.json from one of a later version", async () => {
    const path = join(folder, "store.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, JSON.stringify({ ...JSON.parse(text), sha256: undefined, format: 2 }));
    await expect(Store.open(folder)).rejects.toThrow(
      "expected a store.json of format 1, got another (Cannot read store.json.format: expected 1, got 2); use a version of scoreframe that",
    );
    for (const damaged of ["{", text.replace("recording", "world"), text.slice(0, 40), "[]"]) {
      await writeFile(path, damaged);
      await expect(Store.open(folder)).rejects.toThrow(
        /expected the store\.json that was written, got a damaged one \(.+\); restore the file from git or a backup/s,
      );
    }
  });

  test("says what is in the way when a folder cannot be made or written", async () => {
    const inTheWay = join(folder, "store.json", "store");
    await expect(Store.create(inTheWay, RECORDING)).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringMatching(
        /^Cannot make the store ".*store": expected access to the file system, got "E.*"; move away what is in its place, or use another folder$/,
      ),
      cause: expect.objectContaining({ code: expect.stringMatching(/^E(NOTDIR|EXIST)$/) }),
    });
    await mkdir(join(folder, "ecpnd"), { recursive: true });
    await writeFile(join(folder, "ecpnd", "sets"), "a file where a folder is needed");
    await expect(store.putSet(SET)).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringContaining(`Cannot write ${join(folder, "ecpnd", "sets", ID)}.json`),
    });
    await expect(store.listSets("ecpnd")).rejects.toThrow(StorageError);
  });

  test("keeps its first description when it is created again", async () => {
    const again = await Store.create(folder, { ...RECORDING, description: "Another" });
    expect(again.info.description).toBe("A recording");
  });

  test("holds a view final: another check for the same instant is refused", async () => {
    const name = await store.putCheck(stored("2026-11-19T15:00:00.000Z"));
    const at = "2026-11-19T15:30:00.000Z";
    await store.putView("ecpnd", { at, check: name });
    await store.putView("ecpnd", { at, check: name });
    const later = await store.putCheck(stored("2026-11-19T15:20:00.000Z"));
    await expect(store.putView("ecpnd", { at, check: later })).rejects.toThrow(
      "a view never changes",
    );
  });

  test.each(["{", "null", "{}"])(
    "refuses a view that was changed since it was kept: %s",
    async (text) => {
      const name = await store.putCheck(stored("2026-11-19T15:00:00.000Z"));
      const at = "2026-11-19T15:30:00.000Z";
      await store.putView("ecpnd", { at, check: name });
      await writeFile(join(folder, "ecpnd", "views", "2026-11-19T15-30-00.000Z.json"), text);
      const reading = store.readView("ecpnd", at);
      await expect(reading).rejects.toThrow(IntegrityError);
      await expect(reading).rejects.toThrow(
        "expected the file as it was written, got a changed one",
      );
    },
  );
});

// printf 'not a real gzip file' | sha256sum
const BYTES = "not a real gzip file";
const BYTES_SHA256 = "9236395ebf0f50f66c1efccd8de68d43ce6021457457f3b8eb40602a8b83dcff";

function release(downloadSha256: string): Release {
  const nothing = null;
  return {
    factor: "ecpnd",
    factorVersion: "ecpnd-v1",
    firstSession: nothing,
    lastSession: nothing,
    windowYears: nothing,
    windowStart: nothing,
    windowEnd: nothing,
    sessions: nothing,
    tickers: nothing,
    rows: nothing,
    scoredRows: nothing,
    missingRows: nothing,
    availability: nothing,
    universe: nothing,
    download: "/v1/scores/history.csv.gz?factor=ecpnd",
    downloadSha256,
    sourceSha256: nothing,
    extra: { unknown: 1 },
  };
}

describe("a release", () => {
  const receipt = {
    release: release(BYTES_SHA256),
    sha256: BYTES_SHA256,
    sizeBytes: 20,
    availableFrom: "2026-11-01T00:00:00.000Z",
    origin: "https://service.example",
  };

  test("becomes part of the store whole, under its checksum", async () => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    const kept = await staging.commit(receipt);
    expect(kept.path).toBe(join(folder, "ecpnd", "releases", BYTES_SHA256, "history.csv.gz"));
    expect(await readFile(kept.path, "utf8")).toBe(BYTES);
    expect(await store.listReleases("ecpnd")).toEqual([kept]);
    expect(kept.release).toEqual(receipt.release);
  });

  test.each([
    ["checksum", { sha256: "00".repeat(32) }, "SHA-256"],
    ["size", { sizeBytes: 21 }, "expected a file of 21 bytes, got 20"],
  ])("with another %s leaves nothing behind", async (_, change, message) => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    await expect(staging.commit({ ...receipt, ...change })).rejects.toThrow(message);
    expect(await store.listReleases("ecpnd")).toEqual([]);
    expect(await readdir(join(folder, "ecpnd", "releases"))).toEqual([]);
  });

  test("whose metadata were changed since is refused, and the folder to remove is named", async () => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    await staging.commit(receipt);
    const kept = join(folder, "ecpnd", "releases", BYTES_SHA256);
    await writeFile(join(kept, "release.json"), "{");
    const listing = store.listReleases("ecpnd");
    await expect(listing).rejects.toThrow(IntegrityError);
    await expect(listing).rejects.toThrow(`remove ${kept}, and load the release again`);
  });

  test("that is discarded leaves nothing behind", async () => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    await staging.discard();
    await staging.discard();
    expect(await readdir(join(folder, "ecpnd", "releases"))).toEqual([]);
  });
});
