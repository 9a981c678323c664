import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

// Layers that determine numbers; a changed chart leaves finished parts valid.
const LAYERS = ["analysis", "calendar", "dataset", "frame", "prices", "statistics"];
const SOURCE = /(?<!\.d)\.[jt]s$/;

let known: string | null = null;

/**
 * Hash of the package's sources that compute numbers, which distinguishes builds of one version; "unknown" where the package
 * was not loaded from a disk.
 */
export function buildHash(): string {
  return known ??= hashOf(import.meta.dirname);
}

function hashOf(here: string | undefined): string {
  if (here === undefined) return "unknown";
  const root = dirname(here);
  const hash = createHash("sha256");
  for (const layer of LAYERS) {
    const names = readdirSync(join(root, layer), { recursive: true, encoding: "utf8" })
      .filter((name) => SOURCE.test(name)).toSorted();
    for (const name of names) {
      hash.update(`${layer}/${name}\0`).update(readFileSync(join(root, layer, name))).update("\0");
    }
  }
  return hash.digest("hex").slice(0, 16);
}
