// A run of a study that is killed: loads what a notebook would, over a socket, until it ends or is ended.
import { openStudy } from "../../src/study/open_study.ts";
import { recordStudy } from "./_recording.ts";

const [folder = "", baseUrl = "", apiKey = "", cacheDir = ""] = Deno.args;
const study = await openStudy(folder, { baseUrl, apiKey, cacheDir, environment: {} });
await recordStudy(study);
await study.close();
