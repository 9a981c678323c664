import { closeSync, fstatSync, ftruncateSync, openSync } from "node:fs";
import type { JournalEntry } from "../../base/contract/http/journal_entry.ts";
import { writeFullySync } from "../../base/disk/files.ts";
import { storageErrorOf } from "../../base/disk/on_disk.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";

/** Options of a journal's file. */
export interface JournalFileOptions {
  /** True to append to a file that exists. */
  readonly goesOn: boolean;
  /** Called when lines can no longer be written, and again when they can. */
  readonly onTrouble: (line: string) => void;
}

/** The file of `--journal`: one line of JSON for each request. The service continues on a full disk; lost lines are counted. */
export class JournalFile {
  readonly #path: string;
  #file: number;
  readonly #onTrouble: (line: string) => void;
  #lost = 0;

  /**
   * Opens the file at once, so that a path that cannot be written is an error of the command line, not of a later request.
   *
   * @throws {StorageError} If it cannot be written
   */
  constructor(path: string, { goesOn, onTrouble }: JournalFileOptions) {
    this.#path = path;
    this.#onTrouble = onTrouble;
    try {
      // Who asked for what is for the administrator alone.
      this.#file = openSync(path, "a", 0o600);
      if (!goesOn) this.#cutTo(0);
    } catch (cause) {
      throw storageErrorOf(`write --journal ${path}`, cause);
    }
  }

  /** Adds an entry; may be passed as a function. */
  readonly write = (entry: JournalEntry): void => {
    const { size } = fstatSync(this.#file);
    const bytes = new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
    try {
      writeFullySync(this.#file, { path: this.#path, bytes });
    } catch (error) {
      this.#cutTo(size);
      if (this.#lost++ === 0) {
        this.#onTrouble(wordsOf(`write to ${this.#path}`, error));
      }
      return;
    }
    if (this.#lost === 0) return;
    this.#onTrouble(
      `${this.#path} can be written again; ${groupThousands(this.#lost)} lines were lost`,
    );
    this.#lost = 0;
  };

  /** Opens the file again under its name, after a rotation moved it; what cannot be opened goes on in the old file. */
  reopen(): void {
    try {
      const file = openSync(this.#path, "a", 0o600);
      closeSync(this.#file);
      this.#file = file;
    } catch (error) {
      this.#onTrouble(wordsOf(`open ${this.#path} again`, error));
    }
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.#file);
  }

  // A pipe or a terminal keeps what it got.
  #cutTo(size: number): void {
    if (fstatSync(this.#file).isFile()) ftruncateSync(this.#file, size);
  }
}

function wordsOf(action: string, error: unknown): string {
  return (storageErrorOf(action, error) as Error).message;
}
