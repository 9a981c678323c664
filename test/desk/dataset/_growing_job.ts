/** Appends hourly sets to a dataset, a day at a time: `_growing_job.ts FOLDER DAY...`. */
import process from "node:process";
import { exportDataset } from "../../../src/desk/dataset/mod.ts";
import { hourlySets } from "./_hourly_sets.ts";

const [folder, ...days] = process.argv.slice(2) as [string, ...string[]];
for (const day of days.map(Number)) {
  const rows = hourlySets(24 * day, 24 * day + 24);
  await exportDataset(rows, folder, { factor: "ecpnd", append: true });
  process.stdout.write(`${day}\n`);
}
