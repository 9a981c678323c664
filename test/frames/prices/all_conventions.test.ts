// @heavy: two thousand files, each with the advice of every message
import { expect, test } from "vitest";
import { faultsOf } from "./_generated_faults.ts";

test("files of two thousand generated vendors are read rightly, or asked about with a call that reads them", async () => {
  const { faults, atOnce } = await faultsOf(201, 2200);
  expect(faults).toEqual([]);
  expect(atOnce).toBeGreaterThan(1200);
});
