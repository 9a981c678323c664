import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { Store } from "../../base/store/store.ts";
import type { Answer } from "../transport/exchange.ts";

/** Answer to a request for the latest check. */
export interface LatestAnswer {
  /** The check. */
  readonly check: Pick<Check, "factor" | "lastCheckedAt">;
  /** Its file in the store. */
  readonly name: string;
  /** The answer. */
  readonly answer: Pick<Answer, "headers" | "sentAtMs" | "receivedAtMs">;
}

/**
 * Stores the instant at which a check was the latest one. It equals a view at that instant (section 4.3), so the store proves
 * every view between the two.
 */
export async function keepLatestView(
  store: Store,
  latest: LatestAnswer,
  spacingMs = 0,
): Promise<void> {
  const { check: { factor, lastCheckedAt }, name } = latest;
  const at = selectedAt(latest.answer);
  // The check's own time needs no proof.
  if (at === null || at <= lastCheckedAt) return;
  if (spacingMs > 0 && await isProvedAround(store, { factor, at, lastCheckedAt, spacingMs })) {
    return;
  }
  // Of two answers for one instant the first one counts.
  if (await store.readView(factor, at) !== null) return;
  await store.putView(factor, { at, check: name });
}

async function isProvedAround(
  store: Store,
  { factor, at, lastCheckedAt, spacingMs }: {
    readonly factor: Factor;
    readonly at: Instant;
    readonly lastCheckedAt: Instant;
    readonly spacingMs: number;
  },
): Promise<boolean> {
  const last = (await store.listViews(factor)).at(-1);
  return last !== undefined && last > lastCheckedAt &&
    epochMsOf(at) - epochMsOf(last) < spacingMs;
}

/**
 * Earliest instant, by the service's clock, at which it can have selected the latest check: after the request was sent, and
 * before it wrote the time, which has whole seconds. `null` if the answer has no time.
 */
export function selectedAt(
  { headers, sentAtMs, receivedAtMs }: LatestAnswer["answer"],
): Instant | null {
  const answeredMs = Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(answeredMs)) return null;
  return instantOf(answeredMs - Math.max(receivedAtMs - sentAtMs, 0));
}
