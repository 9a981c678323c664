import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { ScoreframeError } from "../../errors.ts";
import { diffLocks } from "../../study/change/diff_locks.ts";
import { LOCK_FILE, type StudyLock } from "../../study/lock/lock.ts";
import { readLockFile } from "../../study/lock/lock_file.ts";
import { parseLock } from "../../study/lock/lock_text.ts";
import { type StudyCommand, studyFolder } from "./study_command.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** `study diff`: in which facts two locks differ. */
export const DIFF: StudyCommand = {
  does: "in which facts two studies, or two git revisions of one, differ",
  help: `usage: ${commandLine()} study diff A B [--study STUDY] [--json]

Shows each fact in which two locks differ. A and B are folders of studies or, where there is no such
folder, git revisions of the lock of STUDY; "." is the lock as it stands there. Exits with 1 if they
differ.

  ${commandLine()} study diff HEAD~1 . --study momentum`,
  words: 2,
  options: { study: { type: "string" } },
  run: async ({ values, words }, terminal) => {
    const [a, b] = words;
    if (a === undefined || b === undefined || words.length > 2) {
      throw new RangeError(
        `Cannot compare locks: expected two, A and B, got ${words.length}; name folders or git revisions`,
      );
    }
    const study = values.study as string | undefined;
    const changes = diffLocks(await lockOf(a, study), await lockOf(b, study));
    if (values.json === true) terminal.out(JSON.stringify(changes, null, 1));
    else {
      for (const { list, before, after } of changes) {
        if (before !== null) terminal.out(`- ${list} ${before}`);
        if (after !== null) terminal.out(`+ ${list} ${after}`);
      }
    }
    return changes.length === 0 ? 0 : 1;
  },
};

async function lockOf(given: string, study: string | undefined): Promise<StudyLock> {
  if (given === ".") return (await readLockFile(await studyFolder(study)))!.lock;
  const isFolder = await stat(given).then((found) => found.isDirectory(), () => false);
  if (isFolder) return (await readLockFile(await studyFolder(given)))!.lock;
  const folder = await studyFolder(study);
  const show = ["-C", folder, "show", "--end-of-options", `${given}:./${LOCK_FILE}`];
  const shown = await promisify(execFile)("git", show, { maxBuffer: 1 << 28 })
    .catch((error: Error & { stderr?: string }) => {
      const said = (error.stderr || error.message).trim();
      throw new ScoreframeError(
        `Cannot compare "${given}": expected the folder of a study or a git revision of ${folder}, got "${said}" from git; ` +
          "name one that has a study.lock.json",
      );
    });
  return parseLock(shown.stdout).lock;
}
