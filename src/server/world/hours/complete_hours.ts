import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../../base/contract/instant.ts";
import {
  type CheckSource,
  completeCheck,
  type CompletedCheck,
  planCheck,
  readLastCheck,
} from "../../../base/store/checks/complete_check.ts";
import type { Store } from "../../../base/store/store.ts";
import { HOUR_MS } from "../../../base/calendar/civil_date.ts";
import { WriteQueue } from "../release/write_queue.ts";

/** Hours to complete and the source of their checks. */
export interface HoursPlan {
  /** Source of checks. */
  readonly source: CheckSource;
  /** First full hour, in epoch milliseconds; hours already in the store are skipped. */
  readonly fromMs: number;
  /** Last instant, in epoch milliseconds. */
  readonly throughMs: number;
  /** Name of the world, stored with each check. */
  readonly origin: string;
}

/** Completes the checks of the hours after the store's last check, in order, and returns their number. */
export async function completeHours(store: Store, plan: HoursPlan): Promise<number> {
  const counts = await Promise.all(FACTORS.map((factor) => goOn(store, factor, plan)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Completes all hours of a new world. Files are written concurrently, so an interruption can leave gaps; building the world
 * again fills them with the same files.
 *
 * @param onHours Receives the number of hours completed since its previous call
 */
export async function completeAllHours(
  store: Store,
  plan: HoursPlan,
  onHours: (count: number) => void = () => {},
): Promise<void> {
  const writes = new WriteQueue();
  for (const factor of FACTORS) {
    let previous: CompletedCheck | null = null;
    for (let hourMs = plan.fromMs; hourMs <= plan.throughMs; hourMs += HOUR_MS) {
      onHours(1);
      const input = await plan.source(factor, instantOf(hourMs));
      if (input === null) continue;
      const completed: CompletedCheck = planCheck(input, previous);
      previous = completed;
      const stored = { check: completed.check, retrievedAt: input.checkedAt, origin: plan.origin };
      if (completed.published) await writes.add(() => store.putSet(completed.set));
      await writes.add(() => store.putCheck(stored));
    }
  }
  await writes.settle();
}

async function goOn(store: Store, factor: Factor, plan: HoursPlan): Promise<number> {
  const { origin, source, throughMs } = plan;
  let previous = await readLastCheck(store, factor);
  const lastMs = previous === null ? -Infinity : epochMsOf(previous.check.lastCheckedAt);
  let count = 0;
  for (let hourMs = plan.fromMs; hourMs <= throughMs; hourMs += HOUR_MS) {
    if (hourMs <= lastMs) continue;
    const input = await source(factor, instantOf(hourMs));
    if (input === null) continue;
    previous = await completeCheck(store, input, { origin, previous });
    count++;
  }
  return count;
}
