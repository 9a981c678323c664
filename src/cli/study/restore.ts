import { planRestore } from "../../study/change/restore_study.ts";
import { readLockFile } from "../../study/lock/lock_file.ts";
import { StudyPlace } from "../../study/study_place.ts";
import { type StudyCommand, studyFolder } from "./study_command.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** `study restore`: loads what a lock names again from the service. */
export const RESTORE: StudyCommand = {
  does: "load each set and release of the lock again, and compare each number",
  help: `usage: ${commandLine()} study restore [STUDY] [--yes] [--json]

Loads each view and release of the lock that the store lacks again from the service, under your own key
(SCOREFRAME_API_KEY, SCOREFRAME_URL), and compares it with the lock by its hash. Tells the cost first,
and asks, or takes --yes. This is how a study that was exported without its data is filled.

  ${commandLine()} study restore momentum --yes`,
  words: 1,
  options: { yes: { type: "boolean" } },
  run: async ({ values, words: [given] }, terminal, { connection, confirm }) => {
    const folder = await studyFolder(given);
    const { lock } = (await readLockFile(folder))!;
    const place = new StudyPlace({ folder, mode: "auto", lock, asOf: null, options: connection });
    try {
      const plan = await planRestore(place);
      const isJson = values.json === true;
      for (const cost of isJson ? [] : plan.costs) terminal.out(cost.toString());
      const isWanted = values.yes === true || (!isJson && confirm("Load it?"));
      if (isWanted) await plan.run();
      const requestsAtMost = plan.costs.reduce((sum, cost) => sum + cost.requestsAtMost, 0);
      const downloadsAtMost = plan.costs.reduce((sum, cost) => sum + cost.downloadsAtMost, 0);
      if (isJson) {
        terminal.out(JSON.stringify({ requestsAtMost, downloadsAtMost, restored: isWanted }));
      } else {
        terminal.out(isWanted ? "Restored: each number is that of the lock" : "Nothing was loaded");
      }
      return isWanted ? 0 : 1;
    } finally {
      await place.close();
    }
  },
};
