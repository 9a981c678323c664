import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import {
  type CheckSource,
  completeCheck,
  type CompletedCheck,
  planCheck,
  readLastCheck,
} from "../../base/store/checks/complete_check.ts";
import type { Store } from "../../base/store/store.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";
import { createCheckSource } from "./check_source.ts";
import type { WorldModel } from "./world_model.ts";
import { ArchiveWriter } from "../../base/store/archive.ts";
import { encodeStoredCheck } from "../../base/store/scores/check_file.ts";
import { ARCHIVE_FILE, LAYOUT } from "../../base/store/layout.ts";
import { encodeStoredSet } from "../../base/store/scores/set_file.ts";

const MOST_RUNNING = 16;

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

/** Completes the checks of the hours after the store's last check, in order, and returns their number. */
export async function completeHours(store: Store, plan: HoursPlan): Promise<number> {
  const counts = await Promise.all(FACTORS.map((factor) => goOn(store, factor, plan)));
  return counts.reduce((sum, count) => sum + count, 0);
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

/**
 * Writes the sets and checks of all hours of both factors, in order, as two archives per factor: single files would take
 * seconds. Existing archives are kept.
 *
 * @param onHours Receives the number of hours written since its previous call
 */
export async function writeHours(
  storePath: string,
  plan: HoursPlan,
  onHours: (count: number) => void,
): Promise<void> {
  for (const factor of FACTORS) {
    const sets = new ArchiveWriter(join(storePath, LAYOUT.sets(factor), ARCHIVE_FILE));
    const checks = new ArchiveWriter(join(storePath, LAYOUT.checks(factor), ARCHIVE_FILE));
    try {
      for await (const { check, set, published } of completedChecks(factor, plan, onHours)) {
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
    // Progress is displayed only when the event loop gets a turn.
    await delay(0);
  }
}

/** Runs a bounded number of writes at once, and starts none after a failure. */
export class WriteQueue {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  /**
   * Starts a write as soon as there is room.
   *
   * @throws The error of an earlier write
   */
  async add(write: () => Promise<unknown>): Promise<void> {
    while (this.#running.size >= MOST_RUNNING) await Promise.race(this.#running);
    this.#assertSound();
    const running: Promise<void> = write()
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .then(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  /**
   * Waits for all writes.
   *
   * @throws The error of the first write that failed
   */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
    this.#assertSound();
  }

  #assertSound(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
