import pl, { type DataFrame } from "nodejs-polars";
import type { ScoreRows } from "../contract/scores/score_rows.ts";
import { commandLine } from "../runtime/command_line.ts";
import { IntegrityError, ScoreframeError } from "../errors.ts";
import { sourceOf } from "../frame/provenance/origin.ts";
import { Store } from "../store/store.ts";
import type { LockedSet, LockedView, StudyLock } from "../study/lock/lock.ts";
import type { Study } from "../study/study.ts";
import { hashSetNumbers } from "../study/numbers/hash_numbers.ts";
import { lay, type TableRows, toTableRows } from "./table_rows.ts";

/**
 * The rows of all that a study stands on: its releases, its sets year by year, and its views. Each is read when it is
 * asked for, and compared with the lock.
 *
 * @throws {ScoreframeError} If the study stands on nothing yet
 */
export async function* studyRows(study: Study): AsyncGenerator<TableRows> {
  const { lock } = study;
  if (lock === null) {
    throw new ScoreframeError(
      `Cannot export the study ${study.folder}: expected something that was loaded, got nothing yet`,
    );
  }
  for (const { factor, downloadSha256 } of releasesOf(lock)) {
    const release = await study.history(factor, { downloadSha256, progress: false });
    yield* toTableRows(release);
  }
  const store = lock.sets.length === 0 ? null : await Store.open(study.store);
  for (const sets of setsByYear(lock)) {
    const frames = [];
    for (const set of sets) frames.push(toSetRows(set, await readSet(store!, set), lock));
    yield { table: "sets", factor: sets[0]!.factor, rows: lay(pl.concat(frames), "sets") };
  }
  for (const factor of new Set(lock.views.map((view) => view.factor))) {
    const views = lock.views.filter((view) => view.factor === factor);
    yield { table: "views", factor, rows: lay(toViewRows(views), "views") };
  }
}

// One release of a factor is what the study analyses; another one that it has seen would be taken for the same.
function releasesOf({ releases }: StudyLock) {
  return releases.filter((release) => release.isDefault);
}

function setsByYear({ sets }: StudyLock): readonly (readonly LockedSet[])[] {
  const keyOf = ({ factor, calculatedAt }: LockedSet) => `${factor} ${yearOf(calculatedAt)}`;
  const keys = [...new Set(sets.map(keyOf))].toSorted();
  return keys.map((key) => sets.filter((set) => keyOf(set) === key));
}

// The year in New York, as that of the rows.
function yearOf(instant: string): number {
  return new Date(Date.parse(instant) - 5 * 3_600_000).getUTCFullYear();
}

/** The rows of a set, which are compared with the lock: a frozen study gives a set only with a check that it knows. */
async function readSet(store: Store, { factor, snapshotId, numbers }: LockedSet) {
  const stored = await store.readSet(factor, snapshotId);
  if (stored !== null && hashSetNumbers(factor, stored.rows) === numbers) return stored.rows;
  throw new IntegrityError(
    `Cannot export the ${factor} set ${snapshotId}: expected the numbers of the study's lock in its ` +
      `store, got ${stored === null ? "no such set" : "others"}; ` +
      `${commandLine()} study restore loads it again`,
  );
}

function toSetRows(set: LockedSet, { tickers, scores }: ScoreRows, lock: StudyLock): DataFrame {
  const source = sourceOf("store", lock.synthetic === true);
  return pl.DataFrame([
    pl.Series("ticker", [...tickers], pl.Utf8),
    pl.Series("score", [...scores], pl.Float64),
  ]).withColumns(
    pl.lit(set.snapshotId).alias("snapshot_id"),
    pl.lit(new Date(set.calculatedAt)).cast(pl.Datetime("ms", "UTC")).alias("calculated_at"),
    pl.lit(set.factorVersion).alias("factor_version"),
    pl.lit(set.universe).alias("universe"),
    pl.lit(source).alias("source"),
  );
}

function toViewRows(views: readonly LockedView[]): DataFrame {
  const instants = (name: string, read: (view: LockedView) => string | null | undefined) =>
    pl.Series(
      name,
      views.map((view) => {
        const text = read(view);
        return text === null || text === undefined ? null : new Date(text);
      }),
      pl.Datetime("ms", "UTC"),
    );
  return pl.DataFrame([
    instants("at", ({ at }) => at),
    pl.Series("snapshot_id", views.map(({ snapshotId }) => snapshotId), pl.Utf8),
    instants("last_checked_at", ({ check }) => check?.lastCheckedAt),
    instants("data_through", ({ check }) => check?.dataThrough),
    pl.Series("status", views.map(({ check }) => check?.status ?? null), pl.Utf8),
  ]);
}
