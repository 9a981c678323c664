import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import { encodeRelease, parseRelease, type Release } from "../../contract/release.ts";
import { anInstant, object, read, readBy, write } from "../../contract/schema.ts";
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

type ReleaseFacts = Omit<StoredRelease, "path">;

// The requested factor tells a release of the other one apart.
const storedRelease = (factor: Factor) =>
  object<ReleaseFacts>({
    availableFrom: anInstant,
    origin: readBy(String),
    sizeBytes: readBy(Number),
    release: readBy((value) => parseRelease(value, factor), encodeRelease),
  });
const STORED_RELEASE = { ecpnd: storedRelease("ecpnd"), ecqdi: storedRelease("ecqdi") };

/** Text of a release's metadata file. */
export function encodeStoredRelease(stored: ReleaseFacts): string {
  return sealText(write(STORED_RELEASE.ecpnd, stored), 2);
}

/**
 * Reads the text of a release's metadata file.
 *
 * @param options Path of the compressed file, and `isSealed`, which refuses a text without a hash
 * @throws {ContractViolation} If a field is malformed
 */
export function parseStoredRelease(
  text: string,
  factor: Factor,
  { path, isSealed = false }: { readonly path: string; readonly isSealed?: boolean },
): StoredRelease {
  return { ...read(STORED_RELEASE[factor], readSealed(text, isSealed)), path };
}
