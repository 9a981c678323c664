import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readTextFile } from "../../../base/disk/files.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { diffLocks, diffTags } from "../../../study/change/diff_studies.ts";
import { findNotebooks } from "../../../study/run/run_notebooks.ts";
import { importStudy } from "../../../study/share/import_study.ts";
import { byLine } from "../terminal.ts";
import { JSON_OUTPUT, readStudy, type StudyCommand, studyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

/** `study compare`: lists the differences between two locks. */
export const COMPARE_STUDIES: StudyCommand = studyCommand({
  does: "list the differences between two studies, or two states of one",
  usage: ["study compare A B [--json]"],
  about:
    `Shows each fact in which two locks differ, including patterns to ignore, and each tag (volatile,
parameters) in which their notebooks differ. A and B are folders of studies or exported archives. A
revision of git is a folder after "git worktree add". Exits with 1 if they differ.`,
  options: { json: JSON_OUTPUT },
  example: `  git worktree add ../before HEAD~1
  ${commandLine()} study compare ../before/momentum momentum`,
  words: [2, 2],
  run: async ({ values, words: [a, b], terminal }) => {
    const [before, after] = [await sideOf(a!), await sideOf(b!)];
    const changes = [
      ...diffLocks(before.lock, after.lock),
      ...diffTags(before.notebooks, after.notebooks),
    ];
    if (values.json === true) terminal.out(JSON.stringify(changes, null, 1));
    else {
      for (const { list, before, after } of changes) {
        if (before !== null) byLine(terminal).out(`- ${list} ${before}`);
        if (after !== null) byLine(terminal).out(`+ ${list} ${after}`);
      }
    }
    return changes.length === 0 ? 0 : 1;
  },
});

/** Reads the folder of a study, or an exported archive by way of a folder that is removed again. */
async function sideOf(given: string): ReturnType<typeof readSide> {
  const isArchive = await stat(given).then((found) => found.isFile(), () => false);
  if (!isArchive) return await readSide(given);
  using place = await openTemporaryFolder("diff");
  const folder = join(place.path, "study");
  await importStudy(given, folder);
  return await readSide(folder);
}

async function readSide(given: string) {
  const { folder, lock } = await readStudy(given);
  const paths = await findNotebooks(folder);
  const text = async (path: string) => await readTextFile(join(folder, path)) ?? "";
  const texts = await Promise.all(paths.map(async (path) => [path, await text(path)] as const));
  return { lock, notebooks: new Map(texts) };
}
