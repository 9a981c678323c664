import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";

/** Name suffix of a compressed set. */
export const PACKED = ".gz";

/** Paths of a store, relative to its folder. */
export const LAYOUT = {
  info: "store.json",
  sets: (factor: Factor): string => join(factor, "sets"),
  set: (factor: Factor, snapshotId: string): string => join(factor, "sets", `${snapshotId}.json`),
  packedSet: (factor: Factor, snapshotId: string): string =>
    join(factor, "sets", `${snapshotId}.json${PACKED}`),
  /** Both possible files of a set, in order of reading. */
  eitherSet: (factor: Factor, snapshotId: string): readonly [packed: string, plain: string] => [
    LAYOUT.packedSet(factor, snapshotId),
    LAYOUT.set(factor, snapshotId),
  ],
  checks: (factor: Factor): string => join(factor, "checks"),
  check: (factor: Factor, name: string): string => join(factor, "checks", name),
  views: (factor: Factor): string => join(factor, "views"),
  view: (factor: Factor, at: Instant): string => join(factor, "views", `${fileSafe(at)}.json`),
  releases: (factor: Factor): string => join(factor, "releases"),
  release: (factor: Factor, sha256: string): string => join(factor, "releases", sha256),
} as const;

/** Name of the archive that holds many files of a folder of sets or checks. */
export const ARCHIVE_FILE = "archive.tar";

/** Name of the metadata file of a release. */
export const RELEASE_METADATA = "release.json";

/** Name of a file of corrected metadata; of several, the last name counts. */
export function correctionName(receivedAt: Instant): string {
  return `release--${fileSafe(receivedAt)}.json`;
}

/** Name suffix of the folder of a release that was refused and set aside. */
export const SET_ASIDE = ".refused";

/** Name prefix of a file that a store ignores, because it was damaged or differed from the lock of a study. */
export const ASIDE_PREFIX = ".damaged-";

/** Name of the compressed file of a release. */
export const RELEASE_FILE = "history.csv.gz";

/** An instant as part of a file name; names sort like instants. */
function fileSafe(instant: Instant): string {
  return instant.replaceAll(":", "-");
}

/** Instant at the start of a file name, or `null` if there is none. */
export function instantOfName(name: string): Instant | null {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3}Z)/.exec(name);
  return match === null ? null : `${match[1]}:${match[2]}:${match[3]}`;
}

/** File name of a check: its time and a hash of its content. */
export function checkName(lastCheckedAt: Instant, content: string): string {
  return `${fileSafe(lastCheckedAt)}--${sha256Hex(content).slice(0, 12)}.json`;
}

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z`;
const FILES: readonly RegExp[] = [
  `sets/${UUID}\\.json(\\.gz)?`,
  `checks/${INSTANT}--[0-9a-f]{12}\\.json`,
  `views/${INSTANT}\\.json`,
  `(sets|checks)/${ARCHIVE_FILE}`,
  `releases/[0-9a-f]{64}(${SET_ASIDE})?/(history\\.(csv\\.gz|parquet(\\.json)?)|release(--${INSTANT})?\\.json|refusal\\.json)`,
].map((form) => new RegExp(`^(ecpnd|ecqdi)/${form}$`));

/** Tests if a path with slashes, relative to a store, is one of its files. */
export function isStoreFile(path: string): boolean {
  return path === LAYOUT.info || FILES.some((form) => form.test(path));
}

/** SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
