import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IntegrityError } from "../../src/base/errors.ts";
import { vouchFor } from "../helpers/vouch_for.ts";
import { startStudyService, type StudyService } from "./_study.ts";

let service: StudyService;
let folder: string;
let derived: string;
beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  const { raw } = await study.history("ecpnd", { lazy: true }).withResponse();
  derived = join(dirname(raw.path), "history.parquet");
});
afterEach(() => service.close());

const replay = async (
  options: { readonly lazy?: boolean; readonly tickers?: "text" | "categorical" } = {},
): Promise<pl.DataFrame | pl.LazyDataFrame> => {
  const study = await service.openFrozen(folder);
  return await study.history("ecpnd", options as never);
};

test.each([false, true])("a replayed release is the one of the lock (lazy: %s)", async (lazy) => {
  const frame = await replay({ lazy });
  const rows = "collect" in frame ? await (frame as pl.LazyDataFrame).collect() : frame;
  expect((rows as pl.DataFrame).height).toBeGreaterThan(0);
  expect(await readdir(dirname(derived))).toContain("history.parquet");
});

test.each([false, true])(
  "a score that changed in the derived file, whose checksum was redone, is refused (lazy: %s)",
  async (lazy) => {
    const rows = pl.readParquet(await readFile(derived));
    rows.withColumns(pl.col("ecpnd_score").mul(0.5).alias("ecpnd_score")).writeParquet(derived);
    await vouchFor(derived);
    const error: Error = await replay({ lazy }).then(() => null, (error) => error);
    expect(error).toBeInstanceOf(IntegrityError);
    expect(error.message).toMatch(
      /^Cannot replay .*: expected \{"factor":"ecpnd","download_sha256":.* [0-9a-f]{64} .*remove history\.parquet from /,
    );
  },
);

test("tickers that change places beside the derived file, whose hash was redone, are refused", async () => {
  const { codes } = JSON.parse(await readFile(`${derived}.json`, "utf8"));
  const locked = await replay() as pl.DataFrame;
  await vouchFor(derived, { codes: codes.toReversed() });
  await expect(replay({ tickers: "categorical" })).rejects.toThrow(IntegrityError);
  // Tickers as text are those of the file, whatever stands beside it.
  expect((await replay() as pl.DataFrame).frameEqual(locked)).toBe(true);
});

test("tickers that change places in the derived file, whose checksum was redone, are refused", async () => {
  const rows = pl.readParquet(await readFile(derived));
  const swapped = pl.Series("ticker", rows.getColumn("ticker").toArray().toReversed(), pl.Utf8);
  rows.withColumn(swapped).writeParquet(derived);
  await vouchFor(derived);
  await expect(replay()).rejects.toThrow(IntegrityError);
});
