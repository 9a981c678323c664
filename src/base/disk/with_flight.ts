import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { removeIfThere, removeLeftBehind, TEMPORARY_PREFIX } from "./files.ts";

/** A request whose answer is written to a folder. */
export interface Flight {
  /** The folder. */
  readonly folder: string;
  /** Key of the request: equal texts mean equal requests. */
  readonly question: string;
  /** Longest wait for another process with the same request; after that, both send it. */
  readonly maxWaitMs: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 20;
const FLIGHT_PREFIX = `${TEMPORARY_PREFIX}flight-`;

/** Tests if a file is the lock of a flight. */
export function isFlight(name: string): boolean {
  return name.startsWith(FLIGHT_PREFIX);
}

/**
 * Runs a request while no other process that shares the folder runs the same. The request has to look first if the answer
 * has arrived meanwhile.
 *
 * The system releases the lock when the process ends, for whatever reason. Where files cannot be locked, as on some network
 * shares, or the folder cannot be written, the request runs anyway.
 *
 * @throws {unknown} The signal's reason, or an error of `run`
 */
export async function withFlight<Result>(
  flight: Flight,
  run: () => Promise<Result>,
): Promise<Result> {
  const name = createHash("sha256").update(flight.question).digest("hex").slice(0, 16);
  const path = join(flight.folder, `${FLIGHT_PREFIX}${name}`);
  const lock = await takeLock(path, flight);
  try {
    return await run();
  } finally {
    // Removed before the lock is released: a process that gets the lock of a removed file looks for the new one.
    if (lock !== null) await removeIfThere(path).catch(() => undefined);
    lock?.close();
  }
}

async function takeLock(path: string, flight: Flight): Promise<Deno.FsFile | null> {
  const untilMs = performance.now() + flight.maxWaitMs;
  for (let isFirst = true;; isFirst = false) {
    flight.signal?.throwIfAborted();
    const file = await Deno.open(path, { create: true, write: true }).catch(() => null);
    const isTaken = await file?.tryLock(true).catch(() => null) ?? null;
    if (isTaken === true && await isStill(path, file!)) return file;
    file?.close();
    // The lock was on a removed file: try the new one at once.
    if (isTaken === true) continue;
    if (isTaken === null || performance.now() >= untilMs) return null;
    if (isFirst) await removeLeftBehind(flight.folder);
    await setTimeout(POLL_MS, undefined, { signal: flight.signal }).catch(() => undefined);
  }
}

async function isStill(path: string, file: Deno.FsFile): Promise<boolean> {
  const [there, held] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  // Windows reports no inodes, and does not remove open files.
  return there !== null && (held.ino === null || there.ino === held.ino);
}

/** Options of {@link withFolder}. */
interface WithFolderOptions {
  /**
   * Shares the folder with other holders that share it.
   *
   * @default false
   */
  readonly isShared?: boolean;
  /**
   * Called if another process holds the folder.
   *
   * @default waits for the other process
   */
  readonly onBusy?: () => never;
}

/**
 * Runs a function while no other process holds the same folder.
 *
 * The system releases the lock when the process ends, for whatever reason, and leaves no file behind. Where folders cannot
 * be locked, as on Windows and on some network shares, the function runs anyway: files stay whole, and the last writer wins.
 */
export async function withFolder<Result>(
  folder: string,
  run: () => Promise<Result>,
  { isShared = false, onBusy }: WithFolderOptions = {},
): Promise<Result> {
  using handle = await Deno.open(folder).catch(() => null);
  if (onBusy === undefined) await handle?.lock(!isShared).catch(() => undefined);
  else if (await handle?.tryLock(!isShared).catch(() => undefined) === false) onBusy();
  return await run();
}
