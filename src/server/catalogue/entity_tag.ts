import { sha256Hex } from "../../store/layout.ts";

const LENGTH = 32;

/** A weak, opaque entity tag over everything that tells one response from another (section 4.3). */
export function weakEntityTag(parts: readonly unknown[]): string {
  return `W/"${sha256Hex(JSON.stringify(parts)).slice(0, LENGTH)}"`;
}
