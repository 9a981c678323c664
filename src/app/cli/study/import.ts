import { createProgress } from "../../../frames/notebook/kernel/progress.ts";
import { importStudy } from "../../../study/share/import_study.ts";
import type { StudyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

/** `study import`: unpacks an exported study. */
export const IMPORT: StudyCommand = {
  does: "unpack an exported study, after checking each file",
  help: `usage: ${commandLine()} study import FILE FOLDER [--json]

Unpacks an exported study into a new or empty folder. Lists files that were changed after the export, and
refuses an archive that would write outside the folder or do other harm, or whose lock was edited by hand.
The folder appears only after all checks. Nothing in it is executed.

  ${commandLine()} study import momentum.zip momentum`,
  words: 2,
  options: {},
  run: async ({ values, words: [file, folder] }, terminal, surroundings) => {
    if (file === undefined || folder === undefined) {
      throw new RangeError(
        `Cannot import: expected FILE and FOLDER, got fewer arguments; see ${commandLine()} study import --help`,
      );
    }
    const enabled = values.json !== true;
    const progress = createProgress("Importing", { enabled, ...surroundings.progress });
    const { files, hasData } = await importStudy(file, folder, { progress });
    await progress.finish();
    const next = hasData ? "verify" : "restore";
    if (values.json === true) terminal.out(JSON.stringify({ files, hasData }));
    else {
      terminal.out(
        `${folder}: ${files.length} files, all as exported; next: ${commandLine()} study ${next} ${folder}`,
      );
    }
    return 0;
  },
};
