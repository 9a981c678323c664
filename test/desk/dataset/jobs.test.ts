// @heavy: engines in Java and Python
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { exportDataset } from "../../../src/desk/dataset/mod.ts";
import { saveTables } from "../../../src/desk/dataset/part/save_tables.ts";
import { gappyMarket } from "./part/_markets.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { lacksPython, PYTHON } from "../../helpers/python.ts";
import { startSparkCluster } from "./_spark_cluster.ts";

const JOBS = join(ROOT, "docs/beyond-one-machine");
const SCOREFRAME = `${process.execPath} run -A ${join(ROOT, "src/app/cli/main.ts")}`;
const LONG_MS = 600_000;

// Four years: so many tasks, of which some are open when a worker dies.
const { scores: unnamed, prices } = gappyMarket(9, 900, 12);
const scores = unnamed.withColumns(pl.lit("mine").alias("factor"));

let home: string;
let dataset: string;
let expected: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-jobs-"));
  [dataset, expected] = [join(home, "dataset"), join(home, "expected")];
  await exportDataset(scores, dataset);
  await exportDataset(prices, dataset);
  const asked = { placebo: false, progress: false } as const;
  await saveTables(await analyzeFactor(scores, prices, asked), expected);
}, LONG_MS);
afterAll(() => rm(home, { recursive: true }));

function run(command: string, args: readonly string[], env: Record<string, string> = {}) {
  return spawn(command, args, {
    env: { ...process.env, SCOREFRAME, PYTHONPATH: "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

function ended(child: ChildProcess): Promise<number | null> {
  let errors = "";
  child.stderr!.on("data", (chunk) => errors += chunk);
  return new Promise((resolve, reject) =>
    child.on("exit", (code) => code === 0 ? resolve(0) : reject(new Error(errors.slice(-3000))))
  );
}

async function expectSameBytes(folder: string): Promise<void> {
  const names = await readdir(expected);
  expect(names.length).toBeGreaterThan(10);
  expect((await readdir(folder)).toSorted()).toEqual(names.toSorted());
  for (const name of names) {
    const [ours, theirs] = [
      await readFile(join(expected, name)),
      await readFile(join(folder, name)),
    ];
    expect(theirs.equals(ours), name).toBe(true);
  }
}

/** Waits until a folder has a file, which a job writes. */
async function appears(folder: string, pattern: RegExp): Promise<void> {
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    if (names.some((name) => pattern.test(name))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe.skipIf(lacksPython("pyspark"))("the Spark job", () => {
  test(
    "gives the bytes of an analysis in memory, also if a worker is killed in the middle",
    async () => {
      const out = join(home, "spark");
      const cluster = await startSparkCluster(2, join(home, "workers"));
      try {
        const job = run(PYTHON, [join(JOBS, "spark_job.py"), dataset, "mine", out], {
          PYSPARK_SUBMIT_ARGS: `--master ${cluster.master} --conf spark.ui.enabled=false ` +
            "--conf spark.executor.memory=512m --conf spark.driver.host=127.0.0.1 pyspark-shell",
          SPARK_LOCAL_IP: "127.0.0.1",
        });
        const end = ended(job);
        await Promise.race([appears(join(out, "parts"), /\.parquet$/), end]);
        cluster.kill(0);
        await end;
      } finally {
        cluster.stop();
      }
      await expectSameBytes(join(out, "tables"));
    },
    LONG_MS,
  );
});

describe.skipIf(lacksPython("pyspark"))("variants on Spark", () => {
  test("each have the tables of an analysis in memory with the options of their file", async () => {
    const out = join(home, "variants");
    const asked = { periods: [5], returns: { entryLag: 2 } };
    const files = { "soon.json": { periods: [5] }, "late.json": asked };
    for (const [name, options] of Object.entries(files)) {
      await writeFile(join(home, name), JSON.stringify(options));
    }
    const paths = Object.keys(files).map((name) => join(home, name));
    const env = {
      PYSPARK_SUBMIT_ARGS: "--master local[2] pyspark-shell",
      SPARK_LOCAL_IP: "127.0.0.1",
    };
    await ended(run(PYTHON, [join(JOBS, "spark_job.py"), dataset, "mine", out, ...paths], env));
    const late = await analyzeFactor(scores, prices, { ...asked, placebo: false, progress: false });
    const ics = await Promise.all(
      ["soon", "late"].map((name) => readFile(join(out, name, "tables/ic.parquet"))),
    );
    const [soon, found] = ics.map((bytes) => pl.readParquet(bytes));
    expect(found!.frameEqual(late.ic, true)).toBe(true);
    expect(soon!.frameEqual(late.ic, true)).toBe(false);
  }, LONG_MS);
});

describe.skipIf(lacksPython("distributed"))("the Dask job", () => {
  test("gives the bytes of an analysis in memory", async () => {
    const out = join(home, "dask");
    const cluster = join(import.meta.dirname!, "dask_cluster.py");
    await ended(run(PYTHON, [cluster, join(JOBS, "dask_job.py"), dataset, "mine", out]));
    await expectSameBytes(join(out, "tables"));
  }, LONG_MS);
});

describe("the shell scripts", () => {
  // What GNU parallel and Slurm would call, without them.
  const bin = () => join(home, "bin");
  beforeAll(async () => {
    await mkdir(bin());
    const tools = {
      scoreframe: `#!/bin/bash\nexec ${SCOREFRAME} "$@"\n`,
      parallel: "#!/bin/bash\n" +
        "while [[ $1 == --* ]]; do case $1 in --halt|--retries) shift 2;; *) shift;; esac; done\n" +
        'xargs -P 2 -I{} "$@"\n',
    };
    for (const [name, text] of Object.entries(tools)) {
      await writeFile(join(bin(), name), text);
      await chmod(join(bin(), name), 0o755);
    }
  });

  test("of GNU parallel gives the bytes of an analysis in memory", async () => {
    const out = join(home, "parallel");
    const path = `${bin()}:${process.env["PATH"]}`;
    await ended(run("bash", [join(JOBS, "parallel.sh"), dataset, "mine", out], { PATH: path }));
    await expectSameBytes(join(out, "tables"));
  }, LONG_MS);

  test("of a Slurm array writes the part of its task", async () => {
    const out = join(home, "slurm");
    const env = {
      ...process.env,
      PATH: `${bin()}:${process.env["PATH"]}`,
      ...{ DATASET: dataset, FACTOR: "mine", OUT: out, SLURM_ARRAY_TASK_ID: "2027" },
    };
    await promisify(execFile)("bash", [join(JOBS, "slurm_array.sh")], { env });
    expect(await readdir(join(out, "parts"))).toEqual(["mine-2027.parquet"]);
  }, LONG_MS);
});
