// @heavy: installations from a registry
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportDataset } from "../../src/desk/dataset/mod.ts";
import { startSparkCluster } from "../desk/dataset/_spark_cluster.ts";
import { gappyMarket } from "../desk/dataset/part/_markets.ts";
import { lacksProgram } from "../helpers/lacks_program.ts";
import { lacksPython, PYTHON } from "../helpers/python.ts";
import { packedOnce } from "../helpers/pack.ts";
import { ROOT } from "../helpers/source_files.ts";

// The packages come from the registry.
const PATIENCE_MS = 900_000;
const JOBS = join(ROOT, "docs/beyond-one-machine");
const HADOLINT = join(ROOT, ".scoreframe/venv/bin/hadolint");
const run = promisify(execFile);

let home: string;
let file: string;
let place: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-bundle-"));
  [file, place] = [join(home, "scoreframe.tgz"), join(home, "opt")];
  await mkdir(place);
  const args = ["run", "-A", join(ROOT, ".ci/bundle.ts"), file, await packedOnce()];
  // Fast compression: no test depends on the size of the file.
  await run(Deno.execPath(), args, { cwd: ROOT, env: { ...process.env, GZIP: "-1" } });
  await run("tar", ["xzf", file, "-C", place]);
}, PATIENCE_MS);
afterAll(() => rm(home, { recursive: true, force: true }));

/** Links to the unpacked files. */
async function copyBundle(folder: string): Promise<void> {
  await run("cp", ["-al", place, folder]);
}

/** Runs the command where there is no network, no home and no other program than those of the system. */
async function offline(...words: readonly string[]): Promise<string> {
  const script = [join(place, "scoreframe/scoreframe"), ...words];
  // A machine has at least its own address, which the demo serves at.
  const alone = ["-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];
  const env = ["env", "-i", "PATH=/usr/bin:/bin"];
  const { stdout } = await run("unshare", [...alone, ...env, ...script]);
  return stdout;
}

describe.skipIf(process.platform !== "linux")("the bundle", () => {
  test("runs without a network, a home directory and Node", async () => {
    const { stdout } = await run("unshare", ["-rn", "cat", "/proc/net/dev"]);
    expect(stdout.match(/^ *\w+:/gm)).toEqual(["    lo:"]);
    expect(await offline("--version")).toMatch(/^scoreframe 0\.1\.0, /);
    expect(await offline("demo")).toContain("60 rows × 13 columns [synthetic]");
  }, PATIENCE_MS);

  test("runs behind a link", async () => {
    const link = join(home, "linked");
    await symlink(join(place, "scoreframe/scoreframe"), link);
    expect((await run(link, ["--version"])).stdout).toMatch(/^scoreframe 0\.1\.0, /);
  }, PATIENCE_MS);

  test(
    "says where native Polars is missing, and what to do, before it reads anything",
    async () => {
      const other = join(home, "other");
      await copyBundle(other);
      const modules = join(other, "scoreframe/node_modules");
      for (const name of await readdir(modules)) {
        if (name.startsWith("nodejs-polars-")) await rm(join(modules, name), { recursive: true });
      }
      const failed = await run(join(other, "scoreframe/scoreframe"), ["demo"]).catch((e) => e);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toMatch(
        /^Cannot load scoreframe: .*nodejs-polars for linux \w+, got none.*\n$/,
      );
    },
    PATIENCE_MS,
  );
});

test.skipIf(lacksProgram(HADOLINT, "the container file of the bundle"))(
  "hadolint finds nothing in the container file, and its entry is in the bundle",
  async () => {
    const path = join(JOBS, "Containerfile");
    expect((await run(HADOLINT, ["--no-color", path])).stdout).toBe("");
    const [, entry] = /^ENTRYPOINT \["\/opt\/(.+)"\]$/m.exec(await readFile(path, "utf8"))!;
    expect(existsSync(join(place, entry!))).toBe(true);
    const asRoot = join(home, "Containerfile");
    await writeFile(asRoot, (await readFile(path, "utf8")).replace("USER 1993", "USER root"));
    const complaint = await run(HADOLINT, ["--no-color", asRoot]).catch((error) => error);
    expect(complaint.stdout).toContain("Last USER should not be root");
  },
  PATIENCE_MS,
);

describe.skipIf(lacksPython("pyspark"))("spark.archives", () => {
  test("gives each executor the command", async () => {
    const { scores, prices } = gappyMarket(3, 300, 8);
    const [dataset, out, driver] = ["dataset", "out", "driver"].map((it) => join(home, it));
    await exportDataset(scores.withColumns(pl.lit("mine").alias("factor")), dataset!);
    await exportDataset(prices, dataset!);
    await mkdir(driver!);
    await copyBundle(join(driver!, "sf"));
    const cluster = await startSparkCluster(1, join(home, "workers"));
    try {
      await ended(driver!, [join(JOBS, "spark_job.py"), dataset!, "mine", out!], {
        SCOREFRAME: "sf/scoreframe/scoreframe",
        PYTHONPATH: "",
        SPARK_LOCAL_IP: "127.0.0.1",
        PYSPARK_SUBMIT_ARGS: `--master ${cluster.master} --conf spark.ui.enabled=false ` +
          `--conf spark.archives=${file}#sf --conf spark.executor.memory=512m ` +
          "--conf spark.driver.host=127.0.0.1 pyspark-shell",
      });
    } finally {
      cluster.stop();
    }
    expect((await readdir(join(out!, "parts"))).length).toBeGreaterThan(1);
    expect((await readdir(join(out!, "tables"))).length).toBeGreaterThan(10);
  }, PATIENCE_MS);
});

function ended(cwd: string, words: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(PYTHON, words, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => errors += chunk);
  return new Promise((resolve, reject) =>
    child.on("exit", (code) => code === 0 ? resolve() : reject(new Error(errors.slice(-3000))))
  );
}
