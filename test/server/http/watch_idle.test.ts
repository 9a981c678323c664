import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchIdle } from "../../../src/server/http/_watch_idle.ts";

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Time after which an idle client is interrupted, where each look comes late by so much. */
function interruptedAfter(lateMs: number): number {
  let atMs = -1;
  watchIdle({ socket: {} as Socket, idleTimeoutMs: 3_000 }, () => void (atMs = nowMs));
  while (atMs === -1) {
    nowMs += 100 + lateMs;
    vi.advanceTimersToNextTimer();
  }
  return atMs;
}

test("an idle client is interrupted after the time, and not after a number of looks", () => {
  expect(interruptedAfter(0)).toBe(3_000);
  // On a busy machine each look comes at five times its distance.
  expect(interruptedAfter(400) - 3_000).toBe(3_000);
});

test("a process that stood still for an hour interrupts nobody at its first look", () => {
  expect(interruptedAfter(3_600_000)).toBeGreaterThan(2 * 3_600_000);
});
