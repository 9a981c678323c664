import { expect, test } from "vitest";
import { RowMemory } from "../../../../src/frames/frame/release_file/row_memory.ts";

test("the memory of the loop is as large as the rows need, and small for a small file", () => {
  expect(new RowMemory(60).bytes.length).toBeLessThan(2_000_000);
  expect(new RowMemory(1e9).bytes.length).toBeLessThan(20_000_000);
});
