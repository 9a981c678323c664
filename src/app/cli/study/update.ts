import { toInstant } from "../../../client/verb/instant_input.ts";
import {
  type PlannedChange,
  planUpdate,
  type UpdatePlan,
} from "../../../study/change/plan_update.ts";
import { readStudy, type StudyCommand, studyPlace } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { flags, texts } from "../parse_arguments.ts";

/** `study update`: moves a study to a later time. */
export const UPDATE: StudyCommand = {
  does: "advance a study to a later time, after showing the changes",
  help: `usage: ${commandLine()} study update [STUDY] [--as-of INSTANT] [--yes] [--json]

Loads the sets and publication lists at the new time and the current releases into the store, and
shows which scores change. Replaces the whole lock after a confirmation or with --yes; otherwise the study
is not changed. Views at instants that notebooks name stay the same.

  --as-of INSTANT   the new time (default: the service's time now)
  --yes             change the lock without asking

  ${commandLine()} study update momentum --as-of 2026-12-31T21:00:00Z`,
  words: 1,
  options: { ...texts("as-of"), ...flags("yes") },
  run: async ({ values, words: [given] }, terminal, { connection, confirm }) => {
    const { folder, lock } = await readStudy(given);
    const wanted = values["as-of"] as string | undefined;
    const asOf = wanted === undefined ? null : toInstant(wanted, "--as-of");
    await using place = studyPlace(folder, lock, connection);
    return await place.whileLoading(async () => {
      const plan = await planUpdate(place, asOf);
      const isJson = values.json === true;
      if (!isJson) terminal.out(planText(plan));
      const isWanted = values.yes === true || (!isJson && confirm("Change the lock?"));
      if (isWanted) await plan.apply();
      if (isJson) terminal.out(JSON.stringify({ ...planJson(plan), applied: isWanted }, null, 1));
      else terminal.out(isWanted ? "The lock was changed" : "The lock was not changed");
      return isWanted ? 0 : 1;
    });
  },
};

function planText({ asOf, changes }: UpdatePlan): string {
  return [`From ${asOf.before} to ${asOf.after}`, ...changes.map(changeText)].join("\n");
}

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
