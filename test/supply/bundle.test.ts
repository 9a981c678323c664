// @heavy: installations from a registry
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gappyMarket } from "../desk/dataset/_markets.ts";
import { lacksProgram } from "../helpers/lacks_program.ts";
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
    expect(await offline("--version")).toMatch(/^scoreframe 0\.2\.0, /);
    expect(await offline("demo")).toContain("60 rows × 13 columns [synthetic]");
  }, PATIENCE_MS);

  test("runs behind a link", async () => {
    const link = join(home, "linked");
    await symlink(join(place, "scoreframe/scoreframe"), link);
    expect((await run(link, ["--version"])).stdout).toMatch(/^scoreframe 0\.2\.0, /);
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

test("the command of the bundle runs a variant where there is no network and no home", async () => {
  const { scores, prices } = gappyMarket(3, 300, 8);
  const [scoresFile, pricesFile, to] = ["scores.parquet", "closes.csv", "v"].map((it) =>
    join(home, it)
  );
  scores.writeParquet(scoresFile!);
  prices.writeCSV(pricesFile!);
  await offline("analyse", "--scores", scoresFile!, "--prices", pricesFile!, "--to", to!);
  expect((await readdir(to!)).length).toBeGreaterThan(10);
}, PATIENCE_MS);
