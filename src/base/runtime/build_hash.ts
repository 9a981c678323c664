import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

// Rooms that determine numbers; a changed chart leaves finished parts valid.
const ROOMS = [
  "analysis",
  "base/calendar",
  "base/statistics",
  "desk/dataset",
  "frames/frame",
  "frames/prices",
];
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
  const root = join(here, "../..");
  const hash = createHash("sha256");
  for (const room of ROOMS) {
    const names = readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
      .filter((name) => SOURCE.test(name)).toSorted();
    for (const name of names) {
      hash.update(`${room}/${name}\0`).update(readFileSync(join(root, room, name))).update("\0");
    }
  }
  return hash.digest("hex").slice(0, 16);
}
