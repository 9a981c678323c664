import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openGzip } from "../../../../src/server/world/release/release_encoder.ts";

async function compress(native: boolean, chunks: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const gzip = openGzip((chunk) => void parts.push(chunk), { native });
  for (const chunk of chunks) await gzip.write(new TextEncoder().encode(chunk));
  await gzip.end();
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

describe("a gzip stream", () => {
  test.each([true, false])(
    "has equal bytes for equal content, and no time (native: %s)",
    async (native) => {
      const chunks = ["date,ticker\n", "2026-11-20,NA\n".repeat(50_000), "end\n"];
      const one = await compress(native, chunks);
      expect(await compress(native, chunks)).toEqual(one);
      expect([...one.subarray(4, 8)]).toEqual([0, 0, 0, 0]);
      expect(gunzipSync(one).toString()).toBe(chunks.join(""));
    },
  );
});
