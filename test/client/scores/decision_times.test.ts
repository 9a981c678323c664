import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type DecisionOptions,
  toDecisionTimes,
} from "../../../src/client/scores/decision_times.ts";
import { shownType } from "../../frames/frame/_dtype.ts";
import { type Service, startService } from "../_service.ts";

const HOUR_MS = 3_600_000;

describe("panel() of sessions", () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const sessions = { from: "2026-11-20", to: "2026-11-20" };

  test("has a column date, which joins with prices", async () => {
    service.clock.ms = Date.parse("2026-11-22T00:00:00Z");
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { sessions, delayMs: -6 * HOUR_MS });
    expect(panel.columns.slice(0, 4)).toEqual(["date", "at", "ticker", "ecpnd_score"]);
    expect(shownType(panel, "date")).toBe("date");
    const prices = pl.DataFrame([
      pl.Series("date", [new Date("2026-11-20")], pl.Date),
      pl.Series("ticker", ["1E5"], pl.Utf8),
      pl.Series("close", [10.5], pl.Float64),
    ]);
    const joined = panel.join(prices, { on: ["date", "ticker"] });
    expect(joined.select("at", "ticker", "ecpnd_score", "close").toRecords()).toEqual([
      { at: new Date("2026-11-20T15:00:00Z"), ticker: "1E5", ecpnd_score: 0.125, close: 10.5 },
    ]);
  });

  test("has the column in a wide panel, too", async () => {
    const api = await service.connect();
    const options = { sessions, delayMs: -7 * HOUR_MS, layout: "wide" } as const;
    const panel = await api.panel(["ecpnd", "ecqdi"], options);
    expect(panel.columns.slice(0, 5))
      .toEqual(["date", "at", "ticker", "ecpnd_score", "ecqdi_score"]);
    expect(panel.row(1).slice(0, 3))
      .toEqual([new Date("2026-11-20"), new Date("2026-11-20T14:00:00Z"), "1E5"]);
  });

  test("is refused before anything is sent if a session has not closed, and its plan as well", async () => {
    const api = await service.connect();
    const message = "expected sessions that have closed, got 2026-11-20, which closes at " +
      "2026-11-20T21:00:00.000Z, and it is 2026-11-20T15:00:05.000Z by the service's clock";
    await expect(api.panel("ecpnd", { sessions })).rejects.toThrow(message);
    await expect(api.plan({ verb: "panel", factors: "ecpnd", options: { sessions } }))
      .rejects.toThrow(message);
    expect(service.requests).toHaveLength(0);
  });

  test("takes a column of instants as decision times", async () => {
    const api = await service.connect();
    const at = pl.Series("at", [new Date("2026-11-20T10:30:00Z")], pl.Datetime("ms", "UTC"));
    expect((await api.panel("ecpnd", { at })).height).toBe(8);
  });
});

describe("toDecisionTimes()", () => {
  const context = {
    clock: { now: () => Date.parse("2026-11-27T18:30:00Z") },
    ledger: { read: () => ({ clockOffsetMs: null }) },
  } as unknown as Parameters<typeof toDecisionTimes>[0];

  test("gives the closes of the sessions with the delay, and their dates", () => {
    const sessions = { from: "2026-11-25", to: "2026-11-27" };
    const { times, dates } = toDecisionTimes(context, { sessions, delayMs: 900_000 });
    expect(times).toEqual(["2026-11-25T21:15:00.000Z", "2026-11-27T18:15:00.000Z"]);
    expect([...dates!.values()]).toEqual(["2026-11-25", "2026-11-27"]);
  });

  test("names the session that is too late, and the last one that is not", () => {
    const sessions = { from: "2026-11-25", to: "2026-11-27" };
    expect(() => toDecisionTimes(context, { sessions, delayMs: 3_600_000 })).toThrow(
      "got 2026-11-27, which has its decision time at 2026-11-27T19:00:00.000Z, and it is " +
        "2026-11-27T18:30:00.000Z by the service's clock; end with 2026-11-25",
    );
  });

  test("goes by the service's clock where answers told it", () => {
    const ledger = { read: () => ({ clockOffsetMs: -86_400_000 }) };
    const sessions = { from: "2026-11-27", to: "2026-11-27" };
    expect(() => toDecisionTimes({ ...context, ledger } as typeof context, { sessions }))
      .toThrow("it is 2026-11-26T18:30:00.000Z");
  });

  test.each<[string, unknown, typeof TypeError | typeof RangeError, string]>([
    ["nothing", {}, TypeError, "got nothing; or give sessions: {"],
    ["no instant", { at: [] }, TypeError, "got an array of 0"],
    [
      "one instant",
      { at: "2026-11-20T10:00:00Z" },
      TypeError,
      "expected at to be an array or a Series",
    ],
    [
      "both",
      { at: ["2026-11-20T10:00:00Z"], sessions: {} },
      TypeError,
      "either at or sessions, got both",
    ],
    [
      "a delay of times",
      { at: ["2026-11-20T10:00:00Z"], delayMs: 60_000 },
      TypeError,
      "expected delayMs only with sessions, got it with at; leave delayMs out",
    ],
    [
      "an instant",
      { sessions: { from: "2026-11-20T10:00:00Z", to: "2026-11-20" } },
      TypeError,
      "to be a date",
    ],
    ["a weekend", { sessions: { from: "2026-11-21", to: "2026-11-22" } }, RangeError, "got none"],
    [
      "a clock without a zone",
      { at: pl.Series("x", [new Date("2026-11-20T10:00:00Z")], pl.Datetime("us")) },
      TypeError,
      "expected instants with a time zone in the column at, got 2026-11-20T10:00:00 without one",
    ],
    [
      "a Series of dates",
      { at: pl.Series("date", [new Date("2026-11-20")], pl.Date) },
      TypeError,
      "got Date; a date is not an instant: call the column date, or use the closes of sessions()",
    ],
    [
      "an instant that is null",
      { at: pl.Series("at", [null], pl.Datetime("us", "UTC")) },
      TypeError,
      "got none in row 0; drop it",
    ],
  ])("refuses %s", (_, options, kind, message) => {
    const read = () => toDecisionTimes(context, options as DecisionOptions);
    expect(read).toThrow(kind);
    expect(read).toThrow(message);
  });
});
