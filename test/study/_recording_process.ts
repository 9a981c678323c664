// A run of a study that is killed: loads what a notebook would, over a socket, until it ends or is ended.
import { openStudy } from "../../src/study/open_study.ts";

const [folder = "", baseUrl = "", apiKey = "", cacheDir = ""] = Deno.args;
const study = await openStudy(folder, { baseUrl, apiKey, cacheDir, environment: {} });
await study.scores("ecpnd");
await study.scores("ecqdi");
await study.panel(["ecpnd", "ecqdi"], {
  at: ["2026-11-20T10:30:00Z", "2026-11-20T12:30:00Z", "2026-11-20T14:30:00Z"],
  every: "check",
  progress: false,
});
await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
await study.history("ecpnd", { progress: false });
await study.history("ecqdi", { progress: false });
await study.close();
