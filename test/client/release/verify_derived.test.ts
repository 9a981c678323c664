import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyDerived } from "../../../src/client/release/verify_derived.ts";
import { Store } from "../../../src/base/store/store.ts";
import { vouchFor } from "../../helpers/vouch_for.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
let store: Store;
let derived: string;
beforeEach(async () => {
  service = await startService();
  const api = await service.connect();
  const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
  derived = join(dirname(raw.path), "history.parquet");
  store = await Store.open(api.store);
});
afterEach(() => service.close());

const problems = async () => (await verifyDerived(store)).map(({ problem }) => problem);
const vouching = () => `${derived}.json`;

/** Replaces the derived file by its rows with other columns, under a checksum that is right. */
async function forge(...columns: readonly pl.Expr[]): Promise<void> {
  const rows = pl.readParquet(await readFile(derived)).withColumns(...columns);
  rows.writeParquet(derived);
  await vouchFor(derived);
}

describe("verifyDerived()", () => {
  test("finds nothing wrong with what a load wrote", async () => {
    expect(await verifyDerived(store)).toEqual([]);
  });

  test("finds nothing wrong where nothing was derived", async () => {
    await rm(derived);
    expect(await verifyDerived(store)).toEqual([]);
  });

  test("names a file that changed since it was written", async () => {
    const bytes = await readFile(derived);
    await writeFile(derived, bytes.with(9, bytes[9]! ^ 1));
    const [found, ...others] = await verifyDerived(store);
    expect(others).toEqual([]);
    const release = basename(dirname(derived));
    expect(found!.path).toBe(join("ecpnd", "releases", release, "history.parquet"));
    expect(found!.problem).toMatch(
      /^expected the CRC-32 [0-9a-f]{8} from when it was written, got .*; remove it; it will be rebuilt/,
    );
  });

  test.each([
    ["a score", () => pl.col("ecpnd_score").mul(pl.lit(0.5)).alias("ecpnd_score")],
    ["a missing score that became 0", () => pl.col("ecpnd_score").fillNull(pl.lit(0))],
    ["a date", () => pl.lit(new Date("2026-08-13")).cast(pl.Date).alias("date")],
    ["the text of the tickers", () => pl.lit("A").alias("ticker")],
    ["the codes of the tickers", () => pl.col("ticker_code").max().alias("ticker_code")],
  ])(
    "names a file whose checksum is right and which has another content: %s",
    async (_, column) => {
      await forge(column());
      expect(await problems()).toEqual([
        "expected the rows of the original, got others; remove it; it will be rebuilt from the original",
      ]);
    },
  );

  test("names tickers that stand for other codes", async () => {
    const { codes } = JSON.parse(await readFile(vouching(), "utf8"));
    await vouchFor(derived, { codes: codes.toReversed() });
    expect(await problems()).toEqual([expect.stringMatching(/^expected the rows of the original/)]);
  });

  test("names a file that is no Parquet file, though its checksum is right", async () => {
    await writeFile(derived, "nothing of the kind");
    await vouchFor(derived);
    expect(await problems()).toEqual([
      expect.stringMatching(/^expected a Parquet file of the release: .*; remove it/),
    ]);
  });

  test("leaves a damaged original to the verification of the store", async () => {
    const path = join(dirname(derived), "history.csv.gz");
    const bytes = await readFile(path);
    await writeFile(path, bytes.with(40, bytes[40]! ^ 1));
    expect(await verifyDerived(store)).toEqual([]);
  });
});
