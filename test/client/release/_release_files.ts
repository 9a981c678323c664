import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import type { FactorApi } from "../../../src/client/factor_api.ts";
import type { Release } from "../../../src/base/contract/release.ts";
import type { Store } from "../../../src/base/store/store.ts";

/** What a first load sends, as the path of each request. */
export const METADATA = "GET /v1/scores/history?factor=ecpnd";
export const HEAD = "HEAD /v1/scores/history.csv.gz?factor=ecpnd";
export const FILE = "GET /v1/scores/history.csv.gz?factor=ecpnd";

/** A good file of four rows; the metadata below describes it. */
export const GOOD_LINES: readonly string[] = [
  "date,ticker,ecpnd_score",
  "2026-08-13,A,0.5",
  "2026-08-13,NA,",
  "2026-08-14,A,0.25",
  "2026-08-14,NA,1",
];

/** Metadata of {@link GOOD_LINES}, but for the checksum. */
export const GOOD_METADATA = {
  factor: "ecpnd",
  factorVersion: "ecpnd-v1",
  firstSession: "2026-08-13",
  lastSession: "2026-08-14",
  windowYears: 10,
  windowStart: "2016-08-15",
  windowEnd: "2026-08-14",
  sessions: 2,
  tickers: 2,
  rows: 4,
  scoredRows: 3,
  missingRows: 1,
  availability: "next session open",
  universe: "US research universe (synthetic)",
  download: "/v1/scores/history.csv.gz?factor=ecpnd",
  sourceSha256: null,
  extra: { synthetic: true },
} as const;

/** The bytes of lines, each ended by a newline, as gzip. */
export function gzipLines(lines: readonly string[]): Uint8Array {
  return gzipText(lines.map((line) => `${line}\n`).join(""));
}

/** The bytes of a text as gzip; each character is one byte. */
export function gzipText(text: string): Uint8Array {
  return gzipSync(new Uint8Array([...text].map((character) => character.charCodeAt(0))));
}

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Puts a file into a store as the release that is offered from an instant on; the checksum is that of the bytes. */
export async function offerRelease(
  store: Store,
  bytes: Uint8Array,
  options: { readonly metadata?: Partial<Release>; readonly availableFrom?: string } = {},
): Promise<string> {
  const { metadata = {}, availableFrom = "2026-10-01T00:00:00.000Z" } = options;
  const sha256 = sha256Of(bytes);
  const staging = await store.stageRelease("ecpnd");
  await writeFile(staging.path, bytes);
  const release = { ...GOOD_METADATA, downloadSha256: sha256, ...metadata };
  await staging.commit({ release, sha256, sizeBytes: bytes.length, availableFrom, origin: "test" });
  return sha256;
}

/** The store as a list of files below a factor's releases, without those that are still being written. */
export async function releaseFiles(api: FactorApi): Promise<string[]> {
  const folder = join(api.store, "ecpnd", "releases");
  return await readdir(folder, { recursive: true }).catch(() => []);
}

/** Offers a release of some megabytes, and returns its lines without the header. */
export async function offerLargeRelease(store: Store): Promise<readonly string[]> {
  const days = Array.from({ length: 260 }, (_, i) => new Date(Date.UTC(2025, 0, 1 + i)))
    .filter((day) => day.getUTCDay() % 6 !== 0).map((day) => day.toISOString().slice(0, 10));
  const rows = days.flatMap((day, d) =>
    Array.from(
      { length: 2000 },
      (_, t) => `${day},T${t},${(((d * 7919 + t * 104729) * 2654435761) >>> 0) / 2 ** 32}`,
    )
  );
  const bytes = gzipLines([GOOD_LINES[0]!, ...rows]);
  expect(bytes.length).toBeGreaterThan(2_000_000);
  await offerRelease(store, bytes, {
    metadata: {
      rows: rows.length,
      scoredRows: rows.length,
      missingRows: 0,
      sessions: days.length,
      tickers: 2000,
      firstSession: days[0]!,
      lastSession: days.at(-1)!,
    },
  });
  return rows;
}
