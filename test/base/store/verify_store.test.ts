import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ArchiveWriter } from "../../../src/base/store/archive.ts";
import { encodeStoredSet } from "../../../src/base/store/scores/set_file.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { putFixtureRelease } from "../../helpers/fixture_store.ts";
import { ID, OTHER_ID, RECORDING, SET, stored } from "./_stored.ts";
import { sealedAgain, withoutSeal } from "../../helpers/without_seal.ts";

const PUBLISHED = "2026-11-19T14:00:00.000Z";
const CHECKED = "2026-11-19T15:00:00.000Z";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-store-"));
  store = await Store.create(folder, RECORDING);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What a verification finds, a line for each problem. */
async function problemsOf(of: Store = store): Promise<string[]> {
  return (await verifyStore(of)).problems.map(({ path, problem }) => `${path}: ${problem}`);
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(join(folder, path), change(await readFile(join(folder, path), "utf8")));
}

describe("verifyStore()", () => {
  test("finds nothing wrong with a sound store, and counts what it read", async () => {
    await store.putSet(SET);
    const name = await store.putCheck(stored(PUBLISHED));
    await store.putView("ecpnd", { at: "2026-11-19T14:30:00.000Z", check: name });
    await putFixtureRelease(store, {
      factor: "ecqdi",
      rows: ["2026-08-13,A,0.5"],
      availableFrom: PUBLISHED,
    });
    await mkdir(join(folder, "ecqdi", "sets"), { recursive: true });
    await writeFile(join(folder, "ecqdi", "sets", ".tmp-left"), "");
    expect(await verifyStore(store)).toEqual({
      sets: 1,
      checks: 1,
      views: 1,
      releases: 1,
      leftovers: [join("ecqdi", "sets", ".tmp-left")],
      problems: [],
    });
  });
});

test("verifyStore() finds nothing wrong while another process records", async () => {
  await store.putSet(SET);
  const another = await Store.open(folder);
  const listChecks = store.listChecks.bind(store);
  let minute = 0;
  vi.spyOn(store, "listChecks").mockImplementation(async (factor) => {
    const entries = await listChecks(factor);
    if (factor === "ecpnd") {
      const at = `2026-11-19T15:${String(10 + minute++)}:00.000Z`;
      await another.putView("ecpnd", { at, check: await another.putCheck(stored(at)) });
    }
    return entries;
  });
  expect(await problemsOf()).toEqual([]);
  expect(minute).toBeGreaterThan(1);
});

test("verifyStore() finds nothing wrong in a store that git gave other line ends", async () => {
  await store.putSet(SET);
  const name = await store.putCheck(stored(PUBLISHED));
  await store.putView("ecpnd", { at: "2026-11-19T14:30:00.000Z", check: name });
  for (const file of await readdir(folder, { recursive: true })) {
    if (file.endsWith(".json")) await edit(file, (text) => text.replaceAll("\n", "\r\n"));
  }
  expect(await problemsOf(await Store.open(folder))).toEqual([]);
  expect(await store.readSet("ecpnd", ID)).toEqual(SET);
});

describe("verifyStore() names a set file", () => {
  const file = join("ecpnd", "sets", `${ID}.json`);
  beforeEach(() => store.putSet(SET));

  test("with a changed digit", async () => {
    await edit(file, (text) => text.replace("0.30000000000000004", "0.4"));
    expect(await problemsOf()).toEqual([expect.stringContaining(`${file}: Cannot read $.sha256`)]);
  });

  test("whose hash was taken away", async () => {
    await edit(file, (text) => text.replace(/,"sha256":"\w+"/, ""));
    expect(await problemsOf()).toEqual([expect.stringContaining(`${file}: Cannot read $.sha256`)]);
  });

  test("that is not JSON", async () => {
    await edit(file, (text) => text.slice(0, -5));
    expect(await problemsOf()).toEqual([expect.stringContaining(`${file}: `)]);
  });

  test("whose text is not as it is written", async () => {
    await edit(file, (text) => `${text}\n`);
    expect(await problemsOf()).toEqual([`${file}: the text is not in its canonical form`]);
  });

  test("under the name of another set", async () => {
    await rename(join(folder, file), join(folder, "ecpnd", "sets", `${OTHER_ID}.json`));
    const [problem] = await problemsOf();
    expect(problem).toContain(`expected ${OTHER_ID} as in the name, got ${ID}`);
  });

  test("in the folder of the other factor", async () => {
    await mkdir(join(folder, "ecqdi", "sets"), { recursive: true });
    await rename(join(folder, file), join(folder, "ecqdi", "sets", `${ID}.json`));
    expect(await problemsOf()).toEqual([
      `${join("ecqdi", "sets", `${ID}.json`)}: expected ecqdi as in the folder, got ecpnd`,
    ]);
  });
});

describe("verifyStore() names a check", () => {
  beforeEach(() => store.putSet(SET));

  test("whose content is not what its name says", async () => {
    const path = join("ecpnd", "checks", await store.putCheck(stored(CHECKED)));
    await edit(path, (text) => sealedAgain(text.replace("2026-11-18", "2026-11-17")));
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/: expected the name .*\.json for the content, got .+\.json$/),
    ]);
  });

  test("whose time of receipt changed", async () => {
    const path = join("ecpnd", "checks", await store.putCheck(stored(CHECKED)));
    await edit(path, (text) => text.replace(/"retrieved_at": "2026/, '"retrieved_at": "2025'));
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/expected "[0-9a-f]{64}" of the content/),
    ]);
  });

  const { coverage } = stored(CHECKED).check;
  test.each([
    [{ calculatedAt: "2026-11-19T14:00:00.001Z" }, `expected calculated_at ${PUBLISHED}`],
    [{ factorVersion: "ecpnd-v2" }, "expected factor_version ecpnd-v1 as in its set, got ecpnd-v2"],
    [{ coverage: { ...coverage, tickers: 5 } }, "expected coverage.tickers 4 as in its set, got 5"],
  ])("that does not agree with its set: %j", async (change, problem) => {
    await store.putCheck(stored(CHECKED, change));
    expect(await problemsOf()).toEqual([expect.stringContaining(problem)]);
  });

  test("that counts other scores than its set has", async () => {
    const rows = { tickers: ["A", "B"], scores: [0, null] };
    await store.putSet({ ...SET, factor: "ecqdi", factorVersion: "ecqdi-v1", rows });
    const count = (scoredTickers: number) => ({
      factor: "ecqdi",
      scoreName: "ecqdi_score",
      factorVersion: "ecqdi-v1",
      coverage: { ...coverage, tickers: 2, scoredTickers, pendingFactorCalls: 0 },
    } as const);
    await store.putCheck(stored(PUBLISHED, count(1)));
    expect(await problemsOf()).toEqual([]);
    await store.putCheck(stored(CHECKED, count(2)));
    expect(await problemsOf()).toEqual([
      expect.stringContaining("expected coverage.scored_tickers 1 as in its set, got 2"),
    ]);
  });

  test("of an earlier publication after that of a later one", async () => {
    await store.putSet({ ...SET, snapshotId: OTHER_ID, calculatedAt: CHECKED });
    await store.putCheck(stored(CHECKED, { snapshotId: OTHER_ID, calculatedAt: CHECKED }));
    await store.putCheck(stored("2026-11-19T16:00:00.000Z"));
    expect(await problemsOf()).toEqual([
      expect.stringContaining(
        `expected calculated_at not before ${CHECKED} of the previous check, got `,
      ),
    ]);
  });

  test("without its set only where the store claims to be complete", async () => {
    await store.putCheck(stored(CHECKED, { snapshotId: OTHER_ID }));
    expect(await problemsOf()).toEqual([]);
    const complete = { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored(CHECKED, { snapshotId: OTHER_ID }));
    expect(await problemsOf(whole)).toEqual([
      expect.stringContaining(`the set ${OTHER_ID} is missing`),
    ]);
  });
});

describe("verifyStore() names a view", () => {
  let checks: readonly string[];
  beforeEach(async () => {
    await store.putSet(SET);
    checks = [await store.putCheck(stored(PUBLISHED)), await store.putCheck(stored(CHECKED))];
  });

  test("of a check that is not there", async () => {
    await store.putView("ecpnd", { at: CHECKED, check: checks[1]! });
    await rm(join(folder, "ecpnd", "checks", checks[1]!));
    expect(await problemsOf()).toEqual([
      expect.stringContaining(`the check ${checks[1]} is missing`),
    ]);
  });

  test("that was given a check although a later one was there", async () => {
    await store.putView("ecpnd", { at: CHECKED, check: checks[0]! });
    expect(await problemsOf()).toEqual([
      expect.stringContaining(`expected the latest check by then, ${checks[1]}, got ${checks[0]}`),
    ]);
  });

  test("that is earlier than its check", async () => {
    await store.putView("ecpnd", { at: "2026-11-19T14:59:59.999Z", check: checks[1]! });
    expect(await problemsOf()).toEqual([
      expect.stringContaining("a check not after 2026-11-19T14:59:59.999Z"),
    ]);
  });

  test("that is no JSON", async () => {
    await store.putView("ecpnd", { at: CHECKED, check: checks[1]! });
    await edit(join("ecpnd", "views", "2026-11-19T15-00-00.000Z.json"), () => "{");
    expect(await problemsOf()).toHaveLength(1);
  });
});

describe("verifyStore() names a release", () => {
  let sha256: string;
  let releases: string;
  beforeEach(async () => {
    releases = join("ecpnd", "releases");
    const rows = ["2026-08-13,A,0.5", "2026-08-14,A,"];
    sha256 = await putFixtureRelease(store, { factor: "ecpnd", rows, availableFrom: PUBLISHED });
  });

  test("of which a byte changed", async () => {
    const path = join(folder, releases, sha256, "history.csv.gz");
    const bytes = await readFile(path);
    bytes[20]! ^= 1;
    await writeFile(path, bytes);
    expect(await problemsOf()).toEqual([
      expect.stringContaining(`expected SHA-256 ${sha256}, got `),
    ]);
  });

  test("of another size than it was received with", async () => {
    await edit(
      join(releases, sha256, "release.json"),
      (text) =>
        sealedAgain(text.replace(/"size_bytes": (\d+)/, (_, size) => `"size_bytes": ${+size + 1}`)),
    );
    expect(await problemsOf()).toEqual([expect.stringMatching(/expected \d+ bytes, got \d+$/)]);
  });

  test("without its seal, under an edited label", async () => {
    const path = join(releases, sha256, "release.json");
    await edit(path, (text) => withoutSeal(text).replace(/"origin": "/, '"origin": "not '));
    expect(await problemsOf()).toEqual([
      expect.stringMatching(
        /release\.json: .*\$\.sha256: expected "[0-9a-f]{64}" of the content, got nothing/s,
      ),
    ]);
    await expect(store.listReleases("ecpnd")).rejects.toMatchObject({ name: "IntegrityError" });
  });

  test("without seals in a store of version 0.1.0, which had none, is accepted", async () => {
    await edit(join(releases, sha256, "release.json"), withoutSeal);
    await edit("store.json", withoutSeal);
    const older = await Store.open(folder);
    expect([older.isSealed, (await verifyStore(older)).problems]).toEqual([false, []]);
  });

  test("whose metadata are no JSON, and goes on with the others", async () => {
    await edit(join(releases, sha256, "release.json"), () => "{");
    await putFixtureRelease(store, {
      factor: "ecpnd",
      rows: ["2026-08-13,A,0.25"],
      availableFrom: CHECKED,
    });
    const { releases: count, problems } = await verifyStore(store);
    expect(count).toBe(2);
    expect(problems).toEqual([{
      path: join(releases, sha256),
      problem: expect.stringContaining("expected the file as it was written, got a changed one"),
    }]);
  });

  test("in the folder of another", async () => {
    const other = "00".repeat(32);
    await rename(join(folder, releases, sha256), join(folder, releases, other));
    expect(await problemsOf()).toEqual([
      `${join(releases, other, "history.csv.gz")}: expected the folder ${sha256}, got ${other}`,
    ]);
  });

  test("whose file is gone", async () => {
    await rm(join(folder, releases, sha256, "history.csv.gz"));
    expect(await problemsOf()).toHaveLength(1);
  });
});

describe("verifyStore() names an archive", () => {
  test("that is damaged, and counts nothing of it", async () => {
    const path = join(folder, "ecpnd", "sets", "archive.tar");
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, "x".repeat(1_024));
    const problems = await problemsOf();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${join("ecpnd", "sets")}: Cannot read ${path}: expected a tar`);
  });

  test("that holds a set with a changed digit", async () => {
    const writer = new ArchiveWriter(join(folder, "ecpnd", "sets", "archive.tar"));
    writer.add(`${ID}.json`, encodeStoredSet(SET).replace("0.3", "0.4"));
    await writer.finish();
    expect(await problemsOf()).toEqual([expect.stringContaining("$.sha256")]);
  });
});
