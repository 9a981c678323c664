import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { verifyDerived } from "../../../src/client/release/verify_derived.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import { Store } from "../../../src/base/store/store.ts";
import {
  FILE,
  GOOD_LINES,
  gzipLines,
  HEAD,
  METADATA,
  offerLargeRelease,
  offerRelease,
} from "./_release_files.ts";
import { sealedAgain } from "../../helpers/without_seal.ts";
import { vouchFor } from "../../helpers/vouch_for.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);
const linesWith = (score: string) => gzipLines(GOOD_LINES.with(1, `2026-08-13,A,${score}`));

describe("history() from the store", () => {
  test("refuses a file that changed on the disk, and says how to get it again", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const bytes = await readFile(raw.path);
    await writeFile(raw.path, bytes.with(40, bytes[40]! ^ 1));
    const error: Error = await api.history("ecpnd").then(() => null, (error) => error);
    expect(error).toBeInstanceOf(IntegrityError);
    expect(error.message).toContain("of the compressed");
    expect(error.message).toContain(`remove ${dirname(raw.path)} and load again`);
  });

  test("refuses a file of another size than the one that was received", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const metadata = join(dirname(raw.path), "release.json");
    const text = await readFile(metadata, "utf8");
    await writeFile(metadata, sealedAgain(text.replace(/"size_bytes": \d+/, '"size_bytes": 1234')));
    await expect(api.history("ecpnd", { offline: true })).rejects.toThrow(
      /size in bytes: expected 1,234, got/,
    );
  });

  test("accepts metadata that the service corrected, from then on also offline", async () => {
    let rows = 5;
    const api = await service.connect({
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) !== METADATA) return response;
        const headers = new Headers(response.headers);
        headers.delete("Content-Length");
        return new Response(JSON.stringify({ ...await response.json(), rows }), { headers });
      },
    });
    await expect(api.history("ecpnd")).rejects.toThrow("expected 5, got 4");
    rows = 4;
    sent();
    expect((await api.history("ecpnd")).height).toBe(4);
    expect(sent()).toEqual([METADATA]);
    const lazy = await api.history("ecpnd", { lazy: true, offline: true }).withResponse();
    expect(lazy.raw.release.rows).toBe(4);
    rows = 3;
    await expect(api.history("ecpnd")).rejects.toThrow("expected 3, got 4");
    const { downloadSha256 } = lazy.raw.release;
    expect((await api.history("ecpnd", { downloadSha256 })).height).toBe(4);
  });

  test("gives a lazy frame with the same rows, tickers as text, and provenance", async () => {
    const api = await service.connect();
    const lazy = await api.history("ecpnd", { lazy: true });
    const wanted = await lazy.filter(pl.col("ticker").eq(pl.lit("NA"))).collect();
    expect(wanted.select("date", "ticker", "ecpnd_score", "factor").rows()).toEqual([
      [new Date("2026-08-13"), "NA", null, "ecpnd"],
      [new Date("2026-08-14"), "NA", 1, "ecpnd"],
    ]);
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
  });

  test("reads the derived Parquet file, and makes a damaged one anew from the original", async () => {
    const api = await service.connect();
    const { data: lazy, raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const rows = (await lazy.collect()).toRecords();
    const derived = join(dirname(raw.path), "history.parquet");
    const eager = await api.history("ecpnd", { offline: true }).withResponse();
    expect(eager.data.drop("source").toRecords()).toEqual(rows.map(({ source: _, ...row }) => row));
    expect(eager.raw.report.checks).toHaveLength(18);
    const bytes = await readFile(derived);
    await writeFile(derived, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1));
    const again = await api.history("ecpnd", { offline: true, lazy: true });
    expect((await again.collect()).drop("source").toRecords())
      .toEqual(rows.map(({ source: _, ...row }) => row));
    expect((await readFile(derived)).equals(bytes)).toBe(true);
  });

  test("reads tickers as text from a file that was written from categories", async () => {
    // Of another frame, in Polars' one table of categories.
    const others = pl.Series("others", ["OTHER1", "OTHER2"], pl.Utf8).cast(pl.Categorical);
    const api = await service.connect();
    const lazy = await api.history("ecpnd", { lazy: true, tickers: "categorical" });
    expect(String((await lazy.collect()).schema["ticker"])).toBe("DataType(String)");
    const { data, raw } = await api.history("ecpnd", { offline: true }).withResponse();
    expect(String(data.schema["ticker"])).toBe("DataType(String)");
    expect(data.getColumn("ticker").toArray()).toEqual(["A", "NA", "A", "NA"]);
    const bytes = await readFile(join(dirname(raw.path), "history.parquet"));
    expect(bytes.includes("OTHER")).toBe(false);
    expect(others.toArray()).toEqual(["OTHER1", "OTHER2"]);
    expect(await verifyDerived(await Store.open(api.store))).toEqual([]);
  });

  test("says that a lazy frame needs a Parquet file which cannot be written", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    await mkdir(join(dirname(raw.path), "history.parquet", "in the way"), { recursive: true });
    await expect(api.history("ecpnd", { lazy: true, offline: true })).rejects.toThrow(
      /^Cannot load the ecpnd history lazily: expected to write a Parquet file beside .* load it without lazy/,
    );
    expect((await api.history("ecpnd", { offline: true })).height).toBe(4);
  });

  test("reads a derived file whose tickers have other places in this process", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const derived = join(dirname(raw.path), "history.parquet");
    const known = JSON.parse(await readFile(`${derived}.json`, "utf8"));
    // As if another process had written it, in which the two tickers stood the other way round.
    await vouchFor(derived, { codes: known.codes.toReversed() });
    const frame = await api.history("ecpnd", { offline: true, tickers: "categorical" });
    expect(frame.getColumn("ticker").toArray()).toEqual(["NA", "A", "NA", "A"]);
    // Text needs no places.
    const text = await api.history("ecpnd", { offline: true });
    expect(text.getColumn("ticker").toArray()).toEqual(["A", "NA", "A", "NA"]);
  });

  test.each([
    ["tickers", (known: { tickers: string[] }) => ({ tickers: known.tickers.toReversed() })],
    ["codes", (known: { codes: number[] }) => ({ codes: known.codes.toReversed() })],
  ])(
    "gives every row its ticker although the %s beside the derived file changed",
    async (_, change) => {
      const api = await service.connect();
      const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
      const path = join(dirname(raw.path), "history.parquet.json");
      const known = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...known, ...change(known) }));
      for (const tickers of ["categorical", "text"] as const) {
        const frame = await api.history("ecpnd", { offline: true, tickers });
        expect(frame.getColumn("ticker").toArray()).toEqual(["A", "NA", "A", "NA"]);
      }
    },
  );

  test("never lets Polars see a derived file with other bytes: some end the process", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const path = join(dirname(raw.path), "history.parquet");
    const bytes = await readFile(path);
    await writeFile(path, bytes.with(9, bytes[9]! ^ 1));
    const scan = vi.spyOn(pl, "scanParquet");
    const frame = await api.history("ecpnd", { offline: true });
    expect(frame.getColumn("ecpnd_score").toArray()).toEqual([0.5, null, 0.25, 1]);
    expect(scan).not.toHaveBeenCalled();
    scan.mockRestore();
  });

  test("never gives a score that changed in the derived Parquet file", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const derived = join(dirname(raw.path), "history.parquet");
    const bytes = await readFile(derived);
    // The upper bytes of 0.25 become those of 0.375: a file of the same size that Polars reads.
    const [quarter, other] = [Buffer.of(0xd0, 0x3f), Buffer.of(0xd8, 0x3f)];
    expect(bytes.includes(quarter)).toBe(true);
    for (let at = bytes.indexOf(quarter); at >= 0; at = bytes.indexOf(quarter)) {
      other.copy(bytes, at);
    }
    await writeFile(derived, bytes);
    const frame = await api.history("ecpnd", { offline: true });
    expect(frame.getColumn("ecpnd_score").toArray()).toEqual([0.5, null, 0.25, 1]);
  });

  test("gives offline the release that came last", async () => {
    const api = await service.connect();
    await api.history("ecpnd");
    service.clock.ms += 1_000;
    await offerRelease(service.fixture.store, linesWith("0.75"));
    await api.history("ecpnd");
    sent();
    expect((await api.history("ecpnd", { offline: true })).row(0)[2]).toBe(0.75);
    expect(sent()).toEqual([]);
  });

  test("takes a checksum in upper case for the same one", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    sent();
    const downloadSha256 = raw.release.downloadSha256.toUpperCase();
    expect((await api.history("ecpnd", { downloadSha256 })).height).toBe(4);
    expect(sent()).toEqual([]);
  });

  test("says that the store gave the rows, also when the metadata were asked for", async () => {
    const api = await service.connect();
    const sourceOf = async () => (await api.history("ecpnd")).getColumn("source").toArray()[0];
    expect([await sourceOf(), await sourceOf()])
      .toEqual(["embedded, synthetic", "store, synthetic"]);
  });
});

test("history() reads a file of some megabytes in a thread of its own, with the same result", async () => {
  const rows = await offerLargeRelease(service.fixture.store);
  const api = await service.connect();
  const downloaded = await api.history("ecpnd");
  expect(downloaded.height).toBe(rows.length);
  expect(downloaded.row(rows.length - 1)[2]).toBe(Number(rows.at(-1)!.split(",")[2]));
  const derived = await api.history("ecpnd", { offline: true });
  expect(derived.drop("source").frameEqual(downloaded.drop("source"))).toBe(true);
  const categorical = await api.history("ecpnd", { offline: true, tickers: "categorical" });
  const asText = categorical.withColumn(pl.col("ticker").cast(pl.Utf8));
  expect(asText.frameEqual(derived)).toBe(true);
});

test("history() has constant columns in one piece, also from a file that was written in pieces", async () => {
  const rows = await offerLargeRelease(service.fixture.store);
  const api = await service.connect();
  const lazy = await api.history("ecpnd", { lazy: true });
  const last = await lazy.filter(pl.col("date").eq(pl.lit(new Date("2025-09-17")).cast(pl.Date)))
    .collect();
  expect(last.getColumn("ticker").toArray().slice(0, 3)).toEqual(["T0", "T1", "T2"]);
  const whole = await api.history("ecpnd", { offline: true });
  expect(whole.height).toBe(rows.length);
  const inPieces = whole.columns.filter((name) => whole.getColumn(name).nChunks() > 1);
  expect(inPieces).toEqual(["ticker", "ecpnd_score"]);
  const lines = whole.tail(2).rows().map(([date, ticker, score]) =>
    `${(date as Date).toISOString().slice(0, 10)},${ticker},${score}`
  );
  expect(lines).toEqual(rows.slice(-2));
});

/** Offers a release of some megabytes, and returns its lines without the header. */
