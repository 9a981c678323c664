import { describe, expect, test } from "vitest";
import type { Call } from "../../src/world/calls.ts";
import { calls as callsByCompany, DAY, model } from "./_calls.ts";

const HOUR = DAY / 24;

describe("calls", () => {
  const calls = callsByCompany.flat();

  test("come once a quarter, on sessions, with transcripts after them", () => {
    expect(calls.length).toBeGreaterThan(200 * 14 * 0.85);
    for (const call of calls) {
      expect(model.calendar.dayOf(model.calendar.firstFrom(call.day))).toBe(call.day);
      expect(call.transcriptMs).toBeGreaterThan(call.day * DAY + 12 * HOUR);
      expect(call.takenMs).toBeGreaterThan(call.transcriptMs);
      expect(call.failedUntilMs).toBeGreaterThanOrEqual(call.takenMs);
      expect(call.processedMs).toBeGreaterThan(call.failedUntilMs);
    }
  });

  test("arrive late, fail and turn out unusable at the documented rates", () => {
    const share = (matches: (call: Call) => boolean) => calls.filter(matches).length / calls.length;
    expect(share((call) => call.transcriptMs > (call.day + 1) * DAY + 12 * HOUR)).toBeCloseTo(
      0.08,
      1,
    );
    expect(share((call) => call.failedUntilMs > call.takenMs)).toBeCloseTo(12 / 200, 1);
    const unusable = share((call) => !call.isQualified);
    expect(unusable).toBeGreaterThan(0.03);
    expect(unusable).toBeLessThan(0.07);
  });
});
