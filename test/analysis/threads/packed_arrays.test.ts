import { expect, test } from "vitest";
import { packArrays, unpackArrays } from "../../../src/analysis/threads/packed_arrays.ts";

test("packed arrays come back over the same memory, wherever they stand in a message", () => {
  const values = new Float64Array(new SharedArrayBuffer(64));
  const message = {
    kind: "rank IC",
    shares: [0, 0.5, 1],
    codes: null,
    results: [{ values: values.subarray(2, 5), counts: Int32Array.of(1, 2) }],
  };
  const packed = packArrays(message);
  expect(JSON.stringify(packed)).toContain('"packed":"Float64Array"');
  const back = unpackArrays(packed) as typeof message;
  values[3] = 7;
  expect(back.results[0]!.values).toEqual(Float64Array.of(0, 7, 0));
  expect(back.results[0]!.counts).toEqual(Int32Array.of(1, 2));
  expect(back).toMatchObject({ kind: "rank IC", shares: [0, 0.5, 1], codes: null });
});

test("packArrays() refuses an array of a kind that no task has", () => {
  expect(() => packArrays({ values: new Float32Array(1) })).toThrow(/got Float32Array/);
});
