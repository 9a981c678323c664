import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Check } from "../../src/contract/check.ts";
import type { Release } from "../../src/contract/release.ts";
import { readPublication, selectCheckAt } from "../../src/store/select_check.ts";
import type { StoredSet } from "../../src/store/set_file.ts";
import { Store } from "../../src/store/store.ts";
import { verifyStore } from "../../src/store/verify_store.ts";

const ID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
const OTHER_ID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02";
const RECORDING = {
  format: 1,
  kind: "recording",
  description: "A recording",
  synthetic: false,
  complete: null,
  origin: {},
} as const;

const SET: StoredSet = {
  factor: "ecpnd",
  snapshotId: ID,
  factorVersion: "ecpnd-v1",
  calculatedAt: "2026-11-19T14:00:00.000Z",
  rows: { tickers: ["1E5", "A", "NA", "TRUE"], scores: [0, 0.1 + 0.2, null, 1] },
};

function check(lastCheckedAt: string, change: Partial<Check> = {}): Check {
  return {
    factor: "ecpnd",
    scoreName: "ecpnd_score",
    universe: "US research universe",
    factorVersion: "ecpnd-v1",
    snapshotId: ID,
    calculatedAt: "2026-11-19T14:00:00.000Z",
    lastCheckedAt,
    dataThrough: lastCheckedAt,
    status: "current",
    pricesThrough: "2026-11-18",
    coverage: {
      tickers: 4,
      priceTickersCurrent: 4,
      priceTickersTracked: 4,
      pendingCalls: 0,
      failedCalls: 0,
      scoredTickers: null,
      pendingFactorCalls: null,
      extra: {},
    },
    extra: { note: "unknown fields are kept" },
    ...change,
  };
}

function stored(lastCheckedAt: string, change: Partial<Check> = {}) {
  return {
    check: check(lastCheckedAt, change),
    retrievedAt: "2026-11-20T08:00:00.000Z",
    origin: "https://service.example",
  };
}

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
      `Cannot keep the ecpnd set ${ID}: a published set never changes, ` +
        'row 1 is "A 0.30000000000000004" in the store and "A 0.3" now',
    );
    await expect(store.putSet({ ...SET, factorVersion: "ecpnd-v2" })).rejects.toThrow("ecpnd-v2");
    expect(await store.readSet("ecpnd", ID)).toEqual(SET);
  });

  test("refuses to write anything that looks like a key", async () => {
    const leaking = stored("2026-11-19T15:00:00.000Z", { universe: "svc_live_0123456789" });
    await expect(store.putCheck(leaking)).rejects.toThrow("no API key may be stored");
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
    await expect(Store.open(join(folder, "nowhere"))).rejects.toThrow("store.json is required");
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
    await expect(store.putView("ecpnd", { at, check: later })).rejects.toThrow("final once given");
  });
});

describe("selectCheckAt()", () => {
  const AT = "2026-11-19T15:00:00.000Z";

  test("knows nothing of an instant that a recording does not prove", async () => {
    await store.putCheck(stored(AT));
    expect(await selectCheckAt(store, "ecpnd", "2026-11-19T15:00:00.001Z")).toEqual({
      known: false,
    });
    expect(await selectCheckAt(store, "ecpnd", "2026-11-19T14:59:59.999Z")).toEqual({
      known: false,
    });
  });

  test("knows the instant of a check itself, and all between it and a view that gave it", async () => {
    const name = await store.putCheck(stored(AT));
    await store.putView("ecpnd", { at: "2026-11-19T15:40:00.000Z", check: name });
    for (const at of [AT, "2026-11-19T15:10:00.000Z", "2026-11-19T15:40:00.000Z"]) {
      const selection = await selectCheckAt(store, "ecpnd", at);
      expect(selection.known && selection.stored?.check.lastCheckedAt).toBe(AT);
    }
    expect((await selectCheckAt(store, "ecpnd", "2026-11-19T15:40:00.001Z")).known).toBe(false);
  });

  test("does not take a later view of a later check as proof", async () => {
    await store.putCheck(stored(AT));
    const later = await store.putCheck(stored("2026-11-19T16:00:00.000Z"));
    await store.putView("ecpnd", { at: "2026-11-19T16:30:00.000Z", check: later });
    expect((await selectCheckAt(store, "ecpnd", "2026-11-19T15:30:00.000Z")).known).toBe(false);
  });

  test("does not hand out a stale label, which belongs to a latest request, as the recorded status", async () => {
    await store.putCheck(stored(AT, { status: "stale" }));
    expect((await selectCheckAt(store, "ecpnd", AT)).known).toBe(false);
    await store.putCheck(stored(AT, { status: "partial_market_data" }));
    const selection = await selectCheckAt(store, "ecpnd", AT);
    expect(selection.known && selection.stored?.check.status).toBe("partial_market_data");
  });

  test("decides everything in the span that a store declares complete, also that there was nothing", async () => {
    const complete = { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored("2026-11-19T14:00:00.000Z"));
    await whole.putCheck(stored(AT));
    const select = (at: string) => selectCheckAt(whole, "ecpnd", at);
    expect(await select("2026-11-19T13:59:59.999Z")).toEqual({ known: true, stored: null });
    expect(await select("2026-11-19T23:00:00.000Z")).toMatchObject({
      stored: { check: { lastCheckedAt: AT } },
    });
    expect(await select("2026-11-20T00:00:00.001Z")).toEqual({ known: false });
  });

  test("readPublication() finds the check with which a set was published", async () => {
    await store.putCheck(stored(AT));
    expect(await readPublication(store, "ecpnd", "2026-11-19T14:00:00.000Z")).toBeNull();
    await store.putCheck(stored("2026-11-19T14:00:00.000Z"));
    const publication = await readPublication(store, "ecpnd", "2026-11-19T14:00:00.000Z");
    expect(publication?.check.lastCheckedAt).toBe("2026-11-19T14:00:00.000Z");
  });
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
    ["size", { sizeBytes: 21 }, "21 bytes are required, the file has 20"],
  ])("with another %s leaves nothing behind", async (_, change, message) => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    await expect(staging.commit({ ...receipt, ...change })).rejects.toThrow(message);
    expect(await store.listReleases("ecpnd")).toEqual([]);
    expect(await readdir(join(folder, "ecpnd", "releases"))).toEqual([]);
  });

  test("that is discarded leaves nothing behind", async () => {
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    await staging.discard();
    await staging.discard();
    expect(await readdir(join(folder, "ecpnd", "releases"))).toEqual([]);
  });
});

describe("verifyStore()", () => {
  test("finds nothing wrong with a sound store", async () => {
    await store.putSet(SET);
    const name = await store.putCheck(stored("2026-11-19T14:00:00.000Z"));
    await store.putView("ecpnd", { at: "2026-11-19T14:30:00.000Z", check: name });
    expect(await verifyStore(store)).toEqual({
      sets: 1,
      checks: 1,
      views: 1,
      releases: 0,
      leftovers: [],
      problems: [],
    });
  });

  test("names each damaged file and what is wrong with it", async () => {
    await store.putSet(SET);
    const name = await store.putCheck(stored("2026-11-19T14:00:00.000Z"));
    const other = await store.putCheck(stored("2026-11-19T15:00:00.000Z", { snapshotId: ID }));
    await store.putView("ecpnd", { at: "2026-11-19T15:30:00.000Z", check: name });
    const staging = await store.stageRelease("ecpnd");
    await writeFile(staging.path, BYTES);
    const kept = await staging.commit({
      release: release(BYTES_SHA256),
      sha256: BYTES_SHA256,
      sizeBytes: 20,
      availableFrom: "2026-11-01T00:00:00.000Z",
      origin: "x",
    });
    await writeFile(kept.path, "not a real gzip fil3");
    const sets = join(folder, "ecpnd", "sets");
    const text = await readFile(join(sets, `${ID}.json`), "utf8");
    await writeFile(join(sets, `${OTHER_ID}.json`), text);
    await writeFile(join(sets, "changed.json"), text.replace("0.30000000000000004", "0.4"));
    const checkPath = join(folder, "ecpnd", "checks", other);
    await writeFile(
      checkPath,
      (await readFile(checkPath, "utf8")).replace("2026-11-18", "2026-11-17"),
    );
    await mkdir(join(folder, "ecqdi"), { recursive: true });
    await writeFile(join(folder, "ecqdi", ".tmp-left"), "");
    const report = await verifyStore(store);
    expect(report.leftovers).toEqual([join("ecqdi", ".tmp-left")]);
    const problems = report.problems.map(({ path, problem }) => `${path}: ${problem}`);
    expect(problems.filter((line) => line.includes(OTHER_ID))[0]).toContain(
      `the name requires ${OTHER_ID}`,
    );
    expect(problems.some((line) => line.includes("changed.json") && line.includes("$.sha256")))
      .toBe(true);
    expect(problems.some((line) => line.includes(other) && line.includes("requires the name")))
      .toBe(true);
    expect(
      problems.some((line) => line.includes("15-30-00") && line.includes("latest check by then")),
    ).toBe(true);
    expect(problems.some((line) => line.includes("history.csv.gz") && line.includes("SHA-256")))
      .toBe(true);
    expect(problems).toHaveLength(5);
  });

  test("misses the set of a check where the store claims to be complete", async () => {
    const complete = { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored("2026-11-19T14:00:00.000Z"));
    const { problems } = await verifyStore(whole);
    expect(problems[0]?.problem).toBe(`the set ${ID} is missing`);
  });
});
