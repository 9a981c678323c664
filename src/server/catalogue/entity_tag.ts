import { sha256Hex } from "../../base/store/layout.ts";

const LENGTH = 32;

/** Weak, opaque entity tag over everything that can differ between two responses (section 4.3). */
export function weakEntityTag(parts: readonly unknown[]): string {
  return `W/"${sha256Hex(JSON.stringify(parts)).slice(0, LENGTH)}"`;
}

/**
 * True if an `If-None-Match` value matches an entity tag, by weak comparison (RFC 9110, sections 8.8.3.2 and 13.1.2).
 *
 * @param ifNoneMatch The header's value: `*`, or a list of entity tags; members that are not entity tags are ignored
 * @param etag Entity tag of the selected representation
 */
export function matchesEntityTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === "*") return true;
  const opaque = opaqueOf(etag);
  return splitList(ifNoneMatch).some((member) => opaqueOf(member) === opaque);
}

function opaqueOf(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}

// A comma may stand inside the quotes.
function splitList(value: string): string[] {
  return (value.match(/(?:[^",]|"[^"]*")+/g) ?? []).map((member) => member.trim());
}
