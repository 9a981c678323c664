import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { assertFresh } from "../../../src/client/scores/scores_options.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

test("maxAgeMs counts by the service's clock, not by that of a machine which is behind", async () => {
  const api = await service.connect({ now: () => service.clock.ms - 3_600_000 });
  service.clock.ms += 40 * 60_000;
  // Data through 14:55, asked at 15:40.
  await expect(api.scores("ecpnd", { maxAgeMs: 30 * 60_000 })).rejects.toThrow(", 45");
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
      "Cannot accept the ecpnd scores of the check at 2026-11-20T15:00:00.000Z: expected data no " +
        "older than 1799.999 s, got data_through 2026-11-20T14:55:00.000Z, 30 min before " +
        "2026-11-20T15:25:00.000Z; the status is current",
    );
  });

  test.each([[0, "0 min"], [1, "1 ms"], [1_500, "1.5 s"], [60_000, "1 min"], [90_000, "90 s"]])(
    "shows the greatest age of %i ms as it was given",
    (maxAgeMs, shown) => {
      expect(() => assertFresh(check, seenFrom, { maxAgeMs })).toThrow(
        `older than ${shown}, got data_through`,
      );
    },
  );

  test.each([
    "stale",
    "call_source_delayed",
    "call_updates_pending",
    "partial_market_data",
    "recalculating",
    "Current",
  ])("refuses the status %s where current is demanded", (status) => {
    expect(() => assertFresh({ ...check, status }, seenFrom, { require: "current" })).toThrow(
      `expected the status current, got ${status} with data through 2026-11-20T14:55:00.000Z`,
    );
    expect(() => assertFresh(check, seenFrom, { require: "current" })).not.toThrow();
  });
});

test("maxAgeMs of a set by its id counts from its publication, however long ago that was", async () => {
  const api = await service.connect();
  service.clock.ms += 30 * 86_400_000;
  const snapshotId = FIXTURE_SETS.ecpnd.second;
  // Data through 12:55, published at 13:00.
  expect((await api.scores("ecpnd", { snapshotId, maxAgeMs: 300_000 })).height).toBe(8);
  await expect(api.scores("ecpnd", { snapshotId, maxAgeMs: 299_999 })).rejects
    .toThrow("5 min before 2026-11-20T13:00:00.000Z");
});

test("maxAgeMs of a view counts from its instant", async () => {
  const api = await service.connect();
  const at = "2026-11-20T13:20:00Z";
  expect((await api.scores("ecpnd", { at, maxAgeMs: 1_500_000 })).height).toBe(8);
  await expect(api.scores("ecpnd", { at, maxAgeMs: 1_499_999 })).rejects
    .toThrow("25 min before 2026-11-20T13:20:00.000Z");
});
