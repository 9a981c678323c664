import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "fflate";
import type { Check } from "../../src/base/contract/scores/check.ts";
import type { Factor } from "../../src/base/contract/factor.ts";
import { Store } from "../../src/base/store/store.ts";

/** A small hand-made store in a temporary folder; every number in it can be checked by eye. */
export interface FixtureStore {
  /** The store. */
  readonly store: Store;
  /** Its folder. */
  readonly path: string;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/** What the fixture holds. */
export interface FixtureOptions {
  /** Declare the store a partial recording. @default false */
  readonly partial?: boolean;
  /** Leave out the releases. @default false */
  readonly withoutReleases?: boolean;
  /** Declare the numbers synthetic. @default true */
  readonly synthetic?: boolean;
}

/**
 * The published sets by factor: `first` of 10:00, `second` of 13:00 on 2026-11-20.
 *
 * Checks are completed at 10:00, 11:00, 12:00 (first set) and 13:00, 14:00, 15:00 (second set), with
 * `data_through` five minutes before; nothing before 10:00, nothing after 15:00.
 */
export const FIXTURE_SETS = {
  ecpnd: {
    first: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
    second: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02",
  },
  ecqdi: {
    first: "7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e801",
    second: "7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e802",
  },
} as const;

/** Tickers of both factors, alphabetical; the last one has 16 characters. */
export const FIXTURE_TICKERS: readonly string[] = [
  "0012",
  "1E5",
  "A",
  "BF-B",
  "BRK.B",
  "NA",
  "TRUE",
  "ZZZZZZZZZZZZZZZZ",
];

const SCORES = {
  ecpnd: {
    first: [0, 0.125, 0.25, null, 0.5, 0.75, 1, 0.375],
    second: [0, 0.125, 0.3, 0.875, 0.5, null, 1, 0.375],
  },
  ecqdi: {
    first: [null, 0.5, 0.0625, null, 1, 0.1, 0, 0.9],
    second: [null, 0.5, 0.0625, 0.2, 1, 0.1, 0, null],
  },
} as const;

const STATUS = [
  "current",
  "partial_market_data",
  "call_updates_pending",
  "current",
  "call_source_delayed",
  "current",
] as const;

const RELEASE_ROWS = {
  ecpnd: ["2026-08-13,A,0.5", "2026-08-13,NA,", "2026-08-14,A,0.25", "2026-08-14,NA,1"],
  ecqdi: ["2026-08-13,1E5,0", "2026-08-13,TRUE,0.75", "2026-08-14,TRUE,"],
} as const;

/** Makes the fixture store in a new temporary folder. */
export async function makeFixtureStore(options: FixtureOptions = {}): Promise<FixtureStore> {
  const path = await mkdtemp(join(tmpdir(), "scoreframe-fixture-"));
  const synthetic = options.synthetic ?? true;
  const store = await Store.create(path, {
    format: 1,
    kind: options.partial ? "recording" : "world",
    description: "hand-made fixture",
    synthetic,
    complete: options.partial
      ? null
      : { from: "2026-11-20T09:00:00.000Z", through: "2026-11-20T15:00:00.000Z" },
    origin: { name: "fixture" },
  }, { durable: false });
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    await putSets(store, factor);
    await putChecks(store, factor, synthetic);
    if (!options.withoutReleases) {
      await putFixtureRelease(store, {
        factor,
        rows: RELEASE_ROWS[factor],
        availableFrom: "2026-09-01T00:00:00.000Z",
      });
    }
  }
  return { store, path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A release to put into a store. */
export interface FixtureRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** CSV lines without the header, sorted. */
  readonly rows: readonly string[];
  /** From when on it is served. */
  readonly availableFrom: string;
  /** Where the service that it was recorded from offered it. @default as the embedded server does */
  readonly download?: string;
}

/** Puts a release of the given rows into a store; returns the SHA-256 of its compressed file. */
export async function putFixtureRelease(store: Store, spec: FixtureRelease): Promise<string> {
  const { factor, rows } = spec;
  const csv = `date,ticker,${factor}_score\n${rows.join("\n")}\n`;
  const bytes = gzipSync(new TextEncoder().encode(csv), { mtime: 0 });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const dates = rows.map((row) => row.split(",")[0] ?? "");
  const staging = await store.stageRelease(factor);
  await writeFile(staging.path, bytes);
  await staging.commit({
    release: {
      factor,
      factorVersion: `${factor}-v1`,
      firstSession: dates[0] ?? null,
      lastSession: dates.at(-1) ?? null,
      windowYears: 10,
      windowStart: "2016-08-15",
      windowEnd: "2026-08-14",
      sessions: new Set(dates).size,
      tickers: new Set(rows.map((row) => row.split(",")[1])).size,
      rows: rows.length,
      scoredRows: rows.filter((row) => !row.endsWith(",")).length,
      missingRows: rows.filter((row) => row.endsWith(",")).length,
      availability: "next session open",
      universe: "US research universe (synthetic)",
      download: spec.download ?? `/v1/scores/history.csv.gz?factor=${factor}`,
      downloadSha256: sha256,
      sourceSha256: "0".repeat(64),
      extra: { synthetic: true },
    },
    sha256,
    sizeBytes: bytes.length,
    availableFrom: spec.availableFrom,
    origin: "fixture",
  });
  return sha256;
}

async function putSets(store: Store, factor: Factor): Promise<void> {
  for (const name of ["first", "second"] as const) {
    await store.putSet({
      factor,
      snapshotId: FIXTURE_SETS[factor][name],
      factorVersion: `${factor}-v1`,
      calculatedAt: name === "first" ? "2026-11-20T10:00:00.000Z" : "2026-11-20T13:00:00.000Z",
      rows: { tickers: FIXTURE_TICKERS, scores: SCORES[factor][name] },
    });
  }
}

async function putChecks(store: Store, factor: Factor, synthetic: boolean): Promise<void> {
  for (const [i, status] of STATUS.entries()) {
    const check = fixtureCheck({ factor, hour: 10 + i, status, synthetic });
    await store.putCheck({ check, retrievedAt: check.lastCheckedAt, origin: "fixture" });
  }
}

function fixtureCheck(
  spec: { factor: Factor; hour: number; status: string; synthetic: boolean },
): Check {
  const { factor, hour, status, synthetic } = spec;
  const name = hour < 13 ? "first" : "second";
  const scored = SCORES[factor][name].filter((score) => score !== null).length;
  return {
    factor,
    scoreName: `${factor}_score`,
    universe: synthetic ? "US research universe (synthetic)" : "US research universe",
    factorVersion: `${factor}-v1`,
    snapshotId: FIXTURE_SETS[factor][name],
    calculatedAt: `2026-11-20T${hour < 13 ? 10 : 13}:00:00.000Z`,
    lastCheckedAt: `2026-11-20T${hour}:00:00.000Z`,
    dataThrough: `2026-11-20T${String(hour - 1).padStart(2, "0")}:55:00.000Z`,
    status,
    pricesThrough: "2026-11-19",
    coverage: {
      tickers: 8,
      priceTickersCurrent: status === "partial_market_data" ? 7 : 8,
      priceTickersTracked: 8,
      pendingCalls: status === "call_updates_pending" ? 2 : 0,
      failedCalls: 0,
      scoredTickers: factor === "ecqdi" ? scored : null,
      pendingFactorCalls: factor === "ecqdi" ? 0 : null,
      extra: {},
    },
    extra: synthetic ? { synthetic: true } : {},
  };
}
