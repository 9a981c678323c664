import { readdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../../base/contract/instant.ts";
import { isStale } from "../../../base/contract/scores/status.ts";
import { Allowance } from "../../../client/cost/allowance.ts";
import { minutesOfDay } from "../../../server/account/utc_windows.ts";
import type { Store } from "../../../base/store/store.ts";
import type { Clock } from "../../../client/transport/clock.ts";
import { OWN_NAME } from "../upstream/own_asker.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { RelayUser } from "../user/relay_user.ts";
import type { Spending, UserMinute } from "../user/spending.ts";
import type { Activity } from "./activity.ts";
import type { DaySlice, FactorStatus, RelayStatus, UserStatus } from "./relay_status.ts";

const SPAN_MINUTES = 6;

/** Parts of a relay that its page shows. */
export interface StatusParts {
  /** The service. */
  readonly upstream: Upstream;
  /** Its address. */
  readonly origin: string;
  /** Store of the relay. */
  readonly store: Store;
  /** Spending of the users. */
  readonly spending: Spending;
  /** Requests since the start. */
  readonly activity: Activity;
  /** Users whose keys work. */
  readonly users: () => readonly RelayUser[];
  /** Time of this machine. */
  readonly clock: Pick<Clock, "now">;
  /** Time for which a licence holds. */
  readonly leaseMs: number;
}

/** Collects everything that the page shows. */
export async function collectStatus(parts: StatusParts): Promise<RelayStatus> {
  const { upstream, spending, activity, clock } = parts;
  const nowMs = upstream.clock.nowMs();
  const minutes = spending.day(nowMs);
  const { minute, day, download, heldUntil } = new Allowance(upstream.account(), clock.now());
  return {
    at: instantOf(nowMs),
    service: parts.origin,
    synthetic: upstream.lease.last?.isSynthetic ?? false,
    diskTrouble: upstream.disk.trouble,
    waiting: upstream.turns.waiting,
    allowance: { minute, day, download, heldUntil },
    day: dayOf(minutes, nowMs),
    users: usersOf(parts.users(), minutes),
    uses: activity.uses,
    licence: licenceOf(parts),
    factors: FACTORS.map((factor): FactorStatus => {
      const known = upstream.known(factor);
      if (known === null) return { factor, askedAt: null, lastCheckedAt: null, status: null };
      const { check, moment } = known;
      const status = isStale(epochMsOf(check.dataThrough), nowMs) ? "stale" : check.status;
      return {
        ...{ factor, status, lastCheckedAt: check.lastCheckedAt },
        askedAt: instantOf(Math.floor(moment.serviceMs)),
      };
    }),
    ...await storeOf(parts.store),
    refusals: activity.refusals,
  };
}

function dayOf(minutes: readonly UserMinute[], nowMs: number): RelayStatus["day"] {
  const { first } = minutesOfDay(nowMs);
  const sum = (kind: "requests" | "downloads", isOfAnswers: boolean) =>
    minutes.filter((minute) => minute.isOfAnswers === isOfAnswers)
      .reduce((total, minute) => total + minute[kind], 0);
  const spans = new Map<number, DaySlice>();
  for (const { minute, requests, isOfAnswers } of minutes) {
    const start = Math.floor((minute - first) / SPAN_MINUTES) * SPAN_MINUTES;
    const known = spans.get(start) ?? { minute: start, answered: 0, requests: 0 };
    const kind = isOfAnswers ? "answered" : "requests";
    spans.set(start, { ...known, [kind]: known[kind] + requests });
  }
  const answered = sum("requests", true);
  const requests = sum("requests", false);
  return {
    ...{ answered, requests, downloads: sum("downloads", false) },
    hitRate: answered === 0 ? null : Math.max(0, 1 - requests / answered),
    spans: [...spans.values()].sort((a, b) => a.minute - b.minute),
  };
}

// Includes users who were revoked today after spending, and the relay itself.
function usersOf(
  users: readonly RelayUser[],
  minutes: readonly UserMinute[],
): readonly UserStatus[] {
  const names = new Set([
    ...users.map(({ name }) => name),
    ...minutes.map(({ account }) => account),
  ]);
  const sum = (name: string, kind: "requests" | "downloads", isOfAnswers: boolean) =>
    minutes.filter((minute) => minute.account === name && minute.isOfAnswers === isOfAnswers)
      .reduce((total, minute) => total + minute[kind], 0);
  return [...names].sort((a, b) =>
    Number(a === OWN_NAME) - Number(b === OWN_NAME) || (a < b ? -1 : 1)
  )
    .map((name) => {
      const user = users.find((candidate) => candidate.name === name);
      return {
        name,
        requestsLimit: user?.requests ?? null,
        downloadsLimit: user?.downloads ?? null,
        answered: sum(name, "requests", true),
        requests: sum(name, "requests", false),
        downloads: sum(name, "downloads", false),
      };
    });
}

function licenceOf({ upstream: { lease }, leaseMs }: StatusParts): RelayStatus["licence"] {
  const { confirmed } = lease;
  if (confirmed === null) return { factors: [], confirmedAt: null, until: null };
  const confirmedMs = Math.floor(confirmed.moment.serviceMs);
  return {
    factors: confirmed.entries.map(({ factor }) => factor),
    confirmedAt: instantOf(confirmedMs),
    until: instantOf(confirmedMs + leaseMs),
  };
}

async function storeOf(store: Store): Promise<Pick<RelayStatus, "releases" | "store">> {
  const lists = await Promise.all(FACTORS.map(async (factor) => ({
    factor,
    sets: (await store.listSets(factor)).length,
    checks: (await store.listChecks(factor)).length,
    releases: await store.listReleases(factor),
  })));
  const disk = await statfs(store.path).catch(() => null);
  return {
    releases: lists.flatMap(({ factor, releases }) =>
      releases.map(({ release, sizeBytes, availableFrom }) => ({
        ...{ factor, sha256: release.downloadSha256, sizeBytes, receivedAt: availableFrom },
      }))
    ),
    store: {
      path: store.path,
      sets: lists.reduce((total, { sets }) => total + sets, 0),
      checks: lists.reduce((total, { checks }) => total + checks, 0),
      freeBytes: disk === null ? null : disk.bavail * disk.bsize,
      bytes: sizes.of(store.path),
    },
  };
}

const COUNT_AGAIN_AFTER_MS = 600_000;

// Ten years of hourly checks are about a hundred thousand files, which are counted in the background.
class FolderSizes {
  readonly #known = new Map<string, { bytes: number | null; atMs: number }>();

  of(path: string): number | null {
    const known = this.#known.get(path) ?? { bytes: null, atMs: -Infinity };
    if (performance.now() - known.atMs > COUNT_AGAIN_AFTER_MS) {
      this.#known.set(path, { ...known, atMs: performance.now() });
      void this.#count(path);
    }
    return known.bytes;
  }

  async #count(path: string): Promise<void> {
    const bytes = await bytesBelow(path).catch(() => null);
    this.#known.set(path, { bytes, atMs: performance.now() });
  }
}

const sizes = new FolderSizes();

async function bytesBelow(folder: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) total += await bytesBelow(path);
    else total += await stat(path).then(({ size }) => size, () => 0);
  }
  return total;
}
