import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type CheckInput,
  completeCheck,
  planCheck,
} from "../../../../src/base/store/checks/complete_check.ts";
import { Store } from "../../../../src/base/store/store.ts";
import { verifyStore } from "../../../../src/base/store/verify_store.ts";

const ROWS = { tickers: ["1E5", "A", "NA"], scores: [0, 0.25, null] };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function input(hour: number, change: Partial<CheckInput> = {}): CheckInput {
  const text = String(hour).padStart(2, "0");
  return {
    factor: "ecqdi",
    universe: "US research universe",
    factorVersion: "ecqdi-v1",
    checkedAt: `2026-11-19T${text}:00:00.000Z`,
    dataThrough: `2026-11-19T${String(hour - 1).padStart(2, "0")}:58:00.000Z`,
    pricesThrough: "2026-11-18",
    rows: ROWS,
    callSourceDelayed: false,
    benchmarkCurrent: true,
    priceTickersCurrent: 4,
    priceTickersTracked: 4,
    pendingCalls: 0,
    failedCalls: 0,
    pendingFactorCalls: 0,
    ...change,
  };
}

const first = planCheck(input(14), null);

describe("planCheck()", () => {
  test("publishes the first set at the time of its check", () => {
    expect(first.published).toBe(true);
    expect(first.set.calculatedAt).toBe("2026-11-19T14:00:00.000Z");
    expect(first.set.snapshotId).toMatch(UUID);
    expect(first.check).toMatchObject({
      scoreName: "ecqdi_score",
      snapshotId: first.set.snapshotId,
      calculatedAt: "2026-11-19T14:00:00.000Z",
      lastCheckedAt: "2026-11-19T14:00:00.000Z",
      dataThrough: "2026-11-19T13:58:00.000Z",
      status: "current",
      coverage: { tickers: 3, scoredTickers: 2, pendingFactorCalls: 0 },
    });
  });

  test("gives each hour's set an id of its own, a UUID of version 8 (RFC 9562)", () => {
    const ids = Array.from({ length: 23 }, (_, i) => planCheck(input(i + 1), null).set.snapshotId);
    expect(new Set(ids).size).toBe(23);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  test("takes a cutoff at the very time of the check, and none after it", () => {
    const checkedAt = "2026-11-19T14:00:00.000Z";
    expect(planCheck(input(14, { dataThrough: checkedAt }), null).check.dataThrough).toBe(
      checkedAt,
    );
    expect(() => planCheck(input(14, { dataThrough: "2026-11-19T14:00:00.001Z" }), null))
      .toThrow(`a time not after the check at ${checkedAt}`);
  });

  test("reuses the set of unchanged numbers and advances the check alone", () => {
    const rows = { tickers: [...ROWS.tickers], scores: [...ROWS.scores] };
    const next = planCheck(input(15, { rows, pendingCalls: 2 }), first);
    expect(next.published).toBe(false);
    expect(next.set).toBe(first.set);
    expect(next.check.snapshotId).toBe(first.set.snapshotId);
    expect(next.check.calculatedAt).toBe("2026-11-19T14:00:00.000Z");
    expect(next.check.lastCheckedAt).toBe("2026-11-19T15:00:00.000Z");
    expect(next.check.status).toBe("call_updates_pending");
  });

  test.each([
    ["a number", { rows: { tickers: ROWS.tickers, scores: [0, 0.26, null] } }],
    ["a null that becomes 0", { rows: { tickers: ROWS.tickers, scores: [0, 0.25, 0] } }],
    ["a ticker", { rows: { tickers: ["1E5", "A", "NAN"], scores: ROWS.scores } }],
    ["a missing row", { rows: { tickers: ["1E5", "A"], scores: [0, 0.25] } }],
    ["the factor version", { factorVersion: "ecqdi-v2" }],
  ])("publishes a new set when %s changes", (_, change) => {
    const next = planCheck(input(15, change), first);
    expect(next.published).toBe(true);
    expect(next.set.snapshotId).not.toBe(first.set.snapshotId);
    expect(next.check.calculatedAt).toBe("2026-11-19T15:00:00.000Z");
  });

  test("gives a return to earlier numbers a new id, because publications differ", () => {
    const other = { tickers: ROWS.tickers, scores: [0, 0.5, null] };
    const changed = planCheck(input(15, { rows: other }), first);
    const back = planCheck(input(16), changed);
    expect(back.published).toBe(true);
    expect(back.set.rows).toEqual(first.set.rows);
    expect(back.set.snapshotId).not.toBe(first.set.snapshotId);
  });

  test.each([
    ["call_source_delayed", { callSourceDelayed: true, pendingCalls: 1, benchmarkCurrent: false }],
    ["call_updates_pending", { pendingCalls: 1, benchmarkCurrent: false }],
    ["call_updates_pending", { failedCalls: 1 }],
    ["call_updates_pending", { pendingFactorCalls: 1 }],
    ["partial_market_data", { benchmarkCurrent: false }],
    ["partial_market_data", { priceTickersCurrent: 3 }],
    ["partial_market_data", { priceTickersCurrent: null, priceTickersTracked: null }],
    ["current", {}],
  ])("records %s for %j", (status, change) => {
    expect(planCheck(input(15, change), first).check.status).toBe(status);
  });

  test("does not report factor processing for ecpnd", () => {
    const { check } = planCheck(input(15, { factor: "ecpnd", pendingFactorCalls: 3 }), null);
    expect(check.status).toBe("current");
    expect(check.coverage.pendingFactorCalls).toBeNull();
    expect(check.coverage.scoredTickers).toBeNull();
  });

  test.each([
    ["a cutoff after the check", { dataThrough: "2026-11-19T15:00:00.001Z" }, /dataThrough/],
    ["a score above 1", { rows: { tickers: ["A"], scores: [1.5] } }, /scores\[0\]\.ecqdi_score/],
    ["tickers out of order", { rows: { tickers: ["B", "A"], scores: [0, 0] } }, /ticker/],
    ["a check of the same time", {
      checkedAt: "2026-11-19T14:00:00.000Z",
      dataThrough: "2026-11-19T13:58:00.000Z",
    }, /checkedAt/],
  ])("refuses %s", (_, change, message) => {
    expect(() => planCheck(input(15, change), first)).toThrow(message);
  });
});

describe("completeCheck()", () => {
  let store: Store;
  const origin = { origin: "a test" };

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-"));
    store = await Store.create(folder, {
      format: 1,
      kind: "world",
      description: "A synthetic world",
      synthetic: true,
      complete: { from: "2026-11-19T00:00:00.000Z", through: "2026-11-19T23:59:59.999Z" },
      origin: {},
    }, { durable: false });
  });
  afterEach(() => rm(store.path, { recursive: true }));

  test("finds the previous check in the store and keeps a sound store", async () => {
    const changed = { rows: { tickers: ["A"], scores: [1] } };
    const inputs = [input(10), input(11), input(12, changed), input(14, changed)];
    const published: boolean[] = [];
    for (const each of inputs) published.push((await completeCheck(store, each, origin)).published);
    expect(published).toEqual([true, false, true, false]);
    expect(await store.listSets("ecqdi")).toHaveLength(2);
    expect(await store.listChecks("ecqdi")).toHaveLength(4);
    expect(await verifyStore(store)).toMatchObject({ sets: 2, checks: 4, problems: [] });
  });

  test("changes nothing when the last check is completed again", async () => {
    await completeCheck(store, input(10), origin);
    const once = await completeCheck(store, input(11), origin);
    const again = await completeCheck(store, input(11), origin);
    expect(again.check).toEqual(once.check);
    expect(await store.listChecks("ecqdi")).toHaveLength(2);
  });

  test("refuses a check before the store's last one", async () => {
    await completeCheck(store, input(11), origin);
    await expect(completeCheck(store, input(10), origin)).rejects.toThrow(
      /expected a time after the last check .* of 2026-11-19T11:00:00\.000Z/,
    );
  });

  test("refuses a second check of the same time with other content", async () => {
    await completeCheck(store, input(11), origin);
    await expect(completeCheck(store, input(11, { pendingCalls: 1 }), origin)).rejects.toThrow(
      /expected one check of that time/,
    );
  });
});
