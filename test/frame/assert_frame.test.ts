import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { assertFrame } from "../../src/frame/assert_frame.ts";

const frame = pl.DataFrame({ height: [1] });

test("assertFrame() takes a frame, even one on which a column hides a property", () => {
  expect(() => assertFrame("count", frame)).not.toThrow();
});

test.each([
  ["a promise", Promise.resolve(frame), "a promise; await it first"],
  ["a lazy frame", frame.lazy(), "a lazy frame; collect it first, with await frame.collect()"],
  ["nothing", undefined, "nothing"],
  ["null", null, "null"],
  ["a text", "ecpnd", '"ecpnd"'],
  ["rows", [{ ticker: "A" }], "an array of 1"],
  ["an object", { ticker: "A" }, "an object with the fields ticker"],
])("assertFrame() refuses %s and says what it got", (_, value, found) => {
  expect(() => assertFrame("count", value)).toThrow(
    new TypeError(`Cannot count: expected a DataFrame, got ${found}`),
  );
});
