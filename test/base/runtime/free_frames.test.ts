import { expect, test } from "vitest";
import { freeFrames } from "../../../src/base/runtime/free_frames.ts";

const MANY_CELLS = 1_000_000_000;

/** What is still there of an object that nothing refers to, after so many cells of frames. */
async function leftAfter(...cells: readonly number[]): Promise<unknown> {
  const reference = new WeakRef({ rows: [4, 5, 6] });
  // A reference holds what it refers to until the turn in which it was made has ended.
  await new Promise((resolve) => setTimeout(resolve, 0));
  for (const count of cells) {
    freeFrames(count);
    // As between two partitions.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return reference.deref();
}

test("what nothing refers to is gone after many cells of frames", async () => {
  expect(await leftAfter(MANY_CELLS, MANY_CELLS)).toBeUndefined();
});

test("cells of many small frames add up", async () => {
  expect(await leftAfter(...Array.from({ length: 100 }, () => 100_000))).toBeUndefined();
});

test("the function of the runtime is not left behind for others", () => {
  freeFrames(MANY_CELLS);
  expect(Object.hasOwn(globalThis, "gc")).toBe(false);
});
