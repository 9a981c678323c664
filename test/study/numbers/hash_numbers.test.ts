import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashReleaseNumbers, hashSetNumbers } from "../../../src/study/numbers/hash_numbers.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { KEY } from "../../client/_service.ts";
import { startStudyService, type StudyService } from "../_study.ts";

// The lines of the guide, which need nothing but Python's standard library.
const GUIDE = await readFile(join(ROOT, "docs/studies.md"), "utf8");
const PYTHON = /^```python\n([\s\S]*?)^```/m.exec(GUIDE)![1]!;

const python = async (path: string) =>
  (await promisify(execFile)("python3", ["-c", PYTHON, path])).stdout.trim();

let service: StudyService;
let folder: string;
beforeAll(async () => {
  service = await startStudyService();
  folder = await service.makeFolder();
});
afterAll(() => service.close());

describe("the hash of the numbers", () => {
  test("of a set is what Python makes of the service's CSV", async () => {
    const study = await service.open(join(folder, "sets"));
    for (const factor of ["ecpnd", "ecqdi"] as const) {
      await study.scores(factor);
      const url = `http://localhost/v1/scores?factor=${factor}&format=csv`;
      const response = await service.server.fetch(
        new Request(url, { headers: { authorization: `Bearer ${KEY}` } }),
      );
      const path = join(folder, `${factor}.csv`);
      await writeFile(path, await response.text());
      const locked = study.lock!.sets.find((set) => set.factor === factor);
      expect(locked!.numbers).toBe(await python(path));
    }
  });

  test("of a release is what Python makes of its compressed file", async () => {
    const study = await service.open(join(folder, "releases"));
    await study.history("ecqdi");
    const releases = join(study.store, "ecqdi/releases");
    const [digest] = await readdir(releases);
    expect(study.lock!.releases[0]!.numbers).toBe(
      await python(join(releases, digest!, "history.csv.gz")),
    );
  });

  test("does not depend on the order of the rows, and tells null, 0 and another ticker apart", () => {
    const hash = (tickers: string[], scores: (number | null)[]) =>
      hashSetNumbers("ecpnd", { tickers, scores });
    const plain = hash(["A", "B"], [0, 0.5]);
    expect(hash(["B", "A"], [0.5, 0])).toBe(plain);
    expect(hash(["A", "B"], [-0, 0.5])).toBe(plain);
    const others = [
      hash(["A", "B"], [null, 0.5]),
      hash(["A", "B"], [0.5, 0]),
      hash(["A", "C"], [0, 0.5]),
      hash(["A"], [0]),
      hashSetNumbers("ecqdi", { tickers: ["A", "B"], scores: [0, 0.5] }),
    ];
    expect(new Set([plain, ...others]).size).toBe(6);
  });

  test("of sets that share their tickers is that of each set by itself", () => {
    const tickers = ["-", "A", "BRK.B", "LONGEST-NAME.X16", "Z1234567"];
    for (const scores of [[0, 0.5, 1, 0.25, 0.125], [null, 0.5, null, 1, null], [1, 1, 1, 1, 1]]) {
      const alone = hashSetNumbers("ecpnd", {
        tickers: tickers.toReversed(),
        scores: scores.toReversed(),
      });
      expect(hashSetNumbers("ecpnd", { tickers, scores })).toBe(alone);
    }
  });

  test("of a release does not depend on the order of rows or on how tickers are numbered", () => {
    const one = hashReleaseNumbers("ecpnd", {
      days: Int32Array.of(20_000, 20_000, 20_001),
      numbers: Uint32Array.of(0, 1, 1),
      scores: Float64Array.of(0.5, NaN, 1),
      tickers: ["A", "B"],
    });
    const other = hashReleaseNumbers("ecpnd", {
      days: Int32Array.of(20_001, 20_000, 20_000),
      numbers: Uint32Array.of(0, 0, 1),
      scores: Float64Array.of(1, NaN, 0.5),
      tickers: ["B", "A"],
    });
    expect(other).toBe(one);
  });

  test("takes more rows than one piece holds", () => {
    const tickers = Array.from({ length: 9000 }, (_, i) => `T${String(i).padStart(5, "0")}`);
    const scores = tickers.map((_, i) => i / 9000);
    const hash = hashSetNumbers("ecpnd", { tickers, scores });
    expect(hashSetNumbers("ecpnd", { tickers: tickers.toReversed(), scores: scores.toReversed() }))
      .toBe(hash);
    expect(hashSetNumbers("ecpnd", { tickers, scores: scores.with(8999, null as never) }))
      .not.toBe(hash);
  });
});
