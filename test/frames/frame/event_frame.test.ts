import { expect, test } from "vitest";
import { toEventFrame } from "../../../src/frames/frame/event_frame.ts";
import { shownType } from "./_dtype.ts";

const answered = {
  atMs: Date.UTC(2026, 10, 20, 15),
  method: "GET",
  path: "/v1/factors",
  attempt: 1,
  status: 200,
  problem: null,
  requestId: "r",
  durationMs: 12.5,
  bodyBytes: 345,
};

test("toEventFrame() keeps a missing status null and a length of 0 a 0", () => {
  const lost = { ...answered, status: null, problem: "deadline", requestId: null, bodyBytes: null };
  const frame = toEventFrame([answered, lost, { ...answered, bodyBytes: 0 }]);
  expect(frame.select("status", "problem", "duration_ms", "body_bytes").rows()).toEqual([
    [200, null, 12.5, 345],
    [null, "deadline", 12.5, null],
    [200, null, 12.5, 0],
  ]);
  expect(shownType(frame, "status")).toBe("i32");
  expect(frame.getColumn("at").toArray()[0]).toEqual(new Date("2026-11-20T15:00:00Z"));
});

test("toEventFrame() keeps its columns while nothing was sent", () => {
  expect(toEventFrame([]).columns).toEqual(toEventFrame([answered]).columns);
});
