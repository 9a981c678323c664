import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Factor } from "../../contract/factor.ts";
import { putTextFile, readTextFile } from "../../disk/files.ts";
import { listSetAside, readRelease } from "./release_folder.ts";
import { LAYOUT, RELEASE_FILE, SET_ASIDE } from "../layout.ts";
import type { StoredRelease } from "./release_file.ts";

/** A release whose file is the announced one, but whose rows contradict its metadata. */
export interface RefusedRelease {
  /** Metadata of the release, and the present path of its file. */
  readonly stored: StoredRelease;
  /** The verification steps that refused it, as JSON. */
  readonly checks: readonly unknown[];
}

const REFUSAL_FILE = "refusal.json";

/**
 * Sets a release aside under a special name: it leaves the releases of the store, and the store refuses it without
 * receiving its file again.
 *
 * @param checks The verification steps that refused it, as JSON text
 * @returns Its new folder
 */
export async function refuseRelease(stored: StoredRelease, checks: string): Promise<string> {
  const folder = dirname(stored.path);
  const place = `${folder}${SET_ASIDE}`;
  await putTextFile(join(folder, REFUSAL_FILE), `${checks}\n`, { durable: true });
  // Another process may have set the same file aside.
  await rm(place, { recursive: true, force: true });
  await rename(folder, place);
  return place;
}

/** Releases of a factor that were set aside, except damaged ones. */
export async function listRefused(
  store: { readonly path: string },
  factor: Factor,
): Promise<readonly RefusedRelease[]> {
  const folder = join(store.path, LAYOUT.releases(factor));
  const refused: RefusedRelease[] = [];
  for (const name of await listSetAside(folder)) {
    const place = join(folder, name);
    const stored = await readRelease(place, factor).catch(() => null);
    const checks = parseChecks(await readTextFile(join(place, REFUSAL_FILE)));
    if (stored !== null && checks !== null) refused.push({ stored, checks });
  }
  return refused;
}

function parseChecks(text: string | null): readonly unknown[] | null {
  try {
    const checks: unknown = JSON.parse(text ?? "");
    return Array.isArray(checks) ? checks : null;
  } catch {
    return null;
  }
}

/** Moves the file of a release that was set aside back, without metadata, to be verified again. */
export async function takeBackRelease({ stored }: RefusedRelease): Promise<void> {
  const place = dirname(stored.path);
  const folder = place.slice(0, -SET_ASIDE.length);
  await mkdir(folder, { recursive: true });
  await rename(stored.path, join(folder, RELEASE_FILE));
  await rm(place, { recursive: true, force: true });
}
