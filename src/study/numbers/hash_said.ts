import { sha256Hex } from "../../base/store/layout.ts";
import { type Check, encodeCheck } from "../../base/contract/scores/check.ts";
import { encodeRelease, type Release } from "../../base/contract/release.ts";

const hashes = new WeakMap<Check, string>();

/**
 * The hash of a check: SHA-256 of its JSON from the service, with sorted names and without spaces. Rows and fields that the API
 * document does not define are left out; `synthetic` is added.
 */
export function hashCheck(check: Check): string {
  const known = hashes.get(check);
  if (known !== undefined) return known;
  const { coverage } = check;
  const plain = { ...check, extra: {}, coverage: { ...coverage, extra: {} } };
  const hash = hashOf({ ...encodeCheck(plain), synthetic: check.extra.synthetic === true });
  hashes.set(check, hash);
  return hash;
}

/** The hash of the metadata of a release without the address of its file, in the same form as that of a check. */
export function hashRelease(release: Release): string {
  const { download: _, ...said } = encodeRelease({ ...release, extra: {} });
  return hashOf({ ...said, synthetic: release.extra.synthetic === true });
}

function hashOf(said: Readonly<Record<string, unknown>>): string {
  return sha256Hex(JSON.stringify(sorted(said)));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, sorted(field)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
}
