import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";

/** Knowledge of an instant: publication time of the set in force, "none" before the first one, or "unknown". */
export type KnownInstant = { readonly calculatedAt: Instant } | "none" | "unknown";

/**
 * The instants that listing the publications of an interval requests, newest first: its end, then the instant before each
 * publication. The walk ends before the interval, before the first publication, or at an unknown instant.
 */
export async function walkPublications(
  interval: { readonly from: Instant; readonly to: Instant },
  lookUp: (at: Instant) => KnownInstant | Promise<KnownInstant>,
): Promise<readonly { readonly at: Instant; readonly known: KnownInstant }[]> {
  const asked: { at: Instant; known: KnownInstant }[] = [];
  for (let at = interval.to; at >= interval.from;) {
    const known = await lookUp(at);
    asked.push({ at, known });
    if (typeof known === "string") break;
    at = instantOf(epochMsOf(known.calculatedAt) - 1);
  }
  return asked;
}
