// deno-lint-ignore-file no-console
/**
 * Archives the score sets and checks of a UTC day: archive.js DATASET DAY. May be repeated, and run beside another one: what is
 * stored is not stored again, and a dataset has no half a day.
 */
import pl from "nodejs-polars";
import { connect } from "scoreframe";
import { cleanDataset, exportDataset } from "scoreframe/dataset";

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

const [dataset, day] = Deno.args;
const start = Date.parse(`${day}T00:00:00Z`);
// For an hour, it waits for the minute of the account or for a service that is away.
const api = await connect({ maxWaitMs: HOUR_MS, deadlineMs: HOUR_MS });
try {
  const licensed = (await api.factors()).getColumn("factor").toArray();
  for (const factor of licensed) {
    const sets = [];
    for (let hour = 1; hour <= 24; hour++) {
      sets.push(await api.scores(factor, { at: start + hour * HOUR_MS }));
    }
    const { written } = await exportDataset(pl.concat(sets), dataset, { append: true });
    console.log(`${factor} ${day}: ${written} new files`);
  }
  const { withdrawn, files } = await cleanDataset(dataset, {
    before: Date.now() - KEPT_MS,
    dryRun: false,
  });
  console.log(`${withdrawn.length} versions withdrawn, ${files.length} files deleted`);
} finally {
  await api.close();
}
