import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assertFresh } from "../../src/client/freshness.ts";
import { type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

test("maxAgeMs counts by the service's clock, not by that of a machine which is behind", async () => {
  const api = await service.connect({ now: () => service.clock.ms - 3_600_000 });
  service.clock.ms += 40 * 60_000;
  // Data through 14:55, asked at 15:40.
  await expect(api.scores("ecpnd", { maxAgeMs: 30 * 60_000 })).rejects.toThrow("is 45");
  expect((await api.scores("ecpnd", { maxAgeMs: 46 * 60_000 })).height).toBe(8);
});

describe("assertFresh()", () => {
  const check = {
    factor: "ecpnd",
    status: "current",
    dataThrough: "2026-11-20T14:55:00.000Z",
    lastCheckedAt: "2026-11-20T15:00:00.000Z",
  } as const;
  const seenFrom = "2026-11-20T15:25:00.000Z";

  test("accepts anything when nothing is demanded", () => {
    expect(() => assertFresh({ ...check, status: "stale" }, seenFrom, {})).not.toThrow();
  });

  test("accepts data of exactly the greatest age, and no older", () => {
    expect(() => assertFresh(check, seenFrom, { maxAgeMs: 1_800_000 })).not.toThrow();
    expect(() => assertFresh(check, seenFrom, { maxAgeMs: 1_799_999 })).toThrow(
      "Cannot accept the ecpnd scores of the check at 2026-11-20T15:00:00.000Z: data no older than " +
        "30 min is required, data_through 2026-11-20T14:55:00.000Z is 30 min before " +
        "2026-11-20T15:25:00.000Z; the status is current",
    );
  });

  test.each([
    "stale",
    "call_source_delayed",
    "call_updates_pending",
    "partial_market_data",
    "recalculating",
    "Current",
  ])("refuses the status %s where current is required", (status) => {
    expect(() => assertFresh({ ...check, status }, seenFrom, { require: "current" })).toThrow(
      `status current is required, it is ${status} with data through 2026-11-20T14:55:00.000Z`,
    );
    expect(() => assertFresh(check, seenFrom, { require: "current" })).not.toThrow();
  });
});
