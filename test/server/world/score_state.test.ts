import { describe, expect, test } from "vitest";
import type { EarningsCall } from "../../../src/server/world/calls.ts";
import { ScoreState } from "../../../src/server/world/score_state.ts";
import { isCovered } from "../../../src/server/world/universe.ts";
import { calls, DAY, model } from "./_calls.ts";

const { calendar, members } = model;

/** Scores of one company at the closes of some sessions. */
function follow(member: number, factor: "ecpnd" | "ecqdi", sessions: readonly number[]): number[] {
  const state = new ScoreState(model, calendar.closeMsOf(sessions[0]!));
  const micro = new Int32Array(members.length);
  return sessions.map((session) => {
    state.advanceTo(calendar.closeMsOf(session));
    state.evaluate(factor, { session, day: calendar.dayOf(session) }, micro);
    return micro[member]!;
  });
}

function sessionsFrom(day: number, count: number): number[] {
  const first = calendar.firstFrom(day);
  return Array.from({ length: count }, (_, i) => first + i);
}

/** A company whose call of interest is preceded by a good call and followed by what `then` asks for. */
function findPair(
  then: (next: EarningsCall | undefined) => boolean,
): { member: number; call: EarningsCall } {
  for (const [member, own] of calls.entries()) {
    for (const [i, call] of own.entries()) {
      const day = call.day;
      const listed = members[member]!.listDay < day && members[member]!.delistDay > day + 400;
      if (i > 0 && i < own.length - 2 && listed && call.isQualified && then(own[i + 1])) {
        return { member, call };
      }
    }
  }
  throw new Error("Cannot find such a company in this world");
}

describe("ecqdi", () => {
  // @rule 1 server/world/score_state.ts: ecqdi carries a value for 90 calendar days, which a later unusable call does not extend
  test("is carried for 90 calendar days, and a later unusable call does not extend that", () => {
    const { member, call } = findPair((next) => next !== undefined && !next.isQualified);
    const sessions = sessionsFrom(call.day + 80, 20);
    const scores = follow(member, "ecqdi", sessions);
    for (const [i, session] of sessions.entries()) {
      const age = calendar.dayOf(session) - call.day;
      expect(scores[i]! >= 0, `${age} days after the call`).toBe(age <= 90);
    }
  });

  test("takes the value of a new qualified call once it is processed", () => {
    const { member, call } = findPair((next) =>
      next !== undefined && next.isQualified && next.processedMs < (next.day + 5) * DAY
    );
    const next = calls[member]!.find((candidate) => candidate.quarter === call.quarter + 1)!;
    const before = calendar.lastClosedAt(next.processedMs);
    const [old, fresh] = follow(member, "ecqdi", [before, before + 1]);
    expect(fresh).toBeGreaterThanOrEqual(0);
    expect(fresh).not.toBe(old);
  });
});

describe("ecpnd", () => {
  // @rule 1 server/world/score_state.ts: ecpnd changes between calls; its participation record expires at 126 sessions
  test("expires at 126 sessions when no usable call follows", () => {
    const { member, call } = findPair((next) => {
      const call = calls[next?.member ?? 0]!.findLast((other) => other.day < (next?.day ?? 0));
      const usable = calls[next?.member ?? 0]!.find((other) =>
        other.isQualified && other.day > (call?.day ?? Infinity)
      );
      return usable !== undefined && call !== undefined &&
        calendar.firstFrom(usable.day) - calendar.firstFrom(call.day) > 128;
    });
    const from = calendar.firstFrom(call.day);
    const next = calls[member]!.find((other) => other.day > call.day && other.isQualified)!;
    const until = Math.min(from + 140, calendar.lastClosedAt(next.processedMs));
    const sessions = Array.from({ length: until - from - 100 }, (_, i) => from + 100 + i);
    expect(sessions.at(-1)! - from).toBeGreaterThan(126);
    const scores = follow(member, "ecpnd", sessions);
    for (const [i, session] of sessions.entries()) {
      expect(scores[i]! >= 0, `session ${session - from}`).toBe(session - from < 126);
    }
  });

  test("moves from session to session between calls", () => {
    const { member, call } = findPair((next) => next !== undefined && next.isQualified);
    const scores = follow(member, "ecpnd", sessionsFrom(call.day + 12, 30));
    expect(new Set(scores).size).toBeGreaterThan(20);
  });
});

describe("the queues", () => {
  test("hold each call where it stands: waiting, failed, or awaiting factor processing", () => {
    const all = calls.flat();
    const troubled = all.filter((call) => call.failedUntilMs > call.takenMs).slice(0, 12);
    const moments = troubled.flatMap(({ transcriptMs, takenMs, failedUntilMs, processedMs }) => [
      transcriptMs,
      takenMs - 1,
      takenMs,
      failedUntilMs - 1,
      failedUntilMs,
      processedMs - 1,
      processedMs,
    ]);
    for (const atMs of moments) {
      const state = new ScoreState(model, atMs);
      state.advanceTo(atMs);
      const open = all.filter((call) => call.transcriptMs <= atMs && call.processedMs > atMs);
      const failed = open.filter((call) => call.takenMs <= atMs && call.failedUntilMs > atMs);
      const processing = open.filter((call) => call.failedUntilMs <= atMs);
      expect(state.queuesAt(atMs)).toEqual({
        pendingCalls: open.length - failed.length - processing.length +
          model.incidents.redeliveriesAt(atMs),
        failedCalls: failed.length,
        pendingFactorCalls: processing.length,
      });
    }
  });
});

describe("a correction", () => {
  test("changes the value of one company that has a recent one", () => {
    const span = { fromMs: Date.UTC(2025, 10, 1), toMs: Date.UTC(2026, 9, 1) };
    const corrections = model.incidents.correctionsIn(span);
    expect(corrections.length).toBeGreaterThan(70);
    const changed = corrections.map(({ atMs }) => {
      const state = new ScoreState(model, atMs - 1);
      const moment = { session: calendar.lastClosedAt(atMs), day: Math.floor(atMs / DAY) };
      const [before, after] = [new Int32Array(members.length), new Int32Array(members.length)];
      state.advanceTo(atMs - 1);
      state.evaluate("ecqdi", moment, before);
      state.advanceTo(atMs);
      state.evaluate("ecqdi", moment, after);
      return before.filter((value, i) => value !== after[i]).length;
    });
    expect(changed.every((count) => count <= 1)).toBe(true);
    // A score that is cut off at 0 or 1 before and after is corrected unseen.
    expect(changed.filter((count) => count === 0).length).toBeLessThan(0.04 * changed.length);
  });
});

describe("scores", () => {
  const moment = (session: number) => ({ session, day: calendar.dayOf(session) });
  const session = calendar.firstFrom(Math.floor(Date.parse("2026-03-02") / DAY));

  test.each(["ecpnd", "ecqdi"] as const)(
    "of %s are the same when they are asked for twice",
    (factor) => {
      const state = new ScoreState(model, calendar.closeMsOf(session));
      state.advanceTo(calendar.closeMsOf(session));
      const [first, second] = [new Int32Array(members.length), new Int32Array(members.length)];
      state.evaluate(factor, moment(session), first);
      state.evaluate(factor, moment(session), second);
      expect(second).toEqual(first);
      expect(first.some((score) => score > 0)).toBe(true);
    },
  );

  test("follow the universe from day to day", () => {
    const state = new ScoreState(model, calendar.closeMsOf(session));
    const micro = new Int32Array(members.length);
    for (const day of [0, 200, 400].map((later) => calendar.dayOf(session) - 400 + later)) {
      state.evaluate("ecqdi", { session, day }, micro);
      expect(members.map((_, i) => micro[i] !== -2)).toEqual(
        members.map((member) => isCovered(member, day)),
      );
    }
  });
});
