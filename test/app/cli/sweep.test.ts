import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportDataset } from "../../../src/desk/dataset/export_dataset.ts";
import { gappyMarket } from "../../desk/dataset/part/_markets.ts";
import { runMain } from "./_run_main.ts";

const LONG_MS = 900_000;

let home: string;
let dataset: string;
let sweep: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-sweep-cli-"));
  [dataset, sweep] = [join(home, "dataset"), join(home, "sweep.json")];
  const market = gappyMarket(4, 300);
  await exportDataset(market.scores, dataset, { factor: "mine" });
  await exportDataset(market.prices, dataset);
  await writeFile(sweep, '{ "factors": ["mine"], "lags": [0, 2], "horizons": [1] }');
});
afterAll(() => rm(home, { recursive: true }));

const run = (...args: string[]) => runMain("sweep", ...args);

describe("sweep", () => {
  test(
    "lists its partitions, analyses them one by one or all, and leaves finished parts alone",
    async () => {
      const out = join(home, "result");
      expect((await run(sweep, dataset, "--list")).out).toBe("year=2026\nyear=2027");
      expect((await run(sweep, dataset, "--partition", "year=2027", "--out", out)).out)
        .toBe("year=2027: 2 variants, 2 written, 0 finished already");
      expect((await run(sweep, dataset, "--out", out)).out).toBe(
        "year=2026: 2 variants, 2 written, 0 finished already\n" +
          "year=2027: 2 variants, 0 written, 2 finished already",
      );
    },
    LONG_MS,
  );

  test("merges to a table, a picture with the adjusted threshold, and a trial log", async () => {
    const out = join(home, "merged");
    await run(sweep, dataset, "--out", out);
    const { code, out: said } = await run(sweep, "--merge", "--out", out);
    expect(code).toBe(0);
    expect(said).toContain("the adjusted threshold for the smallest p value is 0.05/2 = 0.025");
    expect(await readdir(out)).toEqual(
      expect.arrayContaining(["trial_log.jsonl", "parts", "sweep.csv", "sweep.svg"]),
    );
    const [head, ...rows] = (await readFile(join(out, "sweep.csv"), "utf8")).trim().split("\n");
    expect(head).toBe(
      "variant,also,factor,transform,lag,universe,horizon,sessions,mean,ratio,t,df,p,p_holm,p_by,p_stepm,detectable,reason",
    );
    expect(rows.map((row) => row.split(",").slice(0, 7).join()).toSorted()).toEqual([
      "mine,,mine,none,0,all,1",
      "mine--lag2,,mine,none,2,all,1",
    ]);
    expect(await readFile(join(out, "sweep.svg"), "utf8")).toContain("for the best of 2");
  }, LONG_MS);

  test.each([
    [[], "Cannot sweep: expected SWEEP and DATASET, got neither"],
    [["a.json"], 'expected SWEEP and DATASET, got "a.json"'],
    [["a.json", "data", "--merge"], 'expected SWEEP, got "a.json data"'],
    [["a.json", "--merge"], "Cannot sweep: expected --out FOLDER, got none"],
    [["a.json", "data", "--partitions", "x"], "did you mean --partition?"],
  ])("refuses the words %j", async (words, message) => {
    const { code, error } = await run(...words);
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  test("says what is wrong with the file or the partition", async () => {
    const wrong = join(home, "wrong.json");
    await writeFile(wrong, '{ "factor": "mine" }');
    expect((await run(wrong, dataset, "--out", home)).error).toContain(
      `Cannot read the sweep ${wrong}: expected the fields factors, combinations,`,
    );
    const { error } = await run(sweep, dataset, "--out", home, "--partition", "2026");
    expect(error).toContain('expected year=2024, quarter=2024-Q1 or month=2024-03, got "2026"');
    expect((await run(join(home, "none.json"), dataset, "--out", home)).code).not.toBe(0);
  });
});
