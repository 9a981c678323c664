import { join } from "node:path";
import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import { ArchiveWriter } from "../../../base/store/archive/archive_writer.ts";
import { encodeStoredCheck } from "../../../base/store/scores/check_file.ts";
import { type CompletedCheck, planCheck } from "../../../base/store/checks/complete_check.ts";
import { ARCHIVE_FILE, LAYOUT } from "../../../base/store/layout.ts";
import { encodeStoredSet } from "../../../base/store/scores/set_file.ts";
import { HOUR_MS } from "../../../base/calendar/civil_date.ts";
import type { HoursPlan } from "./complete_hours.ts";

/** Target folder and progress listener. */
export interface HoursTarget {
  /** Folder of the store. */
  readonly storePath: string;
  /** Receives the number of hours written since its previous call. */
  readonly onHours: (count: number) => void;
}

// Frequent enough for a progress bar, at a negligible cost.
const HOURS_PER_TURN = 256;

/**
 * Writes the sets and checks of all hours of both factors, in order, as two archives per factor: single files would take
 * seconds. Existing archives are kept.
 */
export async function writeHours(target: HoursTarget, plan: HoursPlan): Promise<void> {
  for (const factor of FACTORS) {
    const sets = new ArchiveWriter(join(target.storePath, LAYOUT.sets(factor), ARCHIVE_FILE));
    const checks = new ArchiveWriter(join(target.storePath, LAYOUT.checks(factor), ARCHIVE_FILE));
    try {
      for await (const { check, set, published } of completedChecks(factor, plan, target.onHours)) {
        const stored = { check, retrievedAt: check.lastCheckedAt, origin: plan.origin };
        const { name, text } = encodeStoredCheck(stored);
        if (published) sets.add(`${set.snapshotId}.json`, encodeStoredSet(set));
        checks.add(name, text);
      }
      // Checks refer to sets, so their archive is written last.
      await sets.finish();
      await checks.finish();
    } finally {
      sets.discard();
      checks.discard();
    }
  }
}

async function* completedChecks(
  factor: Factor,
  { source, fromMs, throughMs }: HoursPlan,
  onHours: (count: number) => void,
): AsyncGenerator<CompletedCheck, void, void> {
  let previous: CompletedCheck | null = null;
  let count = 0;
  for (let hourMs = fromMs; hourMs <= throughMs; hourMs += HOUR_MS) {
    const input = await source(factor, instantOf(hourMs));
    if (input !== null) {
      previous = planCheck(input, previous);
      yield previous;
    }
    if (++count < HOURS_PER_TURN && hourMs + HOUR_MS <= throughMs) continue;
    onHours(count);
    count = 0;
    await nextTurn();
  }
}

// Progress is displayed only when the event loop gets a turn.
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
