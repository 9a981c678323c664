import { access } from "node:fs/promises";
import { join } from "node:path";
import { FACTORS } from "../../../base/contract/factor.ts";
import { ARCHIVE_FILE, LAYOUT } from "../../../base/store/layout.ts";
import type { Store } from "../../../base/store/store.ts";
import type { WorldModel } from "../world_model.ts";
import { completeAllHours } from "./complete_hours.ts";
import { hoursPlanOf } from "./hours_plan.ts";
import { writeHours } from "./hours_writer.ts";
import { writeHoursInWorker } from "./worker_hours.ts";

// Up to this number of hours, single files for sets and checks cost little, and are easier to inspect than an archive.
const MOST_FILES_HOURS = 1_000;
// Tickers times hours from which another thread saves time.
const LARGE_ROWS = 1_000_000;

/**
 * Writes the sets and checks of all hours of a world: in files if they are few, in archives if they are many.
 *
 * @param onHours Receives the number of hours written since its previous call
 */
export async function writeAllHours(
  store: Store,
  model: WorldModel,
  onHours: (count: number) => void,
): Promise<void> {
  const { tickers, hours } = model.parameters;
  const target = { storePath: store.path, onHours };
  if (hours <= MOST_FILES_HOURS) {
    return await completeAllHours(store, hoursPlanOf(model), onHours);
  }
  if (await hasArchives(store)) return;
  if (tickers * hours < LARGE_ROWS) await writeHours(target, hoursPlanOf(model));
  else await writeHoursInWorker(target, model.parameters);
}

// Archives of checks are written last.
async function hasArchives(store: Store): Promise<boolean> {
  const paths = FACTORS.map((factor) => join(store.path, LAYOUT.checks(factor), ARCHIVE_FILE));
  return await Promise.all(paths.map((path) => access(path))).then(() => true, () => false);
}
