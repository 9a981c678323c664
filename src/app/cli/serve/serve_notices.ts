import { FACTORS } from "../../../base/contract/factor.ts";
import { type Instant, instantOf } from "../../../base/contract/instant.ts";
import type { StoreReader } from "../../../base/store/store_reader.ts";
import { describeRecordingTimes } from "./recording_times.ts";

/** Contents and time of a server. */
export interface ServedTime {
  /** The store. */
  readonly store: StoreReader;
  /** True if checks are added for further hours. */
  readonly goesOn: boolean;
  /** Time at which the server starts, epoch milliseconds. */
  readonly nowMs: number;
  /** Server seconds per real second. */
  readonly rate: number;
}

/** Notices about the numbers and the time of a starting server, one sentence each. */
export async function findNotices(served: ServedTime): Promise<readonly string[]> {
  const { store, nowMs, rate } = served;
  const notices: string[] = [];
  if (await isSynthetic(store)) notices.push("the numbers are synthetic");
  const ended = served.goesOn ? null : await describeEnd(store, instantOf(nowMs));
  if (ended !== null) notices.push(ended);
  if (rate === 0) {
    notices.push(
      "the clock stands still, so allowances are never renewed; --clock-rate 1 lets it run",
    );
  }
  return notices;
}

// A recording notes it with each check and release; all come from one service, so the last one is enough.
async function isSynthetic(store: StoreReader): Promise<boolean> {
  if (store.info.synthetic) return true;
  for (const factor of FACTORS) {
    const name = (await store.listChecks(factor)).at(-1)?.name;
    const stored = name === undefined ? null : await store.readCheck(factor, name);
    if (stored?.check.extra.synthetic === true) return true;
    const releases = await store.listReleases(factor);
    if (releases.at(-1)?.release.extra.synthetic === true) return true;
  }
  return false;
}

async function describeEnd(store: StoreReader, now: Instant): Promise<string | null> {
  if (store.info.complete === null) return await describeRecordingTimes(store, now);
  const last = await lastCheckOf(store);
  if (last === null || last >= now) return null;
  return `the last check of the store is at ${last}, before the server's time: the latest set becomes stale; ` +
    `--clock ${last} serves it as it was`;
}

async function lastCheckOf(store: StoreReader): Promise<Instant | null> {
  const lists = await Promise.all(FACTORS.map((factor) => store.listChecks(factor)));
  return lists.flatMap((checks) => checks.at(-1)?.lastCheckedAt ?? []).toSorted().at(-1) ?? null;
}
