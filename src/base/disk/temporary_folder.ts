import { rmSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { onDisk } from "./on_disk.ts";

/** A folder that exists as long as this process. */
export interface TemporaryFolder extends Disposable {
  /** Its path. */
  readonly path: string;
  /** Removes it now; may be called again. */
  remove(): void;
}

/** Options of a temporary folder. */
export interface TemporaryFolderOptions {
  /**
   * Parent folder.
   *
   * @default the system's
   */
  readonly parent?: string;
  /**
   * Starts its name with a dot, as is right in a folder of the user's.
   *
   * @default false
   */
  readonly isHidden?: boolean;
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

// Without locks, the owner may be a process in another container, which is invisible from here.
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;
// A dot before the last part marks a folder whose owner holds a lock. Version 0.1.0 wrote a hyphen and took no lock.
const OWN_NAME = /^scoreframe-[a-z]+-(\d+)([-.])[A-Za-z0-9]{6}$/;
const HIDDEN_NAME = /^\.scoreframe-[a-z]+-(\d+)(\.)[A-Za-z0-9]{6}$/;

/**
 * Creates a temporary folder, which is removed when the process ends.
 *
 * A killed kernel or server cannot remove its folders; the next process that creates one does it. The system releases the
 * lock of a folder when its process ends, for whatever reason.
 *
 * @param purpose Its purpose, in lower-case letters; part of its name
 * @throws {StorageError} If its parent is missing or cannot be written
 */
export async function openTemporaryFolder(
  purpose: string,
  options: TemporaryFolderOptions = {},
): Promise<TemporaryFolder> {
  const { now = Date.now, isHidden = false } = options;
  const parent = options.parent ??
    await onDisk("find the folder of TMPDIR", () => Promise.try(tmpdir));
  const name = `scoreframe-${purpose}-${process.pid}.`;
  const whose = options.parent === undefined ? ", the one of TMPDIR" : "";
  const { path, lock } = await onDisk(`make a folder in ${parent}${whose}`, async () => {
    await removeLeftBehind(parent, { isHidden, beforeMs: now() - LEFT_BEHIND_MS });
    return await makeLocked(parent, isHidden ? `.${name}` : name);
  });
  let isRemoved = false;
  const removeNow = () => {
    if (isRemoved) return;
    isRemoved = true;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // The next process that creates such a folder removes it.
    }
    lock?.close();
  };
  // Node's "exit" event would not do: Deno.exit() does not send it.
  globalThis.addEventListener("unload", removeNow);
  const remove = () => {
    globalThis.removeEventListener("unload", removeNow);
    removeNow();
  };
  return { path, remove, [Symbol.dispose]: remove };
}

// Renamed only once it is locked: no process may find it without an owner.
async function makeLocked(
  parent: string,
  prefix: string,
): Promise<{ readonly path: string; readonly lock: Deno.FsFile | null }> {
  const unnamed = await mkdtemp(join(parent, ".scoreframe-"));
  const path = join(parent, `${prefix}${unnamed.slice(-6)}`);
  const lock = await Deno.open(unnamed).catch(() => null);
  const isLocked = await lock?.tryLock(true).catch(() => false);
  // Not every system can rename an open folder, but those that can lock it can.
  if (!isLocked) lock?.close();
  await rename(unnamed, path);
  return { path, lock: isLocked ? lock : null };
}

async function removeLeftBehind(
  parent: string,
  { isHidden, beforeMs }: { readonly isHidden: boolean; readonly beforeMs: number },
): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, mark] = (isHidden ? HIDDEN_NAME : OWN_NAME).exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(parent, name);
    const known = mark === "." ? await hasOwner(path) : null;
    const isOwned = known ?? await mayHaveOwner(path, { pid, beforeMs });
    // Another process may remove it at the same time, or it belongs to another user.
    if (!isOwned) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Tests if a process holds a lock on the folder; `null` if locks are unsupported. */
async function hasOwner(path: string): Promise<boolean | null> {
  const folder = await Deno.open(path).catch(() => null);
  if (folder === null) return null;
  const wasFree = await folder.tryLock(true).catch(() => null);
  folder.close();
  return wasFree === null ? null : !wasFree;
}

async function mayHaveOwner(
  path: string,
  { pid, beforeMs }: { readonly pid: string; readonly beforeMs: number },
): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats === null || stats.mtimeMs > beforeMs || isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}
