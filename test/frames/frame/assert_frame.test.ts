import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { assertFrame } from "../../../src/frames/frame/assert_frame.ts";

const frame = pl.DataFrame({ height: [1] });

test("assertFrame() takes a frame, even one on which a column hides a property", () => {
  expect(() => assertFrame("count", frame)).not.toThrow();
});

test("assertFrame() takes a frame with a column that hides its native part", () => {
  expect(() => assertFrame("count", pl.DataFrame({ _df: [1], columns: [2] }))).not.toThrow();
});

test("assertFrame() refuses a frame of another copy of nodejs-polars", () => {
  // What a second copy brings: equal names, other classes.
  const native = new (class JsDataFrame {})();
  const other = { [Symbol.toStringTag]: "DataFrame", _df: native };
  expect(() => assertFrame("count", other)).toThrow(
    new TypeError(
      "Cannot count: expected a DataFrame, got one of another copy of nodejs-polars, which cannot be mixed with that " +
        'of scoreframe; import both from one project, with "nodejs-polars" as scoreframe pins it',
    ),
  );
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
