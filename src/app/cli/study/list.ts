import { visibleLine } from "../../../base/wording/visible_text.ts";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { LAYOUT } from "../../../base/store/layout.ts";
import { sizeOf } from "../../../study/change/collect_garbage.ts";
import { LOCK_FILE, type StudyLock } from "../../../study/lock/lock.ts";
import { registeredLine } from "../../../study/hold_out/registered_text.ts";
import { plansOf } from "../../../study/hold_out/time_limit.ts";
import { findMissingFiles } from "../../../study/find_missing_files.ts";
import { tableLines } from "../../../client/verb/table.ts";
import { countText, sizeText } from "../../../base/wording/number_text.ts";
import { JSON_OUTPUT, readStudy, type StudyCommand, studyCommand } from "./study_command.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

const DAY_MS = 86_400_000;

/** `study list`: lists the contents of a study. */
export const LIST: StudyCommand = studyCommand({
  does: "list the sets, releases, sizes and age of a study",
  usage: ["study list [STUDY] [--json]"],
  about:
    `Lists the contents of a study: its time and service, each set with its publication, rows and size, each
release, and the files that its store lacks. Reads no numbers and sends nothing.`,
  options: { json: JSON_OUTPUT },
  example: `  ${commandLine()} study list momentum`,
  words: [0, 1],
  run: async ({ values, words: [given], terminal }) => {
    const { folder, lock } = await readStudy(given);
    const listing = await listStudy(folder, lock);
    terminal.out(values.json === true ? JSON.stringify(listing, null, 1) : listingText(listing));
    return listing.missing.length === 0 ? 0 : 1;
  },
});

type Listing = Awaited<ReturnType<typeof listStudy>>;

async function listStudy(folder: string, lock: StudyLock) {
  const store = join(folder, "store");
  const bytesOf = async (paths: readonly string[]) =>
    (await Promise.all(paths.map((path) => sizeOf(join(store, path))))).reduce((a, b) => a + b);
  const sets = await Promise.all(lock.sets.map(async (set) => ({
    factor: set.factor,
    snapshot_id: set.snapshotId,
    calculated_at: set.calculatedAt,
    tickers: set.tickers,
    scored: set.scored,
    views: lock.views.filter(({ snapshotId }) => snapshotId === set.snapshotId).length,
    size_bytes: await bytesOf(LAYOUT.eitherSet(set.factor, set.snapshotId)),
  })));
  const releases = await Promise.all(lock.releases.map(async (release) => ({
    factor: release.factor,
    download_sha256: release.downloadSha256,
    default: release.isDefault,
    rows: release.rows,
    last_session: release.lastSession,
    size_bytes: await bytesOf([LAYOUT.release(release.factor, release.downloadSha256)]),
  })));
  const { mtimeMs } = await stat(join(folder, LOCK_FILE));
  return {
    as_of: lock.asOf,
    service: lock.service,
    world: lock.world,
    synthetic: lock.synthetic,
    lock_age_days: Math.max(0, Math.floor((Date.now() - mtimeMs) / DAY_MS)),
    store_bytes: await sizeOf(store),
    sets,
    releases,
    inputs: lock.inputs.map(({ sizeBytes, ...input }) => ({ ...input, size_bytes: sizeBytes })),
    registered: plansOf(lock).map((plan) => registeredLine(lock, plan)),
    missing: await findMissingFiles(lock, store),
  };
}

function listingText(listing: Listing): string {
  const { as_of, service, synthetic, lock_age_days: age, store_bytes, missing } = listing;
  const days = countText(age, "day");
  const sets = tableLines({
    title: `Study of ${as_of}, ${service}${synthetic === true ? ", synthetic" : ""}`,
    header: ["sets", "published", "rows", "scored", "views", "size"],
    rows: listing.sets.map((set) => [
      `${set.factor} ${set.snapshot_id}`,
      set.calculated_at,
      `${set.tickers}`,
      `${set.scored}`,
      `${set.views}`,
      sizeText(set.size_bytes),
    ]),
    notes: [],
  });
  const releases = listing.releases.map((release) =>
    `  ${release.factor} release ${release.download_sha256.slice(0, 12)}… through ` +
    `${release.last_session}, ${release.rows} rows, ${sizeText(release.size_bytes)}`
  );
  const inputs = listing.inputs.map((input) =>
    `  input ${input.path} ${input.sha256.slice(0, 12)}…, ${sizeText(input.size_bytes)}`
  );
  const lacks = missing.map((path) => `missing: ${path}`);
  const end = `store: ${sizeText(store_bytes)}; lock written ${days} ago`;
  const tests = listing.registered.map((line) => `  ${line}`);
  const lines = [...releases, ...inputs, ...tests, ...lacks].map(visibleLine);
  return [sets, ...lines, end].join("\n");
}
