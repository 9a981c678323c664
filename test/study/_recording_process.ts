// A run of a study that is killed: loads what a notebook would, over a socket, until it ends or is ended.
import { openStudyFolder } from "../../src/study/open_study_folder.ts";
import { recordStudy } from "./_recording.ts";

const [folder = "", baseUrl = "", apiKey = "", cacheDir = ""] = Deno.args;
const study = await openStudyFolder(folder, { baseUrl, apiKey, cacheDir, environment: {} });
await recordStudy(study);
await study.close();
