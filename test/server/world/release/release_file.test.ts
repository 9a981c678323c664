import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { openGzip, openReleaseFile } from "../../../../src/server/world/release/release_file.ts";
import { Folders } from "../_worlds.ts";

const folders = new Folders();
afterAll(() => folders.remove());

async function encoder(tickers: readonly string[]) {
  const path = join(await folders.add(), "release.csv.gz");
  const names = { header: "date,ticker,ecpnd_score", tickers };
  return { path, encoder: await openReleaseFile(path, names, false) };
}
const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content).digest("hex");

describe("a release file", () => {
  test("has a row for each covered company, empty without a value, and 0 and 1 as they are", async () => {
    const { path, encoder: writing } = await encoder(["A", "B", "C", "D"]);
    // Millionths; -1 is a company without a value, -2 one that is not covered.
    await writing.writeSession("2026-08-13", Int32Array.of(0, -1, -2, 1_000_000));
    await writing.writeSession("2026-08-14", Int32Array.of(1, -2, -2, 999_999));
    const facts = await writing.finish();
    const file = await readFile(path);
    const csv = [
      "date,ticker,ecpnd_score",
      "2026-08-13,A,0",
      "2026-08-13,B,",
      "2026-08-13,D,1",
      "2026-08-14,A,0.000001",
      "2026-08-14,D,0.999999",
      "",
    ].join("\n");
    expect(gunzipSync(file).toString()).toBe(csv);
    expect(facts).toEqual({
      sha256: sha256(file),
      sizeBytes: file.length,
      sourceSha256: sha256(csv),
      sessions: 2,
      tickers: 3,
      rows: 5,
      scoredRows: 4,
    });
  });

  test("is whole when a session is larger than the memory that is used for it", async () => {
    const count = 60_000;
    const tickers = Array.from({ length: count }, (_, i) => `T${i}`);
    const { path, encoder: writing } = await encoder(tickers);
    await writing.writeSession("2026-08-14", new Int32Array(count).fill(123_456));
    expect(await writing.finish()).toMatchObject({ rows: count, scoredRows: count });
    const lines = gunzipSync(await readFile(path)).toString().trimEnd().split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([count + 1, "2026-08-14,T59999,0.123456"]);
  });

  test("that is abandoned takes no further bytes", async () => {
    const { path, encoder: writing } = await encoder(["A"]);
    await writing.abandon();
    await writing.writeSession("2026-08-14", Int32Array.of(1));
    await expect(writing.finish()).rejects.toThrow();
    expect((await stat(path)).size).toBe(0);
  });
});

async function compress(isNative: boolean, chunks: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const gzip = openGzip((chunk) => void parts.push(chunk), isNative);
  for (const chunk of chunks) await gzip.write(new TextEncoder().encode(chunk));
  await gzip.end();
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

describe("a gzip stream", () => {
  test.each([true, false])(
    "has equal bytes for equal content, and no time (native: %s)",
    async (isNative) => {
      const chunks = ["date,ticker\n", "2026-11-20,NA\n".repeat(50_000), "end\n"];
      const one = await compress(isNative, chunks);
      expect(await compress(isNative, chunks)).toEqual(one);
      expect([...one.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
      expect(gunzipSync(one).toString()).toBe(chunks.join(""));
    },
  );
});
