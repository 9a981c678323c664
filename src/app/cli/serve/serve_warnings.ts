import type { StoreReader } from "../../../base/store/store_reader.ts";
import type { TimelineEvent } from "../../../server/timeline/timeline_event.ts";

/** Warnings about events of a timeline that a store cannot play as expected, one sentence each. */
export async function findUnplayable(
  store: StoreReader,
  timeline: readonly TimelineEvent[],
): Promise<readonly string[]> {
  const warnings = await Promise.all(timeline.map((event) => warningOf(store, event)));
  return warnings.filter((warning) => warning !== null);
}

async function warningOf(store: StoreReader, event: TimelineEvent): Promise<string | null> {
  if (event.kind === "correction") {
    const last = (await store.listChecks(event.factor)).at(-1)?.lastCheckedAt;
    // Published sets are immutable: only a future check can publish a correction.
    return last === undefined || Date.parse(event.at) > Date.parse(last)
      ? null
      : `the correction of ${event.factor} at ${event.at} waits for the first check after ${last}, ` +
        "the last that the store has";
  }
  if (event.kind !== "release_replaced" || event.downloadSha256 === null) return null;
  const releases = await store.listReleases(event.factor);
  const isThere = releases.some(({ release }) => release.downloadSha256 === event.downloadSha256);
  return isThere ? null : `from ${event.at} on the release of ${event.factor} is not available: ` +
    `the store has none with the checksum ${event.downloadSha256}`;
}
