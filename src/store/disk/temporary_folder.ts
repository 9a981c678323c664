import { rmSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A folder that lasts as long as this process. */
export interface TemporaryFolder {
  /** Its path. */
  readonly path: string;
  /** Removes it now; doing so again changes nothing. */
  remove(): void;
}

/** Where temporary folders are, and what time it is. */
export interface TemporaryFolderOptions {
  /**
   * Folder of the temporary folders.
   *
   * @default the system's
   */
  readonly parent?: string;
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

// Where a lock cannot be asked for, a process in another container may own the folder and not be seen from here.
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;
// A dot before the last part says that the owner asked for a lock. Version 0.1.0 wrote a hyphen there and never asked.
const OWN_NAME = /^scoreframe-[a-z]+-(\d+)([-.])[A-Za-z0-9]{6}$/;

/**
 * Makes a temporary folder, which is removed when the process ends.
 *
 * A notebook's kernel, or a server that is killed, ends without warning: its folders are removed by the next process
 * that makes one. The system gives up the lock of a folder with its process, however that ends.
 *
 * @param purpose What it is for, in lower-case letters; part of its name
 */
export async function openTemporaryFolder(
  purpose: string,
  options: TemporaryFolderOptions = {},
): Promise<TemporaryFolder> {
  const { parent = tmpdir(), now = Date.now } = options;
  await removeLeftBehind(parent, now() - LEFT_BEHIND_MS);
  const { path, lock } = await makeLocked(parent, `scoreframe-${purpose}-${process.pid}.`);
  let isRemoved = false;
  const removeNow = () => {
    if (isRemoved) return;
    isRemoved = true;
    rmSync(path, { recursive: true, force: true });
    lock?.close();
  };
  // Not the "exit" event of Node, which Deno.exit() does not send.
  globalThis.addEventListener("unload", removeNow);
  return {
    path,
    remove: () => {
      globalThis.removeEventListener("unload", removeNow);
      removeNow();
    },
  };
}

// It gets its name with its lock: no process may find it without an owner in between.
async function makeLocked(
  parent: string,
  prefix: string,
): Promise<{ readonly path: string; readonly lock: Deno.FsFile | null }> {
  const unnamed = await mkdtemp(join(parent, ".scoreframe-"));
  const path = join(parent, `${prefix}${unnamed.slice(-6)}`);
  const lock = await Deno.open(unnamed).catch(() => null);
  const isLocked = await lock?.tryLock(true).catch(() => false);
  // A folder that is open cannot be renamed everywhere; where it can be locked, it can.
  if (!isLocked) lock?.close();
  await rename(unnamed, path);
  return { path, lock: isLocked ? lock : null };
}

async function removeLeftBehind(parent: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, mark] = OWN_NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(parent, name);
    const known = mark === "." ? await hasOwner(path) : null;
    const isOwned = known ?? await mayHaveOwner(path, { pid, beforeMs });
    // Another process may remove it at the same time, or it belongs to another user.
    if (!isOwned) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether a process has the folder locked; `null` where that cannot be told. */
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
