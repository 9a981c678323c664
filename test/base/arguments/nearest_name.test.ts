import { expect, test } from "vitest";
import { nearestName } from "../../../src/base/arguments/nearest_name.ts";

const KNOWN = ["timeoutMs", "deadlineMs", "snapshotId", "at"];

test.each([
  ["timeout_ms", "timeoutMs"],
  ["TimeoutMS", "timeoutMs"],
  ["timeout", "timeoutMs"],
  ["deadlinMs", "deadlineMs"],
  ["snapshot-id", "snapshotId"],
  ["shotId", "snapshotId"],
  ["deadlineSeconds", "deadlineMs"],
  ["deadlineMinutes", "deadlineMs"],
  ["s-n-a-p-s-h-o-t-i-d", "snapshotId"],
  ["_a_t_", "at"],
  ["format", null],
  ["x", null],
  ["columns", null],
])("the option nearest to %s is %s", (name, nearest) => {
  expect(nearestName(name, KNOWN)).toBe(nearest);
});

test("of two names that begin with what was given, the nearest is the one with fewer letters more", () => {
  expect(nearestName("period", ["periodsPerYear", "periods"])).toBe("periods");
  expect(nearestName("period", ["periods", "periodsPerYear"])).toBe("periods");
});
