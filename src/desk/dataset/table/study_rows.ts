import pl, { type DataFrame } from "nodejs-polars";
import type { ScoreRows } from "../../../base/contract/scores/score_rows.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { IntegrityError, ScoreframeError } from "../../../base/errors.ts";
import { sourceOf } from "../../../frames/frame/provenance/origin.ts";
import { Store } from "../../../base/store/store.ts";
import type { LockedSet, LockedView, StudyLock } from "../../../study/lock/lock.ts";
import type { Study } from "../../../study/study.ts";
import { hashSetNumbers } from "../../../study/numbers/hash_numbers.ts";
import { lay } from "./lay.ts";
import { checkTable, setTables } from "./set_tables.ts";
import { besideOthers, type TableRows, toTableRows } from "./table_rows.ts";
import { type HeldOut, markHeldOut } from "../../../frames/frame/provenance/held_out.ts";
import { lastBefore } from "../../../study/hold_out/time_limit.ts";

/**
 * The rows of a study: its releases, its sets year by year, and its views. Each is read on demand and compared with the
 * lock.
 *
 * @throws {ScoreframeError} If the study is empty
 */
export async function* studyRows(
  study: Study,
  options: { readonly sideBySide: boolean },
): AsyncGenerator<TableRows> {
  for await (const source of rowsOf(study, options)) {
    yield { ...source, rows: markHeldOut(source.rows, study.heldOut) };
  }
}

async function* rowsOf(
  study: Study,
  { sideBySide }: { readonly sideBySide: boolean },
): AsyncGenerator<TableRows> {
  const lock = study.lock && withoutHeldOut(study.lock, study.heldOut);
  if (lock === null) {
    throw new ScoreframeError(
      `Cannot export the study ${study.folder}: expected loaded data, got none yet; load scores or a release first`,
    );
  }
  for (const { factor, downloadSha256, isDefault } of lock.releases) {
    // A study analyses one release per factor, and readers would mix a second one with it.
    if (!sideBySide && !isDefault) continue;
    const release = await study.history(factor, { downloadSha256, progress: false });
    yield* sideBySide ? besideOthers(toTableRows(release)) : toTableRows(release);
  }
  const store = lock.sets.length === 0 ? null : await Store.open(study.store);
  for (const sets of setsByYear(lock)) {
    const frames = [];
    for (const set of sets) frames.push(toSetRows(set, await readSet(store!, set), lock));
    const { factor } = sets[0]!;
    for (const laid of setTables(pl.concat(frames))) yield { ...laid, factor };
  }
  for (const factor of new Set(lock.views.map((view) => view.factor))) {
    const views = lock.views.filter((view) => view.factor === factor);
    const rows = toViewRows(views).withColumns(pl.lit(factor).alias("factor"));
    yield { table: "views", factor, rows: lay(rows, "views") };
    if (views.some(({ check }) => check !== null)) yield { ...checkTable(rows), factor };
  }
}

// Releases are cut by the verb that loads them.
function withoutHeldOut(lock: StudyLock, heldOut: HeldOut | null): StudyLock {
  if (heldOut === null || heldOut.isOpen) return lock;
  const last = lastBefore(heldOut.from);
  return {
    ...lock,
    sets: lock.sets.filter(({ calculatedAt }) => calculatedAt <= last),
    views: lock.views.filter(({ at }) => at <= last),
  };
}

function setsByYear({ sets }: StudyLock): readonly (readonly LockedSet[])[] {
  const keyOf = ({ factor, calculatedAt }: LockedSet) => `${factor} ${yearOf(calculatedAt)}`;
  const keys = [...new Set(sets.map(keyOf))].toSorted();
  return keys.map((key) => sets.filter((set) => keyOf(set) === key));
}

// The year in New York, like that of the rows.
function yearOf(instant: string): number {
  return new Date(Date.parse(instant) - 5 * 3_600_000).getUTCFullYear();
}

/** Reads the rows of a set and compares them with the lock; a frozen study would give a set only with a known check. */
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
    pl.lit(set.factor).alias("factor"),
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
      views.map(read).map((text) => text ? new Date(text) : null),
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
