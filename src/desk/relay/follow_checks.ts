import { CHECK_INTERVAL_MS } from "../../base/contract/limits.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { Refusal } from "../../server/message/refusal.ts";
import type { Clock } from "../../client/transport/clock.ts";
import type { Asker } from "./upstream/asker.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { proveCheckAt } from "../../base/store/checks/select_check.ts";
import type { Store } from "../../base/store/store.ts";

const SETTLE_MS = 60_000;
const OVERDUE_MS = 300_000;
const HOUR_MS = 3_600_000;

/** Options of {@link followChecks}. */
export interface FollowOptions {
  /** The service. */
  readonly upstream: Upstream;
  /** The relay, as the sender of these requests. */
  readonly asker: Asker;
  /** Waits. */
  readonly clock: Pick<Clock, "sleep">;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Requests the latest check of each licensed factor when it is due, until the signal is aborted, so that every publication is
 * stored. A failed request is repeated when the service allows it.
 */
export async function followChecks(options: FollowOptions): Promise<void> {
  const { clock, signal } = options;
  while (!signal.aborted) {
    const waitMs = await askAll(options);
    await clock.sleep(waitMs, signal).catch(() => undefined);
  }
}

// Time until the next request.
async function askAll(options: FollowOptions): Promise<number> {
  const { upstream, asker } = options;
  try {
    const { entries } = upstream.lease.confirmed ?? await upstream.licence(asker);
    const waits = [];
    for (const { factor } of entries) waits.push(await askOne(options, factor));
    return Math.min(OVERDUE_MS, ...waits);
  } catch (error) {
    return waitAfter(error);
  }
}

async function askOne(options: FollowOptions, factor: Factor): Promise<number> {
  const { upstream, asker } = options;
  const dueOf = () => {
    const known = upstream.known(factor);
    if (known === null) return 0;
    const dueMs = epochMsOf(known.check.lastCheckedAt) + CHECK_INTERVAL_MS + SETTLE_MS;
    return dueMs - upstream.clock.nowMs();
  };
  if (dueOf() > 0) return dueOf();
  try {
    await upstream.latest(factor, asker);
  } catch (error) {
    return waitAfter(error);
  }
  return dueOf() > 0 ? dueOf() : OVERDUE_MS;
}

function waitAfter(error: unknown): number {
  const seconds = error instanceof Refusal ? error.options.retryAfterSeconds ?? 0 : 0;
  return Math.max(OVERDUE_MS, seconds * 1000);
}

/**
 * Finds the hours since the first check of a store that lack a check; returns the end of each, at which a request by `at`
 * returns the check.
 *
 * An hour without a check at the service is no gap once an answer proves it.
 *
 * @param nowMs End of the last hour, epoch milliseconds
 */
export async function findGaps(
  store: Store,
  factor: Factor,
  nowMs: number,
): Promise<readonly Instant[]> {
  const entries = await store.listChecks(factor);
  const [first] = entries;
  if (first === undefined) return [];
  const known = new Set(entries.map(({ lastCheckedAt }) => hourOf(lastCheckedAt)));
  const gaps: Instant[] = [];
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  for (let ms = hourOf(first.lastCheckedAt); ms < endMs; ms += HOUR_MS) {
    if (known.has(ms)) continue;
    const at = instantOf(ms + HOUR_MS - 1);
    if (!(await proveCheckAt(store, factor, at)).known) gaps.push(at);
  }
  return gaps;
}

function hourOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / HOUR_MS) * HOUR_MS;
}
