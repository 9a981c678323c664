import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const CLOSES = "date,ticker,close\n2026-11-19,BARL,10\n";
// printf 'date,ticker,close\n2026-11-19,BARL,10\n' | sha256sum
const SHA256 = "4aa75ef85f5c2031b92e231b4e50356eb3d526c94822f1811df862208ac54b87";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  await mkdir(folder);
  await writeFile(join(folder, "prices.csv"), CLOSES);
});
afterEach(() => service.close());

const inputs = async () => (await readLockFile(folder))!.lock.inputs;

describe("an input of a study", () => {
  test("is pinned once with its hash, and gives its path", async () => {
    const study = await service.open(folder);
    expect(await study.input("prices.csv")).toBe(join(folder, "prices.csv"));
    expect(await inputs()).toEqual([{ path: "prices.csv", sha256: SHA256, sizeBytes: 37 }]);
    const frozen = await service.openFrozen(folder);
    expect(await frozen.input(join(folder, "prices.csv"))).toBe(join(folder, "prices.csv"));
  });

  test("is refused where it changed, by a load and by verify, until it is pinned anew", async () => {
    const study = await service.open(folder);
    await study.scores("ecpnd");
    await study.input("prices.csv");
    await writeFile(join(folder, "prices.csv"), CLOSES.replace("10", "11"));
    const words =
      /^Cannot use the input prices\.csv: expected the file as pinned, SHA-256 [0-9a-f]{16}… of 37 bytes, got SHA-256/;
    await expect(study.input("prices.csv")).rejects.toThrow(words);
    await expect((await service.openFrozen(folder)).input("prices.csv")).rejects.toThrow(words);
    const { problems } = await verifyStudy(folder);
    expect(problems.map(({ path, says }) => `${path}: ${says}`).join()).toMatch(
      /^prices\.csv: expected the file as pinned/,
    );
    await study.input("prices.csv", { repin: true });
    expect((await verifyStudy(folder)).problems).toEqual([]);
    await rm(join(folder, "prices.csv"));
    expect((await verifyStudy(folder)).problems).toEqual([{
      path: "prices.csv",
      says:
        "the lock has this input, but its file is missing: ask its author for it, because an export may leave it out",
    }]);
  });

  test("is what readPrices() reads in the folder of a study that is open", async () => {
    const elsewhere = join(await service.makeFolder(), "other.csv");
    await writeFile(elsewhere, CLOSES);
    const study = await service.open(folder);
    await readPrices(join(folder, "prices.csv"));
    await readPrices(elsewhere);
    expect((await inputs()).map(({ path }) => path)).toEqual(["prices.csv"]);
    await study.close();
    const frozen = await service.openFrozen(folder);
    await writeFile(join(folder, "prices.csv"), CLOSES.replace("10", "11"));
    await expect(readPrices(join(folder, "prices.csv"))).rejects.toThrow("as pinned");
    await frozen.close();
    expect((await readPrices(join(folder, "prices.csv"))).height).toBe(1);
  });

  test("is refused in the store, or where a frozen study does not have it", async () => {
    const study = await service.open(folder);
    await expect(study.input("store/store.json")).rejects.toThrow("got one elsewhere");
    await study.input("prices.csv");
    await writeFile(join(folder, "sectors.csv"), "ticker,sector\n");
    await expect((await service.openFrozen(folder)).input("sectors.csv")).rejects.toThrow(
      /^Cannot use the input sectors\.csv: expected it in the lock of the frozen study .*, got prices\.csv; a run with/,
    );
  });

  test("is found through a link to the folder, and a link that leads out of it is none", async () => {
    const study = await service.open(folder);
    const outside = join(await service.makeFolder(), "licensed.csv");
    await writeFile(outside, CLOSES);
    await symlink(outside, join(folder, "link.csv"));
    await expect(study.input("link.csv")).rejects.toThrow("got one elsewhere");
    const way = join(await service.makeFolder(), "way");
    await symlink(folder, way);
    expect(await study.input(join(way, "prices.csv"))).toBe(join(folder, "prices.csv"));
  });
});
