import { rmSync } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A folder that lasts as long as this process. */
export interface TemporaryFolder {
  /** Its path. */
  readonly path: string;
  /** Removes it now. */
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

// A process in another container may share the folder and not be seen from here: it gets a day.
const LEFT_BEHIND_MS = 24 * 60 * 60 * 1000;
const OWN_NAME = /^scoreframe-[a-z]+-(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Makes a temporary folder, which is removed when the process ends.
 *
 * A notebook's kernel ends without a farewell, so that folders which such processes left behind are removed as well.
 *
 * @param purpose What it is for, in lower-case letters; part of its name
 */
export async function openTemporaryFolder(
  purpose: string,
  options: TemporaryFolderOptions = {},
): Promise<TemporaryFolder> {
  const { parent = tmpdir(), now = Date.now } = options;
  await removeLeftBehind(parent, now() - LEFT_BEHIND_MS);
  const path = await mkdtemp(join(parent, `scoreframe-${purpose}-${process.pid}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
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

async function removeLeftBehind(parent: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = OWN_NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(parent, name);
    // Another process may remove it at the same time, or it belongs to somebody else.
    const stats = await stat(path).catch(() => null);
    if (stats === null || stats.mtimeMs > beforeMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}
