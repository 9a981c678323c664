import { CHECK_INTERVAL_MS } from "../../../base/contract/limits.ts";
import { epochMsOf } from "../../../base/contract/instant.ts";
import type { Factor } from "../../../base/contract/factor.ts";
import { Refusal } from "../../../server/message/refusal.ts";
import type { Clock } from "../../../client/transport/clock.ts";
import type { Asker } from "../upstream/asker.ts";
import type { Upstream } from "../upstream/upstream.ts";

const SETTLE_MS = 60_000;
const OVERDUE_MS = 300_000;

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
