import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST, parseManifest } from "../share/manifest.ts";
import type { Findings } from "./findings.ts";

// The lock and the store are compared with each other.
const VERIFIED_OTHERWISE = /^(store\/|study\.lock\.json$)/;

/** Says which notebooks and pins of an imported study were edited since it was exported. */
export async function verifyManifest(folder: string, found: Findings): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  if (text === null) return;
  for (const [path, sha256] of parseManifest(text)) {
    if (VERIFIED_OTHERWISE.test(path)) continue;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) found.note(path, "removed since the study was exported");
    else if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
      found.note(path, "edited since the study was exported");
    }
  }
}
