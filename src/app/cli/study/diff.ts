import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { countText } from "../../../base/wording/number_text.ts";
import { ScoreframeError } from "../../../base/errors.ts";
import { diffLocks, diffTags } from "../../../study/change/diff_studies.ts";
import { findNotebooks } from "../../../study/run/run_notebooks.ts";
import { LOCK_FILE, type StudyLock } from "../../../study/lock/lock.ts";
import { parseLock } from "../../../study/lock/lock_text.ts";
import { readStudy, type StudyCommand } from "./study_command.ts";
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
    const { folder, lock } = await readStudy(isHere ? study : given);
    const text = (path: string) => readFile(join(folder, path), "utf8");
    return { lock, notebooks: await textsOf(await findNotebooks(folder), text) };
  }
  const { folder } = await readStudy(study);
  const { lock } = parseLock(await show(folder, given, LOCK_FILE));
  const listed = await git(folder, ["ls-tree", "-r", "--name-only", given, "--", "."]);
  const paths = listed.split("\n").filter((path) => path.endsWith(".ipynb"));
  return { lock, notebooks: await textsOf(paths, (path) => show(folder, given, path)) };
}

async function textsOf(paths: readonly string[], read: (path: string) => Promise<string>) {
  return new Map(await Promise.all(paths.map(async (path) => [path, await read(path)] as const)));
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
