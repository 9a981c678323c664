import process from "node:process";
import { createProgress } from "../../notebook/kernel/progress.ts";
import { verifyStudy } from "../../study/verify/verify_study.ts";
import { type StudyCommand, studyFolder } from "./study_command.ts";

/** `study verify`: whether a study is sound. */
export const VERIFY: StudyCommand = {
  does: "whether a study is sound: store, lock, and each number of both",
  help: `usage: deno task study verify [STUDY] [--json]

Reads a study from end to end: the store is whole, each line of study.lock.json is what the store has,
and each number is the one that was published. Names each file and each line that is not; what differs
and does no harm, such as another version of Polars, is said as well. Changes and sends nothing.

  deno task study verify momentum`,
  options: {},
  run: async ({ values, words: [given] }, terminal) => {
    const folder = await studyFolder(given);
    const isJson = values.json === true;
    const progress = createProgress("Verifying", {
      enabled: !isJson && process.stderr.isTTY === true,
    });
    const report = await verifyStudy(folder, (done, total) => progress.update({ done, total }));
    await progress.finish();
    const { compared, problems, notes } = report;
    if (isJson) terminal.out(JSON.stringify(report, null, 1));
    else {
      for (const { path, says } of problems) terminal.error(`${path}: ${says}`);
      for (const { path, says } of notes) terminal.out(`${path}: ${says}`);
      const { sets, views, releases } = compared;
      const verdict = problems.length === 0 ? "sound" : `${problems.length} problems`;
      terminal.out(`${sets} sets, ${views} views, ${releases} releases: ${verdict}`);
    }
    return problems.length === 0 ? 0 : 1;
  },
};
