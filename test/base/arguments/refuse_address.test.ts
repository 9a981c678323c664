import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { demo, exportRelease, openStudy, readPrices } from "../../../mod.ts";
import { openStore } from "../../../src/base/store/open_store.ts";
import { buildWorld } from "../../../src/server/world/build_world.ts";
import { openWorld } from "../../../src/server/world/world.ts";
import { trialLog } from "../../../src/analysis/mod.ts";
import { saveFile } from "../../../src/report/chart/save_file.ts";
import { main } from "../../../src/app/cli/main.ts";
import { connect } from "../../../src/client/connect.ts";
import { exportDataset, openDataset, saveTables } from "../../../src/desk/dataset/mod.ts";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { refuseAddress } from "../../../src/base/arguments/refuse_address.ts";

const BUCKET = "s3://bucket/x";
const PRICES = pl.DataFrame({ date: ["2026-01-02"], ticker: ["AAA"], close: [1] });
const HOME = process.cwd();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-address-"));
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(HOME);
  await rm(folder, { recursive: true });
});

const SERVICE = {
  apiKey: "svc_test_0123456789abcdef0123456789abcdef",
  baseUrl: "https://api.example.com",
  environment: {},
};

describe("an address where a path is expected", () => {
  test.each<[string, () => unknown]>([
    ["exportDataset()", () => exportDataset(PRICES, BUCKET)],
    ["openDataset()", () => openDataset(BUCKET)],
    ["saveTables()", () => saveTables({} as never, BUCKET)],
    ["exportRelease()", () => exportRelease(PRICES, BUCKET)],
    ["readPrices()", () => readPrices(`${BUCKET}.parquet`)],
    ["trialLog()", () => trialLog(BUCKET)],
    ["save() of a chart and of a sheet", () => saveFile("save a chart", `${BUCKET}.svg`, "")],
    ["openStudy()", () => openStudy(BUCKET)],
    ["exportStudy()", () => exportStudy(".", `${BUCKET}.zip`, { name: "x" } as never)],
    ["importStudy()", () => importStudy("study.zip", BUCKET)],
    ["openStore()", () => openStore(BUCKET)],
    ["connect() with a store", () => connect({ ...SERVICE, store: BUCKET })],
    ["connect() with a cache", () => connect({ ...SERVICE, cacheDir: BUCKET })],
    ["buildWorld()", () => buildWorld(BUCKET)],
    ["openWorld()", () => openWorld(BUCKET)],
    ["demo() in a folder", () => demo({ folder: BUCKET })],
  ])("is refused by %s, and no folder s3: is made", async (_, call) => {
    await expect(Promise.resolve().then(call)).rejects.toThrow(
      /^Cannot .*: expected a path on this machine, got the address "s3:\/\/bucket\/x.*"; use a path on this machine, and copy the files by "aws s3 sync"/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ["gs://b/x", 'by "gcloud storage rsync"'],
    ["abfss://c@a.dfs.core.windows.net/x", 'by "azcopy"'],
    ["hdfs://name/x", "hdfs dfs -put"],
    ["dbfs:/mnt/x", "begins with /dbfs/"],
    ["file:///data/x", "without file://"],
    ["https://example.com/x", "download it"],
    ["s3:/bucket/x", "aws s3 sync"],
    ["memory://x", "copy the files"],
  ])("%s gets advice of its own", (path, advice) => {
    expect(() => refuseAddress("write", path)).toThrow(advice);
  });

  test.each(["x", "/a/b:c/d", "C:\\data", "C:/data", "factor=ecpnd/year=2024", "a:b", "", 7])(
    "%s is none",
    (path) => expect(() => refuseAddress("write", path)).not.toThrow(),
  );

  test.each([
    [["analyse", "--scores", "s", "--prices", "p", "--to", `${BUCKET}/v`]],
    [["analyse", "--scores", `${BUCKET}/s.parquet`, "--prices", "p", "--to", "v"]],
    [["analyse", "--collect", "v", "--to", BUCKET]],
    [["serve", "--state", BUCKET]],
    [["relay", "user", "list", "--state", BUCKET]],
    [["study", "import", "a.zip", BUCKET]],
  ])("ends %j with exit 2", async (words) => {
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const code = await main(words, { out: say, error: say } as never);
    expect([code, lines[0]]).toEqual([2, expect.stringContaining('the address "s3://bucket/x')]);
    expect(await readdir(folder)).toEqual([]);
  });
});
