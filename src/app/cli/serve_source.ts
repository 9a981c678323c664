import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import { IntegrityError } from "../../base/errors.ts";
import { readLockFile } from "../../study/lock/lock_file.ts";
import { openServedStore } from "../../study/served_store.ts";
import { repeatLastCheck } from "../../server/engine/made_checks.ts";
import type { CheckSource } from "../../base/store/checks/complete_check.ts";
import { Store } from "../../base/store/store.ts";
import type { StoreReader } from "../../base/store/store_reader.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { buildWorld } from "../../server/world/build_world.ts";
import { openWorld, type World } from "../../server/world/world.ts";
import { toWorldParameters } from "../../server/world/world_options.ts";
import type { Terminal } from "./terminal.ts";
import type { TimelineEvent } from "../../server/timeline/timeline.ts";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import {
  findProvedSpan,
  proveCheckAt,
  type ProvedSpan,
} from "../../base/store/checks/select_check.ts";

const HOUR_MS = 3_600_000;
const PLAIN = { time: null, notices: [] };

/** Options of {@link openServeSource}. */
export interface SourceOptions {
  /** Folder of a store to serve, instead of a synthetic world. */
  readonly store?: string;
  /** Folder of a study whose store is served at its time. */
  readonly study?: string;
  /** Size of the synthetic world. */
  readonly world?: "small" | "full";
  /** Instant at which the clock starts, or `null` for now. */
  readonly clock?: Instant | null;
}

/** Store of a server, and the source of further checks. */
export interface ServeSource {
  /** The store. */
  readonly store: StoreReader;
  /** Source of the checks of further hours; `null` for a recording, which has none. */
  readonly checks: CheckSource | null;
  /** Time at which it is served unless another one is given; `null` for the present one. */
  readonly time: Instant | null;
  /** Notices of what is withheld, one sentence each. */
  readonly notices: readonly string[];
  /** Removes temporary files of this run. */
  dispose(): Promise<void>;
}

/** Opens the store to serve, or builds the world. */
export async function openServeSource(
  options: SourceOptions,
  terminal: Terminal,
): Promise<ServeSource> {
  if (options.study !== undefined) return await openStudyStore(options.study);
  if (options.store !== undefined) return await openStore(options.store);
  const { world: size = "small", clock = null } = options;
  if (size === "full") {
    terminal.error("building the full world, which takes about twenty seconds");
  }
  const folder = await openTemporaryFolder("serve");
  const dispose = () => Promise.resolve(folder.remove());
  try {
    const world = await buildWorld(folder.path, { size, end: worldEnd(size, clock) });
    return { ...PLAIN, store: world.store, checks: world.source, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openStore(path: string): Promise<ServeSource> {
  const store = await Store.open(path);
  const dispose = () => Promise.resolve();
  if (store.info.kind !== "world") return { ...PLAIN, store, checks: null, dispose };
  const world: World | null = await openWorld(path).catch(() => null);
  // A complete store that this library did not build is continued by repeating its last check.
  if (world === null) return { ...PLAIN, store, checks: repeatLastCheck(store), dispose };
  return { ...PLAIN, store: world.store, checks: world.source, dispose };
}

/**
 * The store of a study, with what the study shows at its time.
 *
 * @throws {IntegrityError} If the folder has no lock
 */
async function openStudyStore(folder: string): Promise<ServeSource> {
  const read = await readLockFile(folder);
  if (read === null) {
    throw new IntegrityError(
      `Cannot serve the study ${folder}: expected a study.lock.json, got none; give the folder of a study`,
    );
  }
  const store = await openServedStore(folder, read.lock);
  const { through, heldOut } = store.limit;
  const held = heldOut === null || heldOut.sessions === 0 ? [] : [
    `sessions from ${heldOut.from} on are held out: nothing after ${through} is served`,
  ];
  const releases = store.withheld.map(({ factor, downloadSha256 }) =>
    `the ${factor} release ${downloadSha256.slice(0, 12)}… reaches into the hold-out and is not ` +
    "served"
  );
  const notices = [...held, ...releases];
  return { store, checks: null, time: through, notices, dispose: () => Promise.resolve() };
}

// An instant inside the default world uses that world, so that runs at different instants have the same history.
function worldEnd(size: "small" | "full", clock: Instant | null): string {
  const startMs = clock === null ? Date.now() : epochMsOf(clock);
  const { end, hours } = toWorldParameters({ size });
  const defaultEndMs = epochMsOf(end);
  const isInside = startMs <= defaultEndMs && startMs > defaultEndMs - hours * HOUR_MS;
  const isDefault = clock !== null && isInside;
  return instantOf(isDefault ? defaultEndMs : Math.floor(startMs / HOUR_MS) * HOUR_MS);
}

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

/** Notices about the numbers and the time of a starting server, one sentence each. */
export async function findNotices(
  served: {
    readonly store: StoreReader;
    /** True if checks are added for further hours. */
    readonly goesOn: boolean;
    readonly nowMs: number;
    /** Server seconds per real second. */
    readonly rate: number;
  },
): Promise<readonly string[]> {
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

interface Recorded {
  readonly factor: Factor;
  /** Span in which the recording proves that its last check is the latest. */
  readonly span: ProvedSpan | null;
  /** Time from which it has its last release. */
  readonly releasedAt: Instant | null;
}

/**
 * Notice of what a partial recording cannot serve at a time, and of times at which it can; `null` if it can serve everything.
 */
async function describeRecordingTimes(store: StoreReader, now: Instant): Promise<string | null> {
  const recorded = await Promise.all(FACTORS.map((factor) => readRecorded(store, factor)));
  const lacks = (await Promise.all(recorded.map((part) => lacksAt(store, part, now)))).flat();
  if (lacks.length === 0) return null;
  return `at the server's time the recording ${lacks.join(" and ")}; ${adviceOf(recorded)}`;
}

async function readRecorded(store: StoreReader, factor: Factor): Promise<Recorded> {
  const releases = await store.listReleases(factor);
  return {
    factor,
    span: await findProvedSpan(store, factor, null),
    releasedAt: releases.at(-1)?.availableFrom ?? null,
  };
}

async function lacksAt(store: StoreReader, recorded: Recorded, now: Instant): Promise<string[]> {
  const { factor, span, releasedAt } = recorded;
  const isUnproved = span !== null && !(await proveCheckAt(store, factor, now)).known;
  return [
    ...(isUnproved ? [`does not determine the latest ${factor} set`] : []),
    ...(releasedAt !== null && releasedAt > now ? [`does not have the ${factor} release yet`] : []),
  ];
}

function adviceOf(recorded: readonly Recorded[]): string {
  const spans = recorded.flatMap(({ span }) => span ?? []);
  const releasedAt = lastOf(recorded.flatMap((part) => part.releasedAt ?? []));
  const begin = lastOf(spans.map(({ from }) => from));
  const end = spans.map(({ through }) => through).toSorted()[0] ?? releasedAt;
  const isTogether = begin === null || (end !== null && begin <= end);
  if (isTogether && (releasedAt === null || (end !== null && releasedAt <= end))) {
    return `--clock ${end} serves it as it was`;
  }
  const sets = isTogether
    ? [`--clock ${end} serves the latest sets as they were`]
    : recorded.flatMap(({ factor, span }) =>
      span === null ? [] : [`--clock ${span.through} serves the latest ${factor} set as it was`]
    );
  const releases = releasedAt === null ? [] : [`--clock ${releasedAt} serves the releases`];
  return [...sets, ...releases].join(", ");
}

function lastOf(instants: readonly Instant[]): Instant | null {
  return instants.toSorted().at(-1) ?? null;
}
