/**
 * A thousand studies asked for sixty planted causes: what the first question costs, and each further one, beside reading all
 * locks with `jq`. Argument: the number of studies.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { openTemporaryFolder } from "../src/base/disk/temporary_folder.ts";
import { indexStudies } from "../src/study/recall/recall_index.ts";
import { recallStudies } from "../src/study/recall/recall_studies.ts";
import { generateStudies } from "../test/study/recall/_generated_studies.ts";

const STUDIES = Number(process.argv[2] ?? 1_000);

using place = await openTemporaryFolder("bench");
const root = join(place.path, "research");
const index = join(place.path, "recall.json");
const causes = await generateStudies(root, STUDIES);

const jqMs = await timed(() => {
  const all = `find ${root} -name study.lock.json -print0 | xargs -0 jq -c '[.sets[].snapshot_id]'`;
  execFileSync("sh", ["-c", all], { stdio: ["ignore", "ignore", "inherit"] });
});
const firstMs = await timed(() => indexStudies(root, index));
const times: number[] = [];
let [wrong, found] = [0, 0];
for (const { cause, expected } of causes) {
  let names: readonly string[] = [];
  times.push(
    await timed(async () => {
      const { recalled } = await recallStudies(await indexStudies(root, index), cause);
      names = recalled.map(({ folder }) => relative(root, folder)).toSorted();
    }),
  );
  found += names.length;
  if (JSON.stringify(names) !== JSON.stringify(expected)) wrong++;
}
const sorted = times.toSorted((a, b) => a - b);
await rm(index);

const lines = [
  `${causes.length} causes in ${STUDIES} studies, ${found} answers: ${wrong} lists differ from the truth`,
  `all locks with jq: ${jqMs.toFixed(0)} ms`,
  `first question: ${firstMs.toFixed(0)} ms, ${(firstMs / jqMs).toFixed(2)} of jq`,
  `a further question: median ${median(sorted).toFixed(0)} ms, ${
    (median(sorted) / jqMs).toFixed(2)
  } of jq; ` +
  `slowest ${sorted.at(-1)!.toFixed(0)} ms`,
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = wrong === 0 ? 0 : 1;

function median(values: readonly number[]): number {
  return values[Math.floor(values.length / 2)]!;
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
