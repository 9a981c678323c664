// @heavy: clusters in Python whose workers are killed
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { trialLog } from "../../../src/analysis/trial_log.ts";
import { saveTables } from "../../../src/desk/dataset/save_tables.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { lacksPython, PYTHON } from "../../helpers/python.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { gappyMarket } from "../dataset/_markets.ts";

const JOBS = join(ROOT, "docs/beyond-one-machine");
const SCOREFRAME = `${process.execPath} run -A ${join(ROOT, "src/app/cli/main.ts")}`;
const LONG_MS = 1_200_000;
// SCOREFRAME_VARIANTS=200 SCOREFRAME_KILLS=20 tries what a cluster runs overnight.
const VARIANTS = Number(process.env["SCOREFRAME_VARIANTS"] ?? 10);
const KILLS = Number(process.env["SCOREFRAME_KILLS"] ?? 2);

const optionsOf = (i: number) => ({
  ...{ periods: [1 + i % 9], quantiles: 2 + i % 5 },
  returns: { entryLag: Math.floor(i / 9) },
});

let home: string;
let scores: string;
let prices: string;
let files: string[];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-jobs-"));
  [scores, prices] = [join(home, "scores.parquet"), join(home, "closes.csv")];
  const market = gappyMarket(9, 400, 12);
  market.scores.writeParquet(scores);
  market.prices.writeCSV(prices);
  await mkdir(join(home, "options"));
  files = Array.from({ length: VARIANTS }, (_, i) => join(home, "options", `v${i}.json`));
  await Promise.all(files.map((file, i) => writeFile(file, JSON.stringify(optionsOf(i)))));
});
afterAll(() => rm(home, { recursive: true }));

function runJob(kind: string, out: string): Promise<string> {
  const cluster = join(import.meta.dirname!, "run_cluster.py");
  const job = join(JOBS, `${kind}_job.py`);
  const child = spawn(PYTHON, [cluster, kind, job, String(KILLS), scores, prices, out, ...files], {
    env: { ...process.env, SCOREFRAME, PYTHONPATH: "", RAY_USAGE_STATS_ENABLED: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [said, errors] = ["", ""];
  child.stdout.on("data", (chunk) => said += chunk);
  child.stderr.on("data", (chunk) => errors += chunk);
  return new Promise((resolve, reject) =>
    child.on("exit", (code) => code === 0 ? resolve(said) : reject(new Error(errors.slice(-3000))))
  );
}

describe.each([["dask", "distributed"], ["ray", "ray"]])("the job for %s", (kind, name) => {
  test.skipIf(lacksPython(name))(
    "gives each variant the bytes of an analysis alone, and the union of the trial logs, while workers are killed",
    async () => {
      const out = join(home, kind);
      const said = await runJob(kind, out);
      expect(said.match(/^killed/gm)).toHaveLength(KILLS);
      expect((await readdir(out)).filter((one) => /^v\d+$/.test(one))).toHaveLength(VARIANTS);
      const frames = [pl.readParquet(await readFile(scores)), await readPrices(prices)] as const;
      const one = trialLog();
      for (let i = 0; i < VARIANTS; i++) {
        const alone = join(home, "alone", `v${i}`);
        const own = trialLog();
        const asked = { ...optionsOf(i), progress: false, trialLog: own };
        for (const table of await saveTables(await analyzeFactor(...frames, asked), alone)) {
          const [ours, theirs] = await Promise.all(
            [join(out, `v${i}`), alone].map((folder) => readFile(join(folder, table))),
          );
          expect(ours!.equals(theirs!), `v${i} ${table}`).toBe(true);
        }
        one.unite([own]);
      }
      const texts = (tried: typeof one) =>
        tried.variants().map(({ what, options, n, t, p }) =>
          JSON.stringify([what, Object.entries(options).toSorted(), n, t, p])
        ).toSorted();
      const all = trialLog(join(out, "all"));
      expect(texts(all)).toEqual(texts(one));
      expect(all.problems).toEqual([]);
      const rows = pl.readParquet(await readFile(join(out, "all/variants.parquet")));
      expect(rows.getColumn("status").toArray()).toEqual(Array(VARIANTS).fill("finished"));
    },
    LONG_MS,
  );
});
