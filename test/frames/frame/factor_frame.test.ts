import { expect, test } from "vitest";
import { shownType } from "./_dtype.ts";
import { toFactorFrame } from "../../../src/frames/frame/factor_frame.ts";

const ENTRY = {
  factor: "ecpnd",
  scoreName: "ecpnd_score",
  factorVersion: "ecpnd-1.0",
  scores: "/v1/scores?factor=ecpnd",
  history: "/v1/history?factor=ecpnd",
  extra: {},
} as const;
const COLUMNS = ["factor", "score_name", "factor_version", "meaning", "scores", "history"];

test("toFactorFrame() has a row for each factor", () => {
  const frame = toFactorFrame([ENTRY, { ...ENTRY, factor: "ecqdi" }] as never);
  expect(frame.columns).toEqual(COLUMNS);
  for (const name of COLUMNS) expect(shownType(frame, name)).toBe("str");
  expect(frame.drop("meaning").rows()).toEqual([
    ["ecpnd", "ecpnd_score", "ecpnd-1.0", "/v1/scores?factor=ecpnd", "/v1/history?factor=ecpnd"],
    ["ecqdi", "ecpnd_score", "ecpnd-1.0", "/v1/scores?factor=ecpnd", "/v1/history?factor=ecpnd"],
  ]);
  expect(frame.getColumn("meaning").nUnique()).toBe(2);
});

test("toFactorFrame() of no factors has the same columns", () => {
  const frame = toFactorFrame([]);
  expect([frame.height, frame.columns]).toEqual([0, COLUMNS]);
  for (const name of COLUMNS) expect(shownType(frame, name)).toBe("str");
});
