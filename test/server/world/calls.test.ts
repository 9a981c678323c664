import { describe, expect, test } from "vitest";
import { type EarningsCall, makeCall } from "../../../src/server/world/calls.ts";
import { Incidents } from "../../../src/server/world/incidents.ts";
import { calls as callsByCompany, DAY, model } from "./_calls.ts";

const HOUR = DAY / 24;

describe("calls", () => {
  const calls = callsByCompany.flat();

  // @rule 1 server/world/calls.ts: A call is processed after its transcript has arrived
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
    const share = (matches: (call: EarningsCall) => boolean) =>
      calls.filter(matches).length / calls.length;
    expect(share((call) => call.transcriptMs > (call.day + 1) * DAY + 12 * HOUR)).toBeCloseTo(
      0.08,
      1,
    );
    expect(share((call) => call.failedUntilMs > call.takenMs)).toBeCloseTo(12 / 200, 1);
    const unusable = share((call) => !call.isQualified);
    expect(unusable).toBeGreaterThan(0.03);
    expect(unusable).toBeLessThan(0.07);
  });

  test("are left out now and then by companies that hold them, and always by some", () => {
    const quarters = Array.from({ length: 15 }, (_, i) => 2023 * 4 + i);
    const listed = model.members.map((member, i) => ({ member, i }))
      .filter(({ member }) => member.listDay < 0 && member.delistDay > 30_000);
    const held = listed.map(({ member, i }) =>
      quarters.filter((quarter) => makeCall(member, { member: i, quarter }, model) !== null).length
    );
    const never = held.filter((count) => count === 0).length;
    expect(never / held.length).toBeLessThan(0.08);
    expect(never).toBe(listed.filter(({ member }) => !member.holdsCalls).length);
    const skipped = held.filter((count) => count > 0).map((count) => 15 - count);
    const share = skipped.reduce((sum, count) => sum + count, 0) / (15 * skipped.length);
    expect(share).toBeGreaterThan(0.007);
    expect(share).toBeLessThan(0.025);
  });

  test("that fail for good yield no value; the others are there within a day and a half", () => {
    const failed = calls.filter((call) => call.failedUntilMs > call.takenMs);
    const hours = (call: EarningsCall) => (call.failedUntilMs - call.takenMs) / HOUR;
    const [forGood, atFirst] = [
      failed.filter((call) => hours(call) === 72),
      failed.filter((call) => hours(call) < 72),
    ];
    expect(forGood.length).toBeGreaterThan(0);
    for (const call of forGood) expect(call.isQualified).toBe(false);
    expect(atFirst.length).toBeGreaterThan(forGood.length);
    for (const call of atFirst) {
      expect(hours(call)).toBeGreaterThanOrEqual(4);
      expect(hours(call)).toBeLessThanOrEqual(34);
    }
  });

  test("are held from the day of a listing to the day before a delisting", () => {
    const call = calls.find(({ isQualified }) => isQualified)!;
    const member = model.members[call.member]!;
    const held = (change: Partial<typeof member>) =>
      makeCall({ ...member, ...change }, call, model) !== null;
    expect([held({ listDay: call.day }), held({ listDay: call.day + 1 })]).toEqual([true, false]);
    expect([held({ delistDay: call.day + 1 }), held({ delistDay: call.day })])
      .toEqual([true, false]);
    expect(held({ holdsCalls: false })).toBe(false);
  });

  test("wait for the end of a backlog in which their transcripts arrive", () => {
    const call = calls.find(({ isQualified }) => isQualified)!;
    const toMs = call.transcriptMs + 6 * HOUR;
    const backlogAt = () => ({ fromMs: call.transcriptMs - HOUR, toMs });
    const incidents = Object.assign(new Incidents(7), { backlogAt });
    const late = makeCall(model.members[call.member]!, call, { ...model, incidents })!;
    expect(late.transcriptMs).toBe(call.transcriptMs);
    expect(late.takenMs).toBe(toMs);
    expect(late.processedMs - late.takenMs).toBe(call.processedMs - call.takenMs);
  });
});
