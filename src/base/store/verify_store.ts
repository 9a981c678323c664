import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Check } from "../contract/scores/check.ts";
import { type Factor, FACTORS } from "../contract/factor.ts";
import { countScored } from "../contract/scores/score_rows.ts";
import { TEMPORARY_PREFIX } from "../disk/files.ts";
import { hashFile } from "../disk/hash_file.ts";
import { parseStoredCheck, storedCheckName } from "./scores/check_file.ts";
import { LAYOUT } from "./layout.ts";
import type { StoredRelease } from "./release/release_file.ts";
import { listReleaseFolders, readRelease } from "./release/release_folder.ts";
import { encodeStoredSet, type StoredSet } from "./scores/set_file.ts";
import { SetReader } from "./scores/set_reader.ts";
import { Store } from "./store.ts";
import type { StoreReader } from "./store_reader.ts";

/** A problem in a store. */
export interface StoreProblem {
  /** File, relative to the store's folder. */
  readonly path: string;
  /** The expected and the found state. */
  readonly problem: string;
}

/** Result of a verification. */
export interface StoreReport {
  /** Number of score sets read. */
  readonly sets: number;
  /** Number of checks read. */
  readonly checks: number;
  /** Number of views read. */
  readonly views: number;
  /** Number of releases read and hashed. */
  readonly releases: number;
  /** Harmless files of an interrupted writer. */
  readonly leftovers: readonly string[];
  /** Problems; empty for a sound store. */
  readonly problems: readonly StoreProblem[];
}

/** Options of a verification. */
export interface VerifyStoreOptions {
  /** Called with each sound set, which saves reading it again. */
  readonly onSet?: (set: StoredSet) => void;
}

/**
 * Verifies a store from end to end: names, hashes, counts, references and order.
 *
 * Reports damaged files as problems and does not throw for them.
 */
export async function verifyStore(
  store: StoreReader,
  options: VerifyStoreOptions = {},
): Promise<StoreReport> {
  const found: Findings = {
    store: Store.of(store),
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

// Often enough for a progress display and for the stop button.
const SETS_PER_TURN = 16;

interface Findings extends Required<VerifyStoreOptions> {
  readonly store: Store;
  readonly problems: StoreProblem[];
  readonly counts: { sets: number; checks: number; views: number; releases: number };
}

/** Fields of a set that its checks have to agree with. */
type SetSummary = Omit<StoredSet, "rows"> & { readonly tickers: number; readonly scored: number };

/** Sets by id; `null` for a damaged one, with which no check can be compared. */
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
  // In order of time, sets mostly have the tickers of the previous one, which halves the time.
  const order = new Map(checks.map(({ check }, i) => [check.snapshotId, i]));
  const ids = await listed(found, LAYOUT.sets(factor), found.store.listSets(factor));
  const reader = new SetReader();
  for (const id of ids.toSorted((a, b) => (order.get(a) ?? -1) - (order.get(b) ?? -1))) {
    found.counts.sets++;
    summaries.set(id, null);
    if (found.counts.sets % SETS_PER_TURN === 0) await setImmediate();
    const files = await found.store.setFiles(factor, id);
    let first: string | null = null;
    // A set without a file is in an archive.
    for (const path of files.length === 0 ? [LAYOUT.set(factor, id)] : files) {
      const set = await verifySet(found, path, { factor, id, reader });
      if (set === null) continue;
      const text = files.length > 1 ? encodeStoredSet(set) : null;
      if (first !== null && first !== text) {
        const says = "expected the same set as in the other file of its id, got another one";
        report(found, path, says);
      }
      first = text;
      const { rows, ...rest } = set;
      summaries.set(id, { ...rest, tickers: rows.tickers.length, scored: countScored(rows) });
    }
  }
  return summaries;
}

async function verifySet(
  found: Findings,
  path: string,
  { factor, id, reader }: { factor: Factor; id: string; reader: SetReader },
): Promise<StoredSet | null> {
  const set = await attempt(found, path, (content) => {
    const parsed = reader.read(content);
    if (encodeStoredSet(parsed) !== new TextDecoder().decode(content)) {
      report(found, path, "the text is not in its canonical form");
    }
    return parsed;
  });
  if (set === null) return null;
  compare(found, path, `${id} as in the name`, [id, set.snapshotId]);
  compare(found, path, `${factor} as in the folder`, [factor, set.factor]);
  found.onSet(set);
  return set;
}

async function verifyChecks(found: Findings, factor: Factor): Promise<readonly ReadCheck[]> {
  const checks: ReadCheck[] = [];
  const entries = found.store.listChecks(factor);
  for (const { name } of await listed(found, LAYOUT.checks(factor), entries)) {
    const path = LAYOUT.check(factor, name);
    found.counts.checks++;
    const parse = (content: Uint8Array) =>
      parseStoredCheck(new TextDecoder().decode(content), found.store.isSealed);
    const stored = await attempt(found, path, parse);
    if (stored === null) continue;
    const required = storedCheckName(stored.check);
    compare(found, path, `the name ${required} for the content`, [required, name]);
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
    // A recording may have a check only from a load of one ticker.
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
    compare(found, path, `${field} ${required} as in its set`, [required, received]);
  }
}

function verifyOrder(found: Findings, factor: Factor, checks: readonly ReadCheck[]): void {
  for (const [i, { check }] of checks.entries()) {
    const previous = checks[i - 1]?.check;
    if (previous === undefined || check.calculatedAt >= previous.calculatedAt) continue;
    const path = join(LAYOUT.checks(factor), `(check of ${check.lastCheckedAt})`);
    const { calculatedAt } = previous;
    const required = `calculated_at not before ${calculatedAt} of the previous check`;
    report(found, path, `expected ${required}, got ${check.calculatedAt}`);
  }
}

async function verifyViews(found: Findings, factor: Factor): Promise<void> {
  // Views first: another process may be recording, and writes a view after its check.
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
    const between = times.find(({ lastCheckedAt: time }) =>
      time > given.lastCheckedAt && time <= at
    );
    if (given.lastCheckedAt > at || between !== undefined) {
      const latest = between?.name ?? `a check not after ${at}`;
      report(found, path, `expected the latest check by then, ${latest}, got ${view.check}`);
    }
  }
}

async function verifyReleases(found: Findings, factor: Factor): Promise<void> {
  const folder = LAYOUT.releases(factor);
  for (const digest of await listReleaseFolders(join(found.store.path, folder))) {
    const place = join(folder, digest);
    const stored = await readRelease(join(found.store.path, place), factor, found.store.isSealed)
      .catch((error: Error) => error);
    // A folder without metadata is left over from an interrupted writer, and no release yet.
    if (stored === null) continue;
    found.counts.releases++;
    if (stored instanceof Error) report(found, place, stored.message);
    else await verifyRelease(found, place, stored);
  }
}

async function verifyRelease(found: Findings, place: string, stored: StoredRelease): Promise<void> {
  const { path, sizeBytes, release: { downloadSha256 } } = stored;
  const relative = join(place, basename(path));
  compare(found, relative, `the folder ${downloadSha256}`, [downloadSha256, basename(place)]);
  const file = await hashFile(path).catch((error: Error) => error);
  if (file instanceof Error) return report(found, relative, file.message);
  compare(found, relative, `SHA-256 ${downloadSha256}`, [downloadSha256, file.sha256]);
  compare(found, relative, `${sizeBytes} bytes`, [sizeBytes, file.sizeBytes]);
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

function compare(
  found: Findings,
  path: string,
  expected: string,
  [required, received]: readonly [required: unknown, received: unknown],
): void {
  if (required !== received) report(found, path, `expected ${expected}, got ${received}`);
}

function report(found: Findings, path: string, problem: string): void {
  found.problems.push({ path, problem });
}
