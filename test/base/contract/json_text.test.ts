import { ContractViolation } from "../../../src/base/contract/violation.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/base/contract/json_text.ts";

describe("parseJson()", () => {
  test("gives what JSON.parse gives of any value whose names differ", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, "\t"), (text, indent) => {
        const value: unknown = JSON.parse(text);
        const written = JSON.stringify(value, null, indent);
        expect(parseJson(written)).toEqual(JSON.parse(written));
      }),
      { seed: 7 },
    );
  });

  test.each([
    ["a number twice", '{"a":1,"a":2}', '"a"'],
    ["the same number twice", '{"a":1,"b":[],"a":1}', '"a"'],
    ["a name with blanks before its colon", '{"a" :1,"a"\n:1}', '"a"'],
    ["a name once as an escape", String.raw`{"ticker":1,"\u0074icker":1}`, '"ticker"'],
    ["an empty name", '{"":1,"":2}', '""'],
    ["in an object of an array", '[{"a":1},{"b":{"c":1,"c":1}}]', '"c"'],
    ["after an object that has the name too", '{"a":{"b":1},"a":{"b":1}}', '"a"'],
    ["a name that ends with a quote", String.raw`{"a\"":1,"a\"":2}`, String.raw`"a\""`],
    ["__proto__", '{"__proto__":1,"__proto__":2}', '"__proto__"'],
  ])("refuses %s: %s", (_what, text, name) => {
    expect(() => parseJson(text)).toThrow(
      `Cannot read the body: expected JSON without a repeated name in one object, got ${name}`,
    );
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":["a","a",{"a":1},{"a":1}]}',
    String.raw`{"a":"\"a\":1,\"a\":2","b":"{","c":"}{","d\\":1,"d":2}`,
    '["a","a"]',
    '"a"',
    " 1 ",
  ])("accepts %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each(["", "{", '{"a":1,}', "NaN", "\u00a0{}", "{'a':1}"])(
    "refuses %j, which is no JSON",
    (text) => {
      expect(() => parseJson(text)).toThrow(ContractViolation);
    },
  );

  test.each([
    ["lists", 100_000, "[", "]"],
    ["lists", 65, "[", "]"],
    ["objects", 65, '{"a":', "}"],
    ["lists of objects", 33, '[{"a":', "}]"],
  ])("refuses %s nested %d deep", (_what, depth, open, close) => {
    const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect(() => parseJson(text)).toThrow("JSON of at most 64 levels");
  });

  test("refuses more fields in an object than any message has, and takes any number of rows", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => [`k${i}`, i]);
    const text = (count: number) => JSON.stringify(Object.fromEntries(fields(count)));
    expect(parseJson(text(2_000))).toHaveProperty("k1999", 1_999);
    expect(() => parseJson(text(2_001))).toThrow("objects with at most 2000 fields");
    expect(parseJson(`[${"{},".repeat(100_000)}{}]`)).toHaveLength(100_001);
  });
});
