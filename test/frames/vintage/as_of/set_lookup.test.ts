import { describe, expect, test } from "vitest";
import { SetLookup } from "../../../../src/frames/vintage/as_of/_set_lookup.ts";

// Two sets of one factor, at 10 and 20; B is only in the first. One set of another factor, at 15.
const rows = [
  [{ factor: "ecpnd", row: "A" }, 10],
  [{ factor: "ecpnd", row: "B" }, 10],
  [{ factor: "ecpnd", row: "A" }, 20],
  [{ factor: "ecqdi", row: "B" }, 15],
] as const;
const sets = new SetLookup(rows.map(([key]) => key), rows.map(([, timeMs]) => timeMs));
const rowAt = (factor: string, row: string, atMs: number) => sets.rowAt({ factor, row }, atMs);

describe("SetLookup", () => {
  test("finds the row of the set in force, from its very time on", () => {
    expect([9, 10, 19, 20, 99].map((atMs) => rowAt("ecpnd", "A", atMs))).toEqual([
      null,
      0,
      0,
      2,
      2,
    ]);
  });

  test("does not look for a row in a set that is not in force any more", () => {
    expect(rowAt("ecpnd", "B", 19)).toBe(1);
    expect(rowAt("ecpnd", "B", 20)).toBeNull();
  });

  test("keeps the factors apart", () => {
    expect(rowAt("ecqdi", "B", 20)).toBe(3);
    expect(rowAt("ecqdi", "B", 14)).toBeNull();
    expect(rowAt("ecqdi", "A", 20)).toBeNull();
    expect(rowAt("other", "A", 20)).toBeNull();
  });

  test("tells when anything of a factor was known for the first time", () => {
    expect([sets.firstMs("ecpnd"), sets.firstMs("ecqdi"), sets.firstMs("other")]).toEqual([
      10,
      15,
      null,
    ]);
  });

  test("does not depend on the order of the rows", () => {
    const turned = rows.toReversed();
    const other = new SetLookup(turned.map(([key]) => key), turned.map(([, timeMs]) => timeMs));
    expect(other.rowAt({ factor: "ecpnd", row: "A" }, 19)).toBe(3);
    expect(other.firstMs("ecpnd")).toBe(10);
  });

  test("takes sets in any order, and times of any length", () => {
    const keys = [{ factor: "", row: "new" }, { factor: "", row: "old" }];
    const unordered = new SetLookup(keys, [10, 9]);
    expect(unordered.firstMs("")).toBe(9);
    expect(unordered.rowAt({ factor: "", row: "old" }, 9)).toBe(1);
    expect(unordered.rowAt({ factor: "", row: "new" }, 10)).toBe(0);
  });
});
