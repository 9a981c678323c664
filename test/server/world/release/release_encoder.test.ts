import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { ReleaseEncoder } from "../../../../src/server/world/release/release_encoder.ts";
import { Folders } from "../_worlds.ts";

const folders = new Folders();
afterAll(() => folders.remove());

async function encoder(tickers: readonly string[]) {
  const path = join(await folders.add(), "release.csv.gz");
  const settings = { path, header: "date,ticker,ecpnd_score", tickers, native: false };
  return { path, encoder: await ReleaseEncoder.open(settings) };
}
const sha256 = (content: Uint8Array | string) => createHash("sha256").update(content).digest("hex");

describe("a release file", () => {
  test("has a row for each covered company, empty without a value, and 0 and 1 as they are", async () => {
    const { path, encoder: writing } = await encoder(["A", "B", "C", "D"]);
    // Millionths; -1 is a company without a value, -2 one that is not covered.
    await writing.writeSession("2026-08-13", Int32Array.of(0, -1, -2, 1_000_000));
    await writing.writeSession("2026-08-14", Int32Array.of(250_000, -2, -2, -1));
    const facts = await writing.finish();
    const file = await readFile(path);
    const csv = [
      "date,ticker,ecpnd_score",
      "2026-08-13,A,0",
      "2026-08-13,B,",
      "2026-08-13,D,1",
      "2026-08-14,A,0.25",
      "2026-08-14,D,",
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
      scoredRows: 3,
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
