import { collectGarbage } from "../../../study/change/collect_garbage.ts";
import { readStudy, sizeText, type StudyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { flags } from "../parse_arguments.ts";

/** `study gc`: removes sets and releases that the lock does not name. */
export const GC: StudyCommand = {
  does: "remove sets and releases from the store that the lock does not name",
  help: `usage: ${commandLine()} study gc [STUDY] [--yes] [--json]

Lists the sets and releases in the store that no line of the lock names, what a restore set aside, and
unfinished files of killed processes, and removes them with --yes. Loading sets and releases again would
cost requests or downloads.

  ${commandLine()} study gc momentum --yes`,
  words: 1,
  options: flags("yes"),
  run: async ({ values, words: [given] }, terminal) => {
    const isDry = values.yes !== true;
    const garbage = await collectGarbage((await readStudy(given)).folder, isDry);
    if (values.json === true) terminal.out(JSON.stringify({ removed: !isDry, garbage }, null, 1));
    else {
      for (const { path } of garbage) terminal.out(path);
      const size = garbage.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
      const done = isDry ? "can be removed with --yes" : "removed";
      terminal.out(`${garbage.length} files and folders (${sizeText(size)}) ${done}`);
    }
    return 0;
  },
};
