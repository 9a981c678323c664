// A run of a frozen study: loads what it has, and prints how many rows each load gives.
import { openStudy } from "../../mod.ts";

const [folder = ""] = Deno.args;
await using study = await openStudy(folder, { mode: "frozen" });
const at = ["2026-11-16T21:00:00Z", "2026-11-19T21:00:00Z"];
const frames = [
  await study.scores("ecpnd"),
  await study.panel(["ecpnd", "ecqdi"], { at, progress: false }),
  await study.publications("ecpnd", { from: "2026-11-19T00:00:00Z" }),
];
const refused = await study.history("ecpnd").catch((error: Error) => error.name);
Deno.stdout.writeSync(
  new TextEncoder().encode(`${frames.map(({ height }) => height)} ${refused}\n`),
);
