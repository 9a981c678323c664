import { expect, test } from "vitest";
import type { Release } from "../../../../src/base/contract/release.ts";
import { toReleasesFrame } from "../../../../src/frames/frame/release/releases_frame.ts";
import { shownType } from "../_dtype.ts";

const BARE: Release = {
  factor: null,
  factorVersion: null,
  firstSession: null,
  lastSession: null,
  windowYears: null,
  windowStart: null,
  windowEnd: null,
  sessions: null,
  tickers: null,
  rows: null,
  scoredRows: null,
  missingRows: null,
  availability: null,
  universe: null,
  download: "/v1/scores/history.csv.gz?factor=ecpnd",
  downloadSha256: "a".repeat(64),
  sourceSha256: null,
  extra: {},
};
const STATED: Release = {
  ...BARE,
  factor: "ecpnd",
  factorVersion: "ecpnd-v1",
  firstSession: "2016-11-01",
  lastSession: "2026-10-30",
  sessions: 2514,
  tickers: 3368,
  rows: 7_512_003,
  availability: "at the close",
  universe: "US research universe",
};

function rowOf(release: Release) {
  return {
    release,
    availableFrom: "2026-11-03T12:00:00.000Z",
    path: "/store/history.csv.gz",
    sizeBytes: 30_000_000,
  };
}

test("toReleasesFrame() has one row per release, in the order given", () => {
  expect(toReleasesFrame([rowOf(STATED), rowOf(BARE)]).toRecords()[0]).toEqual({
    factor: "ecpnd",
    download_sha256: "a".repeat(64),
    factor_version: "ecpnd-v1",
    universe: "US research universe",
    availability: "at the close",
    first_session: new Date("2016-11-01"),
    last_session: new Date("2026-10-30"),
    sessions: 2514,
    tickers: 3368,
    row_count: 7_512_003,
    size_bytes: 30_000_000,
    retrieved_at: new Date("2026-11-03T12:00:00Z"),
    path: "/store/history.csv.gz",
  });
});

test("toReleasesFrame() keeps null what the metadata do not state, and never shows it as 0", () => {
  expect(toReleasesFrame([rowOf(STATED), rowOf(BARE)]).toRecords()[1]).toEqual({
    factor: null,
    download_sha256: "a".repeat(64),
    factor_version: null,
    universe: null,
    availability: null,
    first_session: null,
    last_session: null,
    sessions: null,
    tickers: null,
    row_count: null,
    size_bytes: 30_000_000,
    retrieved_at: new Date("2026-11-03T12:00:00Z"),
    path: "/store/history.csv.gz",
  });
});

test("toReleasesFrame() keeps columns and types where the store has no release", () => {
  const [empty, full] = [[], [rowOf(STATED)]].map(toReleasesFrame);
  expect(empty!.height).toBe(0);
  const types = full!.columns.map((name) => [name, shownType(full!, name)]);
  expect(empty!.columns.map((name) => [name, shownType(empty!, name)])).toEqual(types);
});
