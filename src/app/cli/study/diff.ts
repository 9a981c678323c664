import { countText } from "../../../base/wording/number_text.ts";
import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ScoreframeError } from "../../../base/errors.ts";
import { diffLocks, diffTags } from "../../../study/change/diff_studies.ts";
import { findNotebooks } from "../../../study/run/run_notebooks.ts";
import { LOCK_FILE, type StudyLock } from "../../../study/lock/lock.ts";
import { readLockFile } from "../../../study/lock/lock_file.ts";
import { parseLock } from "../../../study/lock/lock_text.ts";
import { type StudyCommand, studyFolder } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { texts } from "../parse_arguments.ts";

/** `study diff`: lists the differences between two locks. */
export const DIFF: StudyCommand = {
  does: "list the differences between two studies, or two git revisions of one",
  help: `usage: ${commandLine()} study diff A B [--study STUDY] [--json]

Shows each fact in which two locks differ, including patterns to ignore, and each tag (volatile,
parameters) in which their notebooks differ. A and B are folders of studies or, where there is no such
folder, git revisions of the lock of STUDY; "." is the lock as it stands there. Exits with 1 if they
differ.

  ${commandLine()} study diff HEAD~1 . --study momentum`,
  words: 2,
  options: texts("study"),
  run: async ({ values, words }, terminal) => {
    const [a, b] = words;
    if (a === undefined || b === undefined || words.length > 2) {
      throw new RangeError(
        `Cannot compare locks: expected A and B, got ${countText(words.length, "argument")}; ` +
          "give two folders or git revisions",
      );
    }
    const study = values.study as string | undefined;
    const [before, after] = [await sideOf(a, study), await sideOf(b, study)];
    const changes = [
      ...diffLocks(before.lock, after.lock),
      ...diffTags(before.notebooks, after.notebooks),
    ];
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

/** A lock, and the notebooks beside it. */
interface Side {
  readonly lock: StudyLock;
  readonly notebooks: ReadonlyMap<string, string>;
}

async function sideOf(given: string, study: string | undefined): Promise<Side> {
  const isHere = given === ".";
  const isFolder = isHere || await stat(given).then((found) => found.isDirectory(), () => false);
  if (isFolder) {
    const folder = await studyFolder(isHere ? study : given);
    const paths = await findNotebooks(folder);
    const notebooks = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const),
    );
    return { lock: (await readLockFile(folder))!.lock, notebooks: new Map(notebooks) };
  }
  const folder = await studyFolder(study);
  const { lock } = parseLock(await show(folder, given, LOCK_FILE));
  const listed = await git(folder, ["ls-tree", "-r", "--name-only", given, "--", "."]);
  const paths = listed.split("\n").filter((path) => path.endsWith(".ipynb"));
  const notebooks = await Promise.all(
    paths.map(async (path) => [path, await show(folder, given, path)] as const),
  );
  return { lock, notebooks: new Map(notebooks) };
}

async function show(folder: string, revision: string, path: string): Promise<string> {
  return await git(folder, ["show", "--end-of-options", `${revision}:./${path}`]).catch(
    (error: Error & { stderr?: string }) => {
      const said = (error.stderr || error.message).trim();
      throw new ScoreframeError(
        `Cannot compare "${revision}": expected the folder of a study or a git revision of ${folder}, got "${said}" from git; ` +
          "give one that has a study.lock.json",
      );
    },
  );
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  const options = { maxBuffer: 1 << 28 };
  return (await promisify(execFile)("git", ["-C", folder, ...args], options)).stdout;
}
