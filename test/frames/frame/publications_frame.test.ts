import { expect, test } from "vitest";
import { toPublicationsFrame } from "../../../src/frames/frame/publications_frame.ts";
import { shownType } from "./_dtype.ts";

const check = {
  factor: "ecpnd",
  scoreName: "ecpnd_score",
  universe: "U",
  factorVersion: "ecpnd-v1",
  snapshotId: "a",
  calculatedAt: "2026-11-20T12:00:00.000Z",
  lastCheckedAt: "2026-11-20T15:00:00.000Z",
  dataThrough: "2026-11-20T14:55:00.000Z",
  status: "current",
  pricesThrough: "2026-11-19",
  coverage: {
    tickers: 3,
    priceTickersCurrent: 3,
    priceTickersTracked: 3,
    pendingCalls: 0,
    failedCalls: 0,
    scoredTickers: null,
    pendingFactorCalls: null,
    extra: {},
  },
  extra: {},
} as const;
const receipt = { source: "store, synthetic", retrievedAt: "2026-11-20T15:00:01.000Z" } as const;

test("toPublicationsFrame() has one row per set, in the order given, each column of its own instant", () => {
  const frame = toPublicationsFrame([
    { check, scored: 2, supersededAt: null, receipt },
    { check, scored: 0, supersededAt: "2026-11-20T13:00:00.000Z", receipt },
  ]);
  expect(frame.toRecords()).toEqual([
    {
      factor: "ecpnd",
      snapshot_id: "a",
      calculated_at: new Date("2026-11-20T12:00:00Z"),
      superseded_at: null,
      factor_version: "ecpnd-v1",
      universe: "U",
      tickers: 3,
      scored: 2,
      last_checked_at: new Date("2026-11-20T15:00:00Z"),
      data_through: new Date("2026-11-20T14:55:00Z"),
      status: "current",
      prices_through: new Date("2026-11-19"),
      source: "store, synthetic",
      retrieved_at: new Date("2026-11-20T15:00:01Z"),
    },
    expect.objectContaining({ scored: 0, superseded_at: new Date("2026-11-20T13:00:00Z") }),
  ]);
});

test("toPublicationsFrame() keeps columns and types where nothing was published", () => {
  const [empty, full] = [[], [{ check, scored: 2, supersededAt: null, receipt }]]
    .map(toPublicationsFrame);
  expect(empty!.height).toBe(0);
  const types = full!.columns.map((name) => [name, shownType(full!, name)]);
  expect(empty!.columns.map((name) => [name, shownType(empty!, name)])).toEqual(types);
});
