import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteWriter } from "../../../../src/server/world/release/byte_writer.ts";

function written(write: (writer: ByteWriter) => void): string {
  const writer = new ByteWriter();
  write(writer);
  return new TextDecoder().decode(writer.take());
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

  test.each([0, 1, 9, 10, 11, 99, 100, 999, 1_000, 10_000, 2 ** 40])(
    "writes the whole number %i",
    (value) => {
      expect(written((writer) => writer.whole(value))).toBe(String(value));
      expect(written((writer) => writer.decimal(value * 10_000))).toBe(`${value}.0000`);
    },
  );

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
