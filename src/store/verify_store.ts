import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Check, encodeCheck } from "../contract/scores/check.ts";
import { type Factor, FACTORS } from "../contract/factor.ts";
import { countScored } from "../contract/scores/score_rows.ts";
import { TEMPORARY_PREFIX } from "./disk/files.ts";
import { parseStoredCheck } from "./scores/check_file.ts";
import { checkName, LAYOUT } from "./layout.ts";
import type { StoredRelease } from "./release/release_file.ts";
import { listReleaseFolders, readRelease } from "./release/release_folder.ts";
import { encodeStoredSet, type StoredSet } from "./scores/set_file.ts";
import { SetReader } from "./scores/set_reader.ts";
import type { Store } from "./store.ts";

/** One thing that is wrong in a store. */
export interface StoreProblem {
  /** File, relative to the store's folder. */
  readonly path: string;
  /** What is expected and what was found. */
  readonly problem: string;
}

/** What a verification read, and what it found wrong. */
export interface StoreReport {
  /** Number of score sets read. */
  readonly sets: number;
  /** Number of checks read. */
  readonly checks: number;
  /** Number of views read. */
  readonly views: number;
  /** Number of releases read and hashed. */
  readonly releases: number;
  /** Files that an interrupted writer left behind; harmless. */
  readonly leftovers: readonly string[];
  /** Everything that is wrong; empty for a sound store. */
  readonly problems: readonly StoreProblem[];
}

/** What else is done with what a verification reads. */
export interface VerifyStoreOptions {
  /** Told of each sound set, so that nobody has to read it again. */
  readonly onSet?: (set: StoredSet) => void;
}

/**
 * Reads a store from end to end: names against contents, hashes, counts, references and order.
 *
 * Never throws for what it finds: a damaged file is a problem in the report.
 */
export async function verifyStore(
  store: Store,
  options: VerifyStoreOptions = {},
): Promise<StoreReport> {
  const found: Findings = {
    store,
    onSet: options.onSet ?? (() => {}),
    problems: [],
    counts: { sets: 0, checks: 0, views: 0, releases: 0 },
  };
  for (const factor of FACTORS) {
    const checks = await verifyChecks(found, factor);
    const sets = await verifySets(found, factor, checks);
    for (const { path, check } of checks) {
      verifyReference(found, { path, check, set: sets.get(check.snapshotId) });
    }
    verifyOrder(found, factor, checks);
    await verifyViews(found, factor);
    await verifyReleases(found, factor);
  }
  const names = await readdir(store.path, { recursive: true });
  const leftovers = names.filter((name) => basename(name).startsWith(TEMPORARY_PREFIX));
  return { ...found.counts, leftovers, problems: found.problems };
}

// Often enough for a display of the progress, and for the stop button.
const SETS_PER_TURN = 16;

interface Findings {
  readonly store: Store;
  readonly onSet: (set: StoredSet) => void;
  readonly problems: StoreProblem[];
  readonly counts: { sets: number; checks: number; views: number; releases: number };
}

/** What the checks of a set have to agree with. */
type SetSummary = Omit<StoredSet, "rows"> & { readonly tickers: number; readonly scored: number };

/** The sets by their ids; `null` for a damaged one, with which no check can be compared. */
type SetSummaries = ReadonlyMap<string, SetSummary | null>;

/** A sound check and its file. */
interface ReadCheck {
  readonly path: string;
  readonly check: Check;
}

async function verifySets(
  found: Findings,
  factor: Factor,
  checks: readonly ReadCheck[],
): Promise<SetSummaries> {
  const summaries = new Map<string, SetSummary | null>();
  // In the order of time sets have the tickers of the one before, which takes half the time.
  const order = new Map(checks.map(({ check }, i) => [check.snapshotId, i]));
  const ids = await listed(found, LAYOUT.sets(factor), found.store.listSets(factor));
  const reader = new SetReader();
  for (const id of ids.toSorted((a, b) => (order.get(a) ?? -1) - (order.get(b) ?? -1))) {
    found.counts.sets++;
    summaries.set(id, null);
    if (found.counts.sets % SETS_PER_TURN === 0) await setImmediate();
    const files = await found.store.setFiles(factor, id);
    // An archive stands for a set without a file.
    for (const path of files.length === 0 ? [LAYOUT.set(factor, id)] : files) {
      const set = await verifySet(found, path, { factor, id, reader });
      if (set === null) continue;
      const { rows, ...rest } = set;
      summaries.set(id, {
        ...rest,
        tickers: rows.tickers.length,
        scored: countScored(rows.scores),
      });
    }
  }
  return summaries;
}

async function verifySet(
  found: Findings,
  path: string,
  { factor, id, reader }: {
    readonly factor: Factor;
    readonly id: string;
    readonly reader: SetReader;
  },
): Promise<StoredSet | null> {
  const set = await attempt(found, path, (content) => {
    const parsed = reader.read(content);
    if (encodeStoredSet(parsed) !== new TextDecoder().decode(content)) {
      report(found, path, "the text is not in its canonical form");
    }
    return parsed;
  });
  if (set === null) return null;
  if (set.snapshotId !== id) {
    report(found, path, `expected ${id} as in the name, got ${set.snapshotId}`);
  }
  if (set.factor !== factor) {
    report(found, path, `expected ${factor} as in the folder, got ${set.factor}`);
  }
  found.onSet(set);
  return set;
}

async function verifyChecks(found: Findings, factor: Factor): Promise<readonly ReadCheck[]> {
  const checks: ReadCheck[] = [];
  const entries = found.store.listChecks(factor);
  for (const { name } of await listed(found, LAYOUT.checks(factor), entries)) {
    const path = LAYOUT.check(factor, name);
    found.counts.checks++;
    const stored = await attempt(
      found,
      path,
      (content) => parseStoredCheck(new TextDecoder().decode(content)),
    );
    if (stored === null) continue;
    const required = checkName(
      stored.check.lastCheckedAt,
      JSON.stringify(encodeCheck(stored.check)),
    );
    if (required !== name) report(found, path, `expected the name ${required} for the content`);
    checks.push({ path, check: stored.check });
  }
  return checks;
}

function verifyReference(
  found: Findings,
  reference: ReadCheck & { readonly set: SetSummary | null | undefined },
): void {
  const { path, check, set } = reference;
  if (set === undefined) {
    // A recording may know a check only through the row of one ticker.
    if (found.store.info.complete !== null) {
      report(found, path, `the set ${check.snapshotId} is missing`);
    }
    return;
  }
  if (set === null) return;
  const expected = [
    ["calculated_at", set.calculatedAt, check.calculatedAt],
    ["factor_version", set.factorVersion, check.factorVersion],
    ["coverage.tickers", set.tickers, check.coverage.tickers],
    ["coverage.scored_tickers", set.scored, check.coverage.scoredTickers ?? set.scored],
  ] as const;
  for (const [field, required, received] of expected) {
    if (required !== received) {
      report(found, path, `expected ${field} ${required} as in its set, got ${received}`);
    }
  }
}

function verifyOrder(found: Findings, factor: Factor, checks: readonly ReadCheck[]): void {
  for (const [i, { check }] of checks.entries()) {
    const previous = checks[i - 1]?.check;
    if (previous === undefined || check.calculatedAt >= previous.calculatedAt) continue;
    const path = join(LAYOUT.checks(factor), `(check of ${check.lastCheckedAt})`);
    report(
      found,
      path,
      `expected calculated_at not before ${previous.calculatedAt} of the previous check, got ${check.calculatedAt}`,
    );
  }
}

async function verifyViews(found: Findings, factor: Factor): Promise<void> {
  // In this order: another process may record meanwhile, and puts a view behind its check.
  const views = await found.store.listViews(factor);
  const times = await found.store.listChecks(factor).catch(() => []);
  for (const at of views) {
    found.counts.views++;
    const path = LAYOUT.view(factor, at);
    const view = await found.store.readView(factor, at).catch((error: Error) => {
      report(found, path, error.message);
      return null;
    });
    if (view === null) continue;
    const given = times.find((entry) => entry.name === view.check);
    if (given === undefined) {
      report(found, path, `the check ${view.check} is missing`);
      continue;
    }
    const between = times.find((e) =>
      e.lastCheckedAt > given.lastCheckedAt && e.lastCheckedAt <= at
    );
    if (given.lastCheckedAt > at || between !== undefined) {
      const latest = between?.name ?? `a check not after ${at}`;
      report(
        found,
        path,
        `expected the latest check by then, ${latest}, got ${view.check}`,
      );
    }
  }
}

async function verifyReleases(found: Findings, factor: Factor): Promise<void> {
  const folder = LAYOUT.releases(factor);
  for (const digest of await listReleaseFolders(join(found.store.path, folder))) {
    const place = join(folder, digest);
    const stored = await readRelease(join(found.store.path, place), factor)
      .catch((error: Error) => error);
    // A folder without metadata is what an interrupted writer left behind, and no release yet.
    if (stored === null) continue;
    found.counts.releases++;
    if (stored instanceof Error) report(found, place, stored.message);
    else await verifyRelease(found, place, stored);
  }
}

async function verifyRelease(found: Findings, place: string, stored: StoredRelease): Promise<void> {
  const { path, sizeBytes, release: { downloadSha256 } } = stored;
  const relative = join(place, basename(path));
  if (basename(place) !== downloadSha256) {
    report(found, relative, `expected the folder ${downloadSha256}, got ${basename(place)}`);
  }
  const file = await hashFile(path).catch((error: Error) => error);
  if (file instanceof Error) return report(found, relative, file.message);
  if (file.sha256 !== downloadSha256) {
    report(found, relative, `expected SHA-256 ${downloadSha256}, got ${file.sha256}`);
  }
  if (file.sizeBytes !== sizeBytes) {
    report(found, relative, `expected ${sizeBytes} bytes, got ${file.sizeBytes}`);
  }
}

async function hashFile(path: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Uint8Array);
    sizeBytes += (chunk as Uint8Array).length;
  }
  return { sha256: hash.digest("hex"), sizeBytes };
}

// A damaged archive hides the names of its files.
async function listed<Entry>(
  found: Findings,
  folder: string,
  entries: Promise<readonly Entry[]>,
): Promise<readonly Entry[]> {
  return await entries.catch((error: Error) => {
    report(found, folder, error.message);
    return [];
  });
}

async function attempt<T>(
  found: Findings,
  path: string,
  parse: (content: Uint8Array) => T,
): Promise<T | null> {
  try {
    const content = await found.store.readContent(path);
    if (content !== null) return parse(content);
    report(found, path, "it was removed while the store was read");
    return null;
  } catch (error) {
    report(found, path, error instanceof Error ? error.message : String(error));
    return null;
  }
}

function report(found: Findings, path: string, problem: string): void {
  found.problems.push({ path, problem });
}
