import { commandLine } from "../../base/runtime/command_line.ts";
import type { Environment } from "../../base/runtime/state_home.ts";
import { countText } from "../../base/wording/number_text.ts";
import { entryProblems } from "../hold_out/entry_problems.ts";
import { recallEntries } from "../hold_out/machine_record.ts";
import type { LockedEntry } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import type { Findings } from "./findings.ts";

/** Finds registered tests, looks and results that were edited, removed or moved. */
export function verifyEntries(lock: StudyLock, found: Findings): void {
  for (const { entry, says } of entryProblems(lock)) {
    found.ofLock(`the ${entry.kind} of the registered test ${entry.name}: ${says}`);
  }
}

/**
 * Compares the registered tests of a lock with what stands outside of it: this machine's own record, and an entry that a
 * paper or a colleague names. A chain cannot show that its end is missing.
 */
export async function verifyRecord(
  folder: string,
  lock: StudyLock,
  { found, head, environment }: {
    readonly found: Findings;
    readonly head: string | null;
    readonly environment: Environment;
  },
): Promise<void> {
  const { lost, replaced } = await recallEntries(environment, folder, lock);
  if (lost.length > 0) {
    found.ofLock(
      `expected ${words(lost)} of its registered tests that this machine recorded, got none of ` +
        `them: the lock is an older one, or its end was removed; ${commandLine()} study ` +
        "restore adds them again",
    );
  }
  if (replaced.some(({ kind }) => kind === "look")) {
    found.noteOfLock(
      `another lock was in this folder, with ${words(replaced)} of registered tests that this ` +
        "one does not have",
    );
  }
  if (head === null || lock.registered.some(({ sha256 }) => sha256 === head)) return;
  found.ofLock(
    `expected the entry ${head} among its registered tests, got none: the lock is an older one, of another study, or its end ` +
      "was removed",
  );
}

function words(entries: readonly LockedEntry[]): string {
  const looks = entries.filter(({ kind }) => kind === "look").length;
  const last = entries.map(({ at }) => at).toSorted().at(-1)!.slice(0, 10);
  const counted = `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`;
  return `${counted} (${countText(looks, "look")}, the last of ${last})`;
}
