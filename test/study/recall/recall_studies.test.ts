import { rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  openTemporaryFolder,
  type TemporaryFolder,
} from "../../../src/base/disk/temporary_folder.ts";
import { indexStudies } from "../../../src/study/recall/recall_index.ts";
import { recallStudies } from "../../../src/study/recall/recall_studies.ts";
import { generateStudies, NOTHING, type PlantedCause } from "./_generated_studies.ts";

let place: TemporaryFolder;
let root: string;
let index: string;
let causes: readonly PlantedCause[];

beforeAll(async () => {
  place = await openTemporaryFolder("recalled");
  root = join(place.path, "research");
  index = join(place.path, "cache", "recall.json");
  causes = await generateStudies(root, 120);
  return () => place.remove();
});

async function recalled(cause: PlantedCause["cause"]): Promise<readonly string[]> {
  const { recalled, untold } = await recallStudies(await indexStudies(root, index), cause);
  expect(untold).toEqual([]);
  return recalled.map(({ folder }) => relative(root, folder)).toSorted();
}

describe("recallStudies()", () => {
  test("names the studies that stand on each of sixty planted causes, and no other", async () => {
    expect(causes).toHaveLength(60);
    for (const { name, cause, expected } of causes) {
      expect({ name, studies: await recalled(cause) }).toEqual({ name, studies: expected });
    }
    expect(causes.filter(({ expected }) => expected.length > 0).length).toBeGreaterThan(50);
  });

  test("reads nothing again that did not change", async () => {
    await indexStudies(root, index);
    expect((await indexStudies(root, index)).read).toBe(0);
    await writeFile(join(root, "desk-0", "study 0000", "more.ts"), "export const more = 1;\n");
    expect((await indexStudies(root, index)).read).toBe(1);
    await rm(join(root, "desk-0", "study 0000", "more.ts"));
  });

  test("gives the same answer without its index, and with a damaged one", async () => {
    const { cause, expected } = causes[0]!;
    await rm(index);
    expect(await recalled(cause)).toEqual(expected);
    await writeFile(index, "{ half");
    expect(await recalled(cause)).toEqual(expected);
  });

  test("answers two processes that write the index at once", async () => {
    await rm(index, { force: true });
    const both = await Promise.all([indexStudies(root, index), indexStudies(root, index)]);
    expect(both.map(({ studies }) => studies.length)).toEqual([120, 120]);
    expect((await indexStudies(root, index)).read).toBe(0);
  });

  test("answers where the index cannot be written", async () => {
    const indexed = await indexStudies(root, "/proc/none/recall.json");
    expect((await recallStudies(indexed, { ...NOTHING })).recalled).toHaveLength(120);
  });
});
