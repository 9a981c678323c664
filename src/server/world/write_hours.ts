import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import {
  type CheckSource,
  type CompletedCheck,
  planCheck,
} from "../../base/store/checks/complete_check.ts";
import type { Store } from "../../base/store/store.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";
import { createCheckSource } from "./check_source.ts";
import type { WorldModel } from "./world_model.ts";
import { ArchiveWriter } from "../../base/store/archive.ts";
import { encodeStoredCheck, type StoredCheck } from "../../base/store/scores/check_file.ts";
import { ARCHIVE_FILE, LAYOUT } from "../../base/store/layout.ts";
import { encodeStoredSet } from "../../base/store/scores/set_file.ts";

// Frequent enough for a progress bar, at a negligible cost.
const HOURS_PER_TURN = 256;

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

/** All hours of a world, from its first check to its end. */
export function hoursPlanOf(model: WorldModel): HoursPlan {
  const { liveFromMs: fromMs, origin, parameters } = model;
  return { source: createCheckSource(model), fromMs, throughMs: epochMsOf(parameters.end), origin };
}

/**
 * Completes hours in files of their own, and returns the number of checks.
 *
 * @param lastOf The check after which the hours of a factor begin; none by default, and files that exist stay
 */
export async function completeHours(
  store: Store,
  plan: HoursPlan,
  onHours: (count: number) => void,
  lastOf?: (factor: Factor) => Promise<CompletedCheck | null>,
): Promise<number> {
  const counts = await Promise.all(FACTORS.map(async (factor) => {
    const last = await lastOf?.(factor) ?? null;
    let count = 0;
    for await (const { stored, set, published } of completedChecks(factor, plan, onHours, last)) {
      if (published) await store.putSet(set);
      await store.putCheck(stored);
      count++;
    }
    return count;
  }));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Writes hours to archives, in an empty store: thousands of files would take many times as long as their content. */
export async function writeHours(
  storePath: string,
  plan: HoursPlan,
  onHours: (count: number) => void,
): Promise<void> {
  for (const factor of FACTORS) {
    const sets = new ArchiveWriter(join(storePath, LAYOUT.sets(factor), ARCHIVE_FILE));
    const checks = new ArchiveWriter(join(storePath, LAYOUT.checks(factor), ARCHIVE_FILE));
    try {
      for await (const { stored, set, published } of completedChecks(factor, plan, onHours)) {
        const { name, text } = encodeStoredCheck(stored);
        if (published) sets.add(`${set.snapshotId}.json`, encodeStoredSet(set));
        checks.add(name, text);
      }
      await sets.finish();
      await checks.finish();
    } finally {
      sets.discard();
      checks.discard();
    }
  }
}

/** The checks of the hours after `last`, each as it is stored, with its set. */
async function* completedChecks(
  factor: Factor,
  { source, fromMs, throughMs, origin }: HoursPlan,
  onHours: (count: number) => void,
  last: CompletedCheck | null = null,
): AsyncGenerator<CompletedCheck & { readonly stored: StoredCheck }, void, void> {
  let previous = last;
  const doneMs = last === null ? -Infinity : epochMsOf(last.check.lastCheckedAt);
  let count = 0;
  for (let hourMs = fromMs; hourMs <= throughMs; hourMs += HOUR_MS) {
    const input = hourMs <= doneMs ? null : await source(factor, instantOf(hourMs));
    if (input !== null) {
      previous = planCheck(input, previous);
      const { check } = previous;
      yield { ...previous, stored: { check, retrievedAt: check.lastCheckedAt, origin } };
    }
    if (++count < HOURS_PER_TURN && hourMs + HOUR_MS <= throughMs) continue;
    onHours(count);
    count = 0;
    // Lets a progress bar, and the releases that are written meanwhile, have their turn.
    await delay(0);
  }
}
