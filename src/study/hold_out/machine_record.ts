import { mkdir, readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../base/contract/json_text.ts";
import { readOrNull } from "../../base/contract/schema.ts";
import { putTextFile } from "../../base/disk/files.ts";
import { type Environment, stateHome } from "../../base/runtime/state_home.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { uniteEntries } from "../lock/chain.ts";
import { hashEntry, LOCKED_ENTRY, type LockedEntry } from "../lock/entry.ts";
import { factLine, type StudyLock } from "../lock/lock.ts";

/** Entries that this machine recorded and a lock lacks. */
export interface RecalledEntries {
  /** Entries of the same chain: the lock is an older one, or lost its end. */
  readonly lost: readonly LockedEntry[];
  /** Entries of a lock that was in this folder before, and has no entry in common with the present one. */
  readonly replaced: readonly LockedEntry[];
}

const NOTHING: RecalledEntries = { lost: [], replaced: [] };
const ID_DIGITS = 16;

/**
 * Records the entries of a lock in the user's state folder, outside of the file that they are counted in: an older lock in
 * its place takes no look back. A machine without such a folder records nothing.
 */
export async function rememberEntries(
  environment: Environment,
  folder: string,
  { registered }: StudyLock,
): Promise<void> {
  const home = recordHome(environment);
  if (home === null || registered.length === 0) return;
  const place = join(home, await idOf(folder));
  try {
    await mkdir(place, { recursive: true });
    for (const entry of registered) {
      const path = join(place, `${entry.sha256}.json`);
      await putTextFile(path, `${factLine(entry)}\n`, { durable: true });
    }
  } catch {
    // A home that cannot be written must not keep anybody from a look, which the lock counts.
  }
}

/** Entries that this machine recorded for the study in a folder, or for a copy of it, and that its lock lacks. */
export async function recallEntries(
  environment: Environment,
  folder: string,
  lock: StudyLock,
): Promise<RecalledEntries> {
  const home = recordHome(environment);
  if (home === null) return NOTHING;
  const own = await idOf(folder);
  const known = new Set(lock.registered.map(({ sha256 }) => sha256));
  let lost: readonly LockedEntry[] = [];
  let replaced: readonly LockedEntry[] = [];
  for (const id of await readdir(home).catch(() => [] as string[])) {
    // A world repeats itself: two studies of one world may have equal entries without being copies.
    if (id !== own && lock.synthetic === true) continue;
    const entries = await readRecord(join(home, id));
    const others = entries.filter(({ sha256 }) => !known.has(sha256));
    if (others.length < entries.length) lost = uniteEntries(lost, others);
    else if (id === own) replaced = others;
  }
  return { lost, replaced };
}

async function readRecord(place: string): Promise<readonly LockedEntry[]> {
  const entries: LockedEntry[] = [];
  for (const name of await readdir(place).catch(() => [] as string[])) {
    if (!/^[0-9a-f]{64}\.json$/.test(name)) continue;
    const text = await readFile(join(place, name), "utf8").catch(() => "null");
    const entry = readOrNull(LOCKED_ENTRY, parsed(text));
    if (entry !== null && hashEntry(entry) === entry.sha256) entries.push(entry);
  }
  return entries;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

// A process without a home, such as a test, has no state.
function recordHome(environment: Environment): string | null {
  const { XDG_STATE_HOME, HOME, USERPROFILE } = environment;
  if ([XDG_STATE_HOME, HOME, USERPROFILE].every((path) => !path)) return null;
  return join(stateHome(environment), "scoreframe", "registered");
}

async function idOf(folder: string): Promise<string> {
  return sha256Hex(await realpath(folder).catch(() => folder)).slice(0, ID_DIGITS);
}
