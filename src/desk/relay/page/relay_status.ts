import { statfs } from "node:fs/promises";
import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../../base/contract/instant.ts";
import { isStale } from "../../../base/contract/scores/status.ts";
import type { Store } from "../../../base/store/store.ts";
import { Allowance } from "../../../client/cost/allowance.ts";
import type { Clock } from "../../../client/transport/clock.ts";
import { OWN_NAME } from "../upstream/asker.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { RelayUser } from "../user/user_file.ts";
import type { Spending, UserMinute } from "../user/spending.ts";
import type { JournalEntry } from "../../../base/contract/http/journal_entry.ts";

const KEPT_REFUSALS = 20;
const NOTHING: UserActivity = { answered: 0, free: 0, refused: 0, requests: 0, downloads: 0 };

/** Content of the page of a relay: its health, the budget that is left, the users who spend. */
export type RelayStatus = Awaited<ReturnType<typeof collectStatus>>;

/** Parts of a relay that its page shows. */
export interface StatusParts {
  readonly upstream: Upstream;
  /** Address of the service. */
  readonly origin: string;
  readonly store: Store;
  readonly spending: Spending;
  readonly activity: Activity;
  /** Users whose keys work. */
  readonly users: () => readonly RelayUser[];
  /** Time of this machine. */
  readonly clock: Pick<Clock, "now">;
  /** Time for which a licence holds. */
  readonly leaseMs: number;
}

/** Collects what the page shows. */
export async function collectStatus(parts: StatusParts) {
  const { upstream, activity, clock } = parts;
  const nowMs = upstream.clock.nowMs();
  const { minute, day, download, heldUntil } = new Allowance(upstream.account(), clock.now());
  const users = usersOf(parts, nowMs);
  const total = (kind: "answered" | "requests" | "downloads", of = users) =>
    of.reduce((sum, user) => sum + user[kind], 0);
  const answered = total("answered");
  const forUsers = total("requests", users.filter(({ name }) => name !== OWN_NAME));
  return {
    at: instantOf(nowMs),
    service: parts.origin,
    synthetic: upstream.lease.last?.isSynthetic ?? false,
    accountTrouble: upstream.lease.refusal?.message ?? null,
    diskTrouble: upstream.disk.trouble,
    waiting: upstream.turns.waiting,
    allowance: { minute, day, download, heldUntil },
    // Of the UTC day, with the relay's own requests.
    day: {
      answered,
      requests: total("requests"),
      downloads: total("downloads"),
      hitRate: answered === 0 ? null : Math.max(0, 1 - forUsers / answered),
    },
    users,
    licence: licenceOf(parts),
    factors: FACTORS.map((factor) => factorOf(upstream, factor, nowMs)),
    ...await storeOf(parts.store),
    refusals: activity.refusals,
  };
}

// Includes users who were revoked today after spending. The most expensive first, the relay itself last.
function usersOf({ spending, activity, users: book }: StatusParts, nowMs: number) {
  const byName = Map.groupBy(spending.day(nowMs), ({ account }) => account);
  const known = new Map(book().map((user) => [user.name, user]));
  const sum = (minutes: readonly UserMinute[], kind: "requests" | "downloads", answers: boolean) =>
    minutes.filter(({ isOfAnswers }) => isOfAnswers === answers)
      .reduce((total, minute) => total + minute[kind], 0);
  return [...new Set([...known.keys(), ...byName.keys()])].map((name) => {
    const minutes = byName.get(name) ?? [];
    return {
      name,
      requestsLimit: known.get(name)?.requests ?? null,
      downloadsLimit: known.get(name)?.downloads ?? null,
      answered: sum(minutes, "requests", true),
      requests: sum(minutes, "requests", false),
      downloads: sum(minutes, "downloads", false),
      sinceStart: activity.users.get(name) ?? null,
    };
  }).sort((a, b) =>
    Number(a.name === OWN_NAME) - Number(b.name === OWN_NAME) || b.downloads - a.downloads ||
    b.requests - a.requests || b.answered - a.answered ||
    a.name.localeCompare(b.name, "en", { numeric: true })
  );
}

function factorOf(upstream: Upstream, factor: Factor, nowMs: number) {
  const known = upstream.known(factor);
  if (known === null) return { factor, askedAt: null, lastCheckedAt: null, status: null };
  const { check, moment } = known;
  return {
    factor,
    status: isStale(epochMsOf(check.dataThrough), nowMs) ? "stale" : check.status,
    lastCheckedAt: check.lastCheckedAt,
    askedAt: instantOf(Math.floor(moment.serviceMs)),
  };
}

function licenceOf({ upstream: { lease: { confirmed } }, leaseMs }: StatusParts) {
  const confirmedMs = confirmed && Math.floor(confirmed.moment.serviceMs);
  return {
    factors: confirmed?.entries.map(({ factor }) => factor) ?? [],
    confirmedAt: confirmedMs === null ? null : instantOf(confirmedMs),
    until: confirmedMs === null ? null : instantOf(confirmedMs + leaseMs),
  };
}

async function storeOf(store: Store) {
  let [sets, checks] = [0, 0];
  const releases = [];
  for (const factor of FACTORS) {
    sets += (await store.listSets(factor)).length;
    checks += (await store.listChecks(factor)).length;
    for (const { release, sizeBytes, availableFrom } of await store.listReleases(factor)) {
      releases.push({
        factor,
        sha256: release.downloadSha256,
        sizeBytes,
        receivedAt: availableFrom,
      });
    }
  }
  const disk = await statfs(store.path).catch(() => null);
  const freeBytes = disk === null ? null : disk.bavail * disk.bsize;
  return { releases, store: { path: store.path, sets, checks, freeBytes } };
}

/** Requests of a user since the relay started. */
export interface UserActivity {
  /** Successful answers. */
  readonly answered: number;
  /** Answers without a request to the service. */
  readonly free: number;
  readonly refused: number;
  /** Requests sent to the service. */
  readonly requests: number;
  /** Downloads started at the service. */
  readonly downloads: number;
}

/** A refused request. */
interface RefusalNote {
  /** Time by the service's clock. */
  readonly at: string;
  /** Name of the user; `null` if no key was recognised. */
  readonly user: string | null;
  /** Method and path. */
  readonly request: string;
  /** Status and code. */
  readonly answer: string;
  /** Reason; `null` if there is none beyond the code. */
  readonly because: string | null;
}

/** Requests of the users since the relay started. */
export class Activity {
  readonly #users = new Map<string, UserActivity>();
  readonly #refusals: RefusalNote[] = [];

  /** Adds a finished request. */
  record(entry: JournalEntry): void {
    const { account, code, spentRequests, spentDownloads } = entry;
    const isRefused = code !== null;
    if (isRefused) this.#note(entry);
    if (account === null) return;
    const known = this.#users.get(account) ?? NOTHING;
    this.#users.set(account, {
      answered: known.answered + Number(!isRefused),
      free: known.free + Number(!isRefused && spentRequests === 0),
      refused: known.refused + Number(isRefused),
      requests: known.requests + spentRequests,
      downloads: known.downloads + spentDownloads,
    });
  }

  /** The requests of each user by name. */
  get users(): ReadonlyMap<string, UserActivity> {
    return this.#users;
  }

  /** The last refusals, the newest first. */
  get refusals(): readonly RefusalNote[] {
    return this.#refusals.toReversed();
  }

  #note({ at, account, method, target, status, code, note }: JournalEntry): void {
    if (this.#refusals.length === KEPT_REFUSALS) this.#refusals.shift();
    this.#refusals.push({
      at,
      user: account,
      request: `${method} ${target}`.trim(),
      answer: `${status} ${code}`,
      because: note?.split("\n")[0] ?? null,
    });
  }
}
