import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IntegrityError } from "../../../../src/base/errors.ts";
import { tryParquet } from "../../../../src/frames/frame/polars/try_parquet.ts";
import { readPrices } from "../../../../src/frames/prices/read_prices.ts";

const DAYS = 20;
const TICKERS = ["AAA", "BB", "C"];
const rows = Array.from({ length: DAYS * TICKERS.length }, (_, i) => i);

let folder: string;
let whole: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-parquet-"));
  whole = join(folder, "whole.parquet");
  pl.DataFrame([
    pl.Series("date", rows.map((i) => new Date(Date.UTC(2026, 0, 2 + Math.floor(i / 3)))), pl.Date),
    pl.Series("ticker", rows.map((i) => TICKERS[i % 3]!), pl.Utf8),
    pl.Series("close", rows.map((i) => 100 + i * 1.25), pl.Float64),
  ]).writeParquet(whole, { compression: "zstd" });
});
afterAll(() => rm(folder, { recursive: true }));

/** Files with one flipped bit each, in the beginning of the columns. */
async function flipped(): Promise<readonly string[]> {
  const bytes = await readFile(whole);
  const paths: string[] = [];
  for (let bit = 80 * 8; bit < 92 * 8; bit++) {
    const copy = Uint8Array.from(bytes);
    copy[bit >> 3]! ^= 1 << (bit & 7);
    const path = join(folder, `bit-${bit}.parquet`);
    await writeFile(path, copy);
    paths.push(path);
  }
  return paths;
}

test("a file whose flipped bit ends the process that reads it is an error that names it", async () => {
  const error = await tryParquet(await flipped()).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(IntegrityError);
  const [, name] =
    /^Cannot read (bit-\d+\.parquet): expected a whole Parquet file, got one whose damage ends the process/
      .exec(String((error as Error).message))!;
  // This process would have ended.
  await expect(readPrices(join(folder, name!))).rejects.toThrow(`Cannot read ${name}`);
});

test("whole files, missing ones and other texts are left to their reader", async () => {
  const text = join(folder, "text.parquet");
  await writeFile(text, "date,ticker,close\n");
  await tryParquet([whole, text, join(folder, "none.parquet")]);
  await expect(readPrices(text)).rejects.toThrow(/whole Parquet file, got/);
});
