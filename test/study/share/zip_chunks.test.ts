import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Unzip, UnzipInflate } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findStudyFiles } from "../../../src/study/share/study_files.ts";
import { madeFile, type StudyFile } from "../../../src/study/share/study_file.ts";
import { zipChunks } from "../../../src/study/share/zip_chunks.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
beforeEach(async () => {
  service = await startStudyService();
});
afterEach(() => service.close());

const TEXTS = { "b.json": "{}", "a/c.txt": "text ".repeat(500), "d.csv.gz": "no text at all" };

test("zipChunks() makes an archive that a reader without a way back reads", async () => {
  const files = new Map(Object.entries(TEXTS).map(([path, text]) => [path, madeFile(text)]));
  const read = new Map<string, string>();
  const unzip = new Unzip((file) => {
    file.ondata = (error, data) => {
      if (error) throw error;
      read.set(file.name, (read.get(file.name) ?? "") + new TextDecoder().decode(data));
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for await (const chunk of zipChunks(files)) unzip.push(chunk);
  unzip.push(new Uint8Array(), true);
  expect([...read]).toEqual(Object.entries(TEXTS).sort(([a], [b]) => a < b ? -1 : 1));
});

test("zipChunks() has one large file in memory: it reads the next when the bytes of the one before were taken", async () => {
  const happened: string[] = [];
  const noting = (path: string): StudyFile => {
    const file = madeFile("0123456789".repeat(200_000));
    return {
      ...file,
      read: () => {
        happened.push(`reads ${path}`);
        return file.read();
      },
    };
  };
  const files = new Map(["a", "b"].map((path) => [path, noting(path)]));
  for await (const _ of zipChunks(files)) happened.push("gives");
  expect(happened.indexOf("gives")).toBeLessThan(happened.indexOf("reads b"));
});

test("findStudyFiles() keeps a small file as it was read, and refuses a large one that changes meanwhile, by name", async () => {
  const folder = await service.makeFolder();
  const study = await service.open(folder);
  await study.scores("ecpnd");
  const large = JSON.stringify({ cells: [], metadata: { note: "x".repeat(1_100_000) } });
  await writeFile(join(folder, "a.ipynb"), large);
  await writeFile(join(folder, "b.ipynb"), '{"cells":[]}');
  const read = (await readLockFile(folder))!;
  const { files } = await findStudyFiles(folder, read, { withoutData: false });
  // Of a small one the archive has what was read and what its checksum is of.
  await writeFile(join(folder, "b.ipynb"), '{"cells":[1]}');
  expect(new TextDecoder().decode(await files.get("b.ipynb")!.read())).toBe('{"cells":[]}');
  await writeFile(join(folder, "a.ipynb"), large.replace("x", "y"));
  await expect(Array.fromAsync(zipChunks(files))).rejects.toThrow(
    "Cannot export a.ipynb: expected the file that was read a moment ago, got a changed one",
  );
});
