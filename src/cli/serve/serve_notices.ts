import { FACTORS } from "../../contract/factor.ts";
import { type Instant, instantOf } from "../../contract/instant.ts";
import type { Store } from "../../store/store.ts";
import { describeRecordingTimes } from "./recording_times.ts";

/** What is served, and the time of the server. */
export interface ServedTime {
  /** The store. */
  readonly store: Store;
  /** Whether further hours get checks. */
  readonly goesOn: boolean;
  /** Time at which the server starts, epoch milliseconds. */
  readonly nowMs: number;
  /** Server seconds per real second. */
  readonly rate: number;
}

/** What the user who starts a server should know about its numbers and its time, one sentence each. */
export async function findNotices(served: ServedTime): Promise<readonly string[]> {
  const { store, nowMs, rate } = served;
  const notices: string[] = [];
  if (await isSynthetic(store)) notices.push("the numbers are synthetic");
  const ended = served.goesOn ? null : await describeEnd(store, instantOf(nowMs));
  if (ended !== null) notices.push(ended);
  if (rate === 0) {
    notices.push(
      "the clock stands still: what is spent of its minute and its day does not come back; " +
        "--clock-rate 1 lets it run",
    );
  }
  return notices;
}

// A recording keeps it with each check and release; all of them come from one service, so that the last one tells.
async function isSynthetic(store: Store): Promise<boolean> {
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

async function describeEnd(store: Store, now: Instant): Promise<string | null> {
  if (store.info.complete === null) return await describeRecordingTimes(store, now);
  const last = await lastCheckOf(store);
  if (last === null || last >= now) return null;
  return `the last check of the store is at ${last}, before the server's time: the latest set becomes stale; ` +
    `--clock ${last} serves it as it was`;
}

async function lastCheckOf(store: Store): Promise<Instant | null> {
  const lists = await Promise.all(FACTORS.map((factor) => store.listChecks(factor)));
  return lists.flatMap((checks) => checks.at(-1)?.lastCheckedAt ?? []).toSorted().at(-1) ?? null;
}
