import { epochMsOf, type Instant, instantOf } from "../../contract/instant.ts";

/** What is known of an instant: when the set in force was published; that there was none; or nothing. */
export type KnownInstant = { readonly calculatedAt: Instant } | "none" | "unknown";

/**
 * The instants that listing the publications of an interval asks for, newest first: its end, and then each time the
 * instant before a publication. It ends before the interval, before the first publication, or where nothing is known.
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
