import { followService } from "../../../study/change/follow_service.ts";
import { planRestore, type RestorePlan } from "../../../study/change/restore_study.ts";
import type { Terminal } from "../terminal.ts";
import { readStudy, type StudyCommand, studyPlace } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { flags } from "../parse_arguments.ts";

const MOST_NAMED = 10;
const RESTORED = "Restored: every number agrees with the lock";

/** `study restore`: loads the sets and releases of a lock again from the service. */
export const RESTORE: StudyCommand = {
  does: "load each set and release of the lock again, and compare each number",
  help: `usage: ${commandLine()} study restore [STUDY] [--follow] [--yes] [--json]

Loads the views and releases of the lock that the store lacks from the service, with your own key
(SCOREFRAME_API_KEY, SCOREFRAME_URL), and compares everything with the lock. States the cost first, and
asks for a confirmation unless --yes is given. Fills a study that was exported without its data. A file that
is damaged, or differs from the lock, is set aside (.damaged-…) and loaded again; a file that cannot be loaded
does not stop the others. A lock that was merged by hand is sealed again if the store proves each of its
lines, which needs no key and no network.

  --follow   the service has moved to the address of SCOREFRAME_URL: one view of the lock is loaded from
             there and compared with the lock, and the study loads from there from then on

  ${commandLine()} study restore momentum --yes`,
  words: 1,
  options: flags("yes", "follow"),
  run: async ({ values, words: [given] }, terminal, { connection, confirm }) => {
    const { folder, lock } = await readStudy(given);
    await using place = studyPlace(folder, lock, connection);
    if (values.follow === true) await followService(place);
    const plan = await planRestore(place);
    const { costs, wrong, missingSets } = plan;
    const isJson = values.json === true;
    if (!isJson) tell(plan, terminal);
    const isFree = costs.length === 0 && wrong.length === 0;
    const isWanted = values.yes === true || isFree || (!isJson && confirm("Load it?"));
    if (isWanted) await plan.run();
    const requestsAtMost = costs.reduce((sum, cost) => sum + cost.requestsAtMost, 0);
    const downloadsAtMost = costs.reduce((sum, cost) => sum + cost.downloadsAtMost, 0);
    if (isJson) {
      const counted = { missingSets, wrong, requestsAtMost, downloadsAtMost };
      terminal.out(JSON.stringify({ ...counted, restored: isWanted }));
    } else terminal.out(isWanted ? RESTORED : "Nothing was loaded");
    return isWanted ? 0 : 1;
  },
};

function tell({ costs, wrong, missingSets }: RestorePlan, terminal: Terminal): void {
  for (const cost of costs) terminal.out(cost.toString());
  if (missingSets > 0) {
    terminal.out(`${missingSets} ${missingSets === 1 ? "set is" : "sets are"} missing or wrong`);
  }
  for (const path of wrong.slice(0, MOST_NAMED)) {
    terminal.out(`store/${path}: damaged or different from the lock; set aside`);
  }
  if (wrong.length > MOST_NAMED) terminal.out(`and ${wrong.length - MOST_NAMED} more files`);
  if (costs.length === 0) terminal.out("The store is complete: nothing is sent");
}
