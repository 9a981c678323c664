import { describe, expect, test } from "vitest";
import { type Call, makeCall, quarterOf } from "../../src/world/calls.ts";
import { toEpochDay } from "../../src/world/civil_date.ts";
import { Incidents } from "../../src/world/incidents.ts";
import { PricePath } from "../../src/world/price_path.ts";
import { ScoreState } from "../../src/world/score_state.ts";
import { makeWorldModel } from "../../src/world/world_model.ts";
import { toWorldParameters } from "../../src/world/world_options.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const model = makeWorldModel(toWorldParameters({ tickers: 200, years: 2 }));
const { calendar, members } = model;

function callsOf(member: number): Call[] {
  const calls: Call[] = [];
  const last = quarterOf(toEpochDay("2026-09-30"));
  for (let quarter = quarterOf(toEpochDay("2023-01-01")); quarter <= last; quarter++) {
    const call = makeCall(members[member]!, { member, quarter }, model);
    if (call !== null) calls.push(call);
  }
  return calls;
}

const all = members.map((_, member) => callsOf(member));

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
function findPair(then: (next: Call | undefined) => boolean): { member: number; call: Call } {
  for (const [member, calls] of all.entries()) {
    for (const [i, call] of calls.entries()) {
      const day = call.day;
      const listed = members[member]!.listDay < day && members[member]!.delistDay > day + 400;
      if (i > 0 && i < calls.length - 2 && listed && call.isQualified && then(calls[i + 1])) {
        return { member, call };
      }
    }
  }
  throw new Error("Cannot find such a company in this world");
}

describe("calls", () => {
  const calls = all.flat();

  test("come once a quarter, on sessions, with transcripts after them", () => {
    expect(calls.length).toBeGreaterThan(200 * 14 * 0.85);
    for (const call of calls) {
      expect(calendar.dayOf(calendar.firstFrom(call.day))).toBe(call.day);
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

describe("ecqdi", () => {
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
    const next = all[member]!.find((candidate) => candidate.quarter === call.quarter + 1)!;
    const before = calendar.lastClosedAt(next.processedMs);
    const [old, fresh] = follow(member, "ecqdi", [before, before + 1]);
    expect(fresh).toBeGreaterThanOrEqual(0);
    expect(fresh).not.toBe(old);
  });
});

describe("ecpnd", () => {
  test("expires at 126 sessions when no usable call follows", () => {
    const { member, call } = findPair((next) => {
      const call = all[next?.member ?? 0]!.findLast((other) => other.day < (next?.day ?? 0));
      const usable = all[next?.member ?? 0]!.find((other) =>
        other.isQualified && other.day > (call?.day ?? Infinity)
      );
      return usable !== undefined && call !== undefined &&
        calendar.firstFrom(usable.day) - calendar.firstFrom(call.day) > 128;
    });
    const from = calendar.firstFrom(call.day);
    const next = all[member]!.find((other) => other.day > call.day && other.isQualified)!;
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

describe("the closes", () => {
  test("follow the documented formula", () => {
    const prices = new PricePath(model);
    const first = calendar.firstFrom(toEpochDay("2026-01-02"));
    const state = new ScoreState(model, calendar.closeMsOf(first));
    const scores = {
      ecpnd: new Int32Array(members.length),
      ecqdi: new Int32Array(members.length),
    };
    for (let session = first; session < first + 40; session++) {
      state.advanceTo(calendar.closeMsOf(session));
      const moment = { session, day: calendar.dayOf(session) };
      for (const factor of ["ecpnd", "ecqdi"] as const) {
        state.evaluate(factor, moment, scores[factor]);
      }
      prices.observe(state, moment, scores);
      prices.advanceTo(session + 1);
      for (let i = 0; i < members.length; i++) {
        if (prices.returns.isPriced[i] === 0) continue;
        const age = state.ageOf(i, moment);
        const z = (micro: number) => micro < 0 ? 0 : (micro / 1_000_000 - 0.5) / 0.2;
        const signal = 0.05 * z(scores.ecpnd[i]!) * 0.5 ** (age / 60) +
          0.08 * z(scores.ecqdi[i]!) * 0.5 ** (age / 30);
        expect(prices.returns.expected[i]).toBeCloseTo(members[i]!.volatility * signal, 12);
        expect(members[i]!.volatility).toBeGreaterThanOrEqual(0.01);
        expect(members[i]!.volatility).toBeLessThanOrEqual(0.028);
      }
    }
  });
});

describe("incidents", () => {
  test("of every kind occur in any week", () => {
    const incidents = new Incidents(7);
    for (let start = 0; start < 60; start++) {
      const hours = Array.from({ length: 7 * 24 }, (_, i) => (20_000 + start) * DAY + i * HOUR);
      expect(hours.some((hour) => incidents.sourceDelayAt(hour) !== null)).toBe(true);
      expect(hours.some((hour) => incidents.redeliveriesAt(hour) > 0)).toBe(true);
      expect(hours.some((hour) => incidents.isOutage(hour))).toBe(true);
      expect(hours.some((hour) => incidents.priceDelayHours(hour / DAY) > 0)).toBe(true);
      const week = { fromMs: hours[0]!, toMs: hours.at(-1)! };
      expect(incidents.correctionsIn(week).length).toBeGreaterThan(0);
    }
  });

  test("hold a backlog that grows until it is worked off", () => {
    const incidents = new Incidents(7);
    const start = Array.from({ length: 200 }, (_, i) => 20_000 * DAY + i * HOUR)
      .find((hour) => incidents.backlogAt(hour) !== null)!;
    const { fromMs, toMs } = incidents.backlogAt(start)!;
    const counts = [];
    for (let hour = fromMs; hour < toMs; hour += HOUR) counts.push(incidents.redeliveriesAt(hour));
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    expect(incidents.redeliveriesAt(toMs)).toBe(0);
  });
});
