import { expect, test } from "vitest";
import { faultsOf } from "./_generated_faults.ts";

test("files of two hundred generated vendors are read rightly, or asked about with a call that reads them", async () => {
  const { faults, atOnce } = await faultsOf(1, 200);
  expect(faults).toEqual([]);
  expect(atOnce).toBeGreaterThan(120);
});
