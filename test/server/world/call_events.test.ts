import { describe, expect, test } from "vitest";
import { type CallEvent, CallEvents } from "../../../src/server/world/score_state.ts";
import { calls, DAY, model } from "./_calls.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2026, 5, 30);

function takeAll(events: CallEvents, throughMs: number): CallEvent[] {
  const taken: CallEvent[] = [];
  for (let next = events.take(throughMs); next; next = events.take(throughMs)) taken.push(next);
  return taken;
}

describe("the events of a world", () => {
  const all = takeAll(new CallEvents(model, FROM), TO);
  const inSpan = all.filter(({ atMs }) => atMs >= FROM);

  test("come in the order of time", () => {
    const times = all.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("are an arrival and a value for each call, and the corrections", () => {
    const within = (atMs: number) => atMs >= FROM && atMs <= TO;
    const count = (kind: CallEvent["kind"]) => inSpan.filter((event) => event.kind === kind).length;
    const held = calls.flat();
    expect(count("arrival")).toBe(held.filter((call) => within(call.transcriptMs)).length);
    expect(count("value")).toBe(held.filter((call) => within(call.processedMs)).length);
    expect(count("correction"))
      .toBe(model.incidents.correctionsIn({ fromMs: FROM, toMs: TO + 1 }).length);
    expect(count("arrival")).toBeGreaterThan(1_000);
  });

  test("happen at their very instant, and not before", () => {
    const event = inSpan[100]!;
    const events = new CallEvents(model, FROM);
    const before = takeAll(events, event.atMs - 1);
    expect(before.every(({ atMs }) => atMs < event.atMs)).toBe(true);
    expect(events.take(event.atMs)?.atMs).toBe(event.atMs);
  });

  test("are the same whether time goes on at once or in steps", () => {
    const events = new CallEvents(model, FROM);
    const stepwise: CallEvent[] = [];
    for (let atMs = FROM; atMs <= TO; atMs += 5 * DAY) stepwise.push(...takeAll(events, atMs));
    stepwise.push(...takeAll(events, TO));
    expect(stepwise).toEqual(all);
  });
});
