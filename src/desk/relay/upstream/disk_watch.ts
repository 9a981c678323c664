import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { temporaryPath, writeFullySync } from "../../../base/disk/files.ts";
import { Refusal } from "../../../server/message/refusal.ts";
import { DISK_RETRY_SECONDS, isDiskTrouble } from "./upstream_refusal.ts";
import type { Moment, ServiceClock } from "./service_clock.ts";

// Space for a set, its check and its view.
const PROBE_BYTES = 256 << 10;

/** Watches the disk: while it cannot be written, no request is sent whose answer must be stored. */
export class DiskWatch {
  readonly #clock: ServiceClock;
  readonly #folders: readonly string[];
  #trouble: { readonly moment: Moment; readonly words: string } | null = null;

  /**
   * @param clock Clock that determines when the disk is tried again
   * @param folders Folders into which the relay writes
   */
  constructor(clock: ServiceClock, folders: readonly string[]) {
    this.#clock = clock;
    this.#folders = folders;
  }

  /** The system's error; `null` if there is none. */
  get trouble(): string | null {
    if (this.#trouble !== null && this.#leftMs(this.#trouble.moment) <= 0) this.#tryAgain();
    return this.#trouble?.words ?? null;
  }

  /** Notes a failed write. */
  learn(error: unknown): void {
    if (isDiskTrouble(error)) this.#note(error);
  }

  /**
   * Refuses a request whose answer could not be stored.
   *
   * @throws {Refusal} 503 while the disk cannot be written
   */
  assertWritable(): void {
    const note = this.trouble;
    if (note === null) return;
    const leftMs = this.#leftMs(this.#trouble!.moment);
    throw new Refusal(
      "service_unavailable",
      "The relay cannot write to its disk, so it does not ask the service; " +
        "meanwhile it answers only what its store proves",
      { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)), note },
    );
  }

  #note({ message }: Error): void {
    this.#trouble = { moment: this.#clock.moment(), words: message };
  }

  // A test file costs no request and loses no answer.
  #tryAgain(): void {
    try {
      for (const folder of this.#folders) probe(folder);
      this.#trouble = null;
    } catch (error) {
      this.#note(error as Error);
    }
  }

  #leftMs(since: Moment): number {
    return DISK_RETRY_SECONDS * 1000 - this.#clock.sinceMs(since);
  }
}

function probe(folder: string): void {
  const path = temporaryPath(folder);
  const file = openSync(path, "wx", 0o600);
  try {
    writeFullySync(file, { path, bytes: new Uint8Array(PROBE_BYTES) });
    fsyncSync(file);
  } finally {
    closeSync(file);
    rmSync(path, { force: true });
  }
}
