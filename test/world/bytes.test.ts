import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../src/world/byte_writer.ts";
import { openGzip } from "../../src/world/gzip_stream.ts";

function written(write: (writer: ByteWriter) => void): string {
  const writer = new ByteWriter();
  write(writer);
  return new TextDecoder().decode(writer.take());
}

async function compress(native: boolean, chunks: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const gzip = openGzip((chunk) => void parts.push(chunk), { native });
  for (const chunk of chunks) await gzip.write(new TextEncoder().encode(chunk));
  await gzip.end();
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

describe("a byte writer", () => {
  test.each([
    [0, "0"],
    [1, "0.000001"],
    [500_000, "0.5"],
    [123_450, "0.12345"],
    [999_999, "0.999999"],
    [1_000_000, "1"],
  ])("writes %i millionths as %s", (millionths, text) => {
    expect(written((writer) => writer.fraction(millionths))).toBe(text);
  });

  test("writes every fraction as JavaScript prints the number", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => {
      const text = written((writer) => writer.fraction(millionths));
      expect(text).toBe(String(millionths / 1_000_000));
      expect(Number(text)).toBe(millionths / 1_000_000);
    }));
  });

  test("writes prices with four decimals", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (tenThousandths) => {
      const text = written((writer) => writer.decimal(tenThousandths));
      expect(text).toMatch(/^\d+\.\d{4}$/);
      expect(Number(text)).toBe(tenThousandths / 10_000);
    }));
  });

  test("starts anew after its content was taken", () => {
    const writer = new ByteWriter();
    writer.whole(12);
    writer.take();
    writer.whole(345);
    expect(new TextDecoder().decode(writer.take())).toBe("345");
  });
});

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
