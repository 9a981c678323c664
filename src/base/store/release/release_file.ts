import type { Factor } from "../../contract/factor.ts";
import { type Instant, parseInstant } from "../../contract/instant.ts";
import { encodeRelease, parseRelease, type Release } from "../../contract/release.ts";
import { sha256Hex } from "../layout.ts";
import { readSealed, sealText } from "../sealed_text.ts";

/** A release in a store: metadata beside the compressed file. */
export interface StoredRelease {
  /** Metadata from the service. */
  readonly release: Release;
  /** Time of receipt; in a world, the time from which it is served. */
  readonly availableFrom: Instant;
  /** Base address of the service, or the name of the world. */
  readonly origin: string;
  /** Path of the compressed file. */
  readonly path: string;
  /** Size of the compressed file. */
  readonly sizeBytes: number;
}

/** Key of the metadata of a release, without fields beyond the API document. */
export function metadataId(release: Release): string {
  return sha256Hex(JSON.stringify(encodeRelease({ ...release, extra: {} })));
}

/** Text of a release's metadata file. */
export function encodeStoredRelease(stored: Omit<StoredRelease, "path">): string {
  const envelope = {
    available_from: stored.availableFrom,
    origin: stored.origin,
    size_bytes: stored.sizeBytes,
    release: encodeRelease(stored.release),
  };
  return sealText(envelope, 2);
}

/**
 * Reads the text of a release's metadata file.
 *
 * @throws {ContractViolation} If a field is malformed
 */
export function parseStoredRelease(text: string, factor: Factor, path: string): StoredRelease {
  const value = readSealed(text);
  return {
    release: parseRelease(value.release, factor),
    availableFrom: parseInstant(value.available_from, "$.available_from"),
    origin: String(value.origin),
    sizeBytes: Number(value.size_bytes),
    path,
  };
}
