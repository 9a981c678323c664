// Opens a hold-out over a socket; with "kill" it ends itself before the first number of the hold-out is known.
import process from "node:process";
import { registeredNumbers } from "../../../src/analysis/factor/scores_origin.ts";
import { openStudyFolder } from "../../../src/study/open_study_folder.ts";
import type { RunRegistered } from "../../../src/study/register/open_hold_out.ts";

const [folder = "", baseUrl = "", apiKey = "", cacheDir = "", end = ""] = Deno.args;
const run: RunRegistered = (...given) => {
  if (end === "kill" && given[2].name === "hold-out") process.kill(process.pid, "SIGKILL");
  return Promise.resolve(registeredNumbers(...given));
};
const options = { mode: "auto", baseUrl, apiKey, cacheDir, environment: {} } as const;
await using study = await openStudyFolder(folder, options, run);
const result = await study.openHoldOut("main");
Deno.stdout.writeSync(new TextEncoder().encode(`${result.text}\n`));
