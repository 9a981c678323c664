import { toInstant } from "../../../client/verb/instant_input.ts";
import {
  type PlannedChange,
  planUpdate,
  type UpdatePlan,
} from "../../../study/change/plan_update.ts";
import { countText, sizeText } from "../../../base/wording/number_text.ts";
import {
  JSON_OUTPUT,
  readStudy,
  type StudyCommand,
  studyCommand,
  studyPlace,
} from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { flag, text } from "../command.ts";
import { collectGarbage } from "../../../study/change/collect_garbage.ts";
import { followService } from "../../../study/change/follow_service.ts";
import { planRestore, type RestorePlan } from "../../../study/change/restore_study.ts";
import { byLine, type Terminal } from "../terminal.ts";

/** `study update`: moves a study to a later time. */
export const UPDATE: StudyCommand = studyCommand({
  does: "advance a study to a later time, after showing the changes",
  usage: ["study update [STUDY] [--as-of INSTANT] [--yes] [--json]"],
  about:
    `Loads the sets and publication lists at the new time and the current releases into the store, and
shows which scores change. Replaces the whole lock after a confirmation or with --yes; otherwise the study
is not changed. Views at instants that notebooks name stay the same.`,
  options: {
    "as-of": text("INSTANT", "the new time (default: the service's time now)"),
    yes: flag("change the lock without asking"),
    json: JSON_OUTPUT,
  },
  example: `  ${commandLine()} study update momentum --as-of 2026-12-31T21:00:00Z`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal, around: { connection, confirm } }) => {
    const { folder, lock } = await readStudy(given);
    const wanted = values["as-of"];
    const asOf = wanted === undefined ? null : toInstant(wanted, "--as-of");
    await using place = studyPlace(folder, lock, connection);
    return await place.whileLoading(async () => {
      const plan = await planUpdate(place, asOf);
      const isJson = values.json === true;
      const { before, after } = plan.asOf;
      const lines = [`From ${before} to ${after}`, ...plan.changes.map(changeText)];
      if (!isJson) terminal.out(lines.join("\n"));
      const isWanted = values.yes === true || (!isJson && confirm("Change the lock?"));
      if (isWanted) await plan.apply();
      if (isJson) terminal.out(JSON.stringify({ ...planJson(plan), applied: isWanted }, null, 1));
      else terminal.out(isWanted ? "The lock was changed" : "The lock was not changed");
      return isWanted ? 0 : 1;
    });
  },
});

/** `study gc`: removes sets and releases that the lock does not name. */
export const GC: StudyCommand = studyCommand({
  does: "remove sets and releases from the store that the lock does not name",
  usage: ["study gc [STUDY] [--yes] [--json]"],
  about:
    `Lists the sets and releases in the store that no line of the lock names, what a restore set aside, and
unfinished files of killed processes, and removes them with --yes. Loading sets and releases again would
cost requests or downloads.`,
  options: { yes: flag("remove them"), json: JSON_OUTPUT },
  example: `  ${commandLine()} study gc momentum --yes`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal }) => {
    const isDry = values.yes !== true;
    const garbage = await collectGarbage((await readStudy(given)).folder, isDry);
    if (values.json === true) terminal.out(JSON.stringify({ removed: !isDry, garbage }, null, 1));
    else {
      for (const { path } of garbage) byLine(terminal).out(path);
      const size = garbage.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
      const done = isDry ? "can be removed with --yes" : "removed";
      terminal.out(`${garbage.length} files and folders (${sizeText(size)}) ${done}`);
    }
    return 0;
  },
});

const MOST_NAMED = 10;
const RESTORED = "Restored: every number agrees with the lock";

/** `study restore`: loads the sets and releases of a lock again from the service. */
export const RESTORE: StudyCommand = studyCommand({
  does: "load each set and release of the lock again, and compare each number",
  usage: ["study restore [STUDY] [--follow] [--yes] [--json]"],
  about:
    `Loads the views and releases of the lock that the store lacks from the service, with your own key
(SCOREFRAME_API_KEY, SCOREFRAME_URL), and compares everything with the lock. States the cost first, and
asks for a confirmation unless --yes is given. Fills a study that was exported without its data. A file that
is damaged, or differs from the lock, is set aside (.damaged-…) and loaded again; a file that cannot be loaded
does not stop the others. A lock that was merged by hand is sealed again if the store proves each of its
lines, which needs no key and no network.`,
  options: {
    yes: flag("load without asking"),
    follow: flag(
      `the service has moved to the address of SCOREFRAME_URL: one view of the lock is loaded from there
and compared with the lock, and the study loads from there from then on`,
    ),
    json: JSON_OUTPUT,
  },
  example: `  ${commandLine()} study restore momentum --yes`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal, around: { connection, confirm } }) => {
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
});

function changeText(
  { kind, factor, before, after, published = 0, reason, comparison }: PlannedChange,
) {
  if (kind === "publications") {
    const sets = countText(published, "set");
    return `${factor} publications to ${before} → ${after}: ${sets} more`;
  }
  if (comparison === null) {
    return `${factor} ${kind} ${before}: unchanged${reason === undefined ? "" : `, ${reason}`}`;
  }
  return `${factor} ${kind} ${before} → ${after}:\n${comparison}`;
}

function planJson({ asOf, changes }: UpdatePlan) {
  return {
    as_of: asOf,
    changes: changes.map(({ comparison, ...change }) => ({
      ...change,
      summary: comparison === null ? null : comparison.summary.toRecords(),
    })),
  };
}

function tell({ costs, wrong, missingSets }: RestorePlan, terminal: Terminal): void {
  for (const cost of costs) terminal.out(cost.toString());
  if (missingSets > 0) {
    terminal.out(`${missingSets} ${missingSets === 1 ? "set is" : "sets are"} missing or wrong`);
  }
  for (const path of wrong.slice(0, MOST_NAMED)) {
    byLine(terminal).out(`store/${path}: damaged or different from the lock; set aside`);
  }
  if (wrong.length > MOST_NAMED) terminal.out(`and ${wrong.length - MOST_NAMED} more files`);
  if (costs.length === 0) terminal.out("The store is complete: nothing is sent");
}
