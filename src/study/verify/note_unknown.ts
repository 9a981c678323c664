import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { kindOf, TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { ASIDE_PREFIX, isStoreFile } from "../../base/store/layout.ts";
import type { Findings } from "./findings.ts";

const MOST_NAMED = 10;

/** Notes what is in a store and is no file of one: nothing reads it, and no hash covers it. */
export async function noteUnknown(store: string, found: Findings): Promise<void> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => []);
  const unknown = entries.filter((entry) => !entry.isDirectory())
    .map((entry) => relative(store, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !isStoreFile(path) && !isLeftBehind(path))
    .sort();
  for (const path of unknown.slice(0, MOST_NAMED)) {
    const got = kindOf(join(store, path));
    found.note(
      join("store", path),
      `${got === null || got === "a file" ? "" : `${got}, and `}no file of a store: nothing ` +
        "reads it",
    );
  }
  if (unknown.length <= MOST_NAMED) return;
  found.note("store", `${unknown.length - MOST_NAMED} more that are no files of a store`);
}

// Named by the verification of the store, or set aside by a restore.
function isLeftBehind(path: string): boolean {
  return path.split("/").some((name) =>
    name.startsWith(TEMPORARY_PREFIX) || name.startsWith(ASIDE_PREFIX)
  );
}
