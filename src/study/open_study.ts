import { resolve } from "node:path";
import process from "node:process";
import { instantOf } from "../contract/instant.ts";
import { ScoreframeError } from "../errors.ts";
import { toInstant } from "../client/verb/instant_input.ts";
import type { StudyLock } from "./lock/lock.ts";
import { findStudyFolder, readLockFile } from "./lock/lock_file.ts";
import { Study } from "./study.ts";
import { checkStudyOptions, modeOf, type StudyMode, type StudyOptions } from "./study_options.ts";
import { StudyPlace } from "./study_place.ts";
import { commandLine } from "../runtime/command_line.ts";

/**
 * Opens a study: a folder with a lock and a store, whose verbs give the same numbers at any time and on any machine.
 *
 * Nothing is sent and nothing is written yet. The first load of a new study pins its time; what a load brings is kept in
 * `store/`, and what it came to as a line of `study.lock.json`. From then on the same call is answered from the store.
 *
 * @param folder Folder of the study, which may be new; without it the nearest one with a lock, from the working directory
 *   upwards
 * @param options Time, mode, and the options of `connect()`, which are only needed where something is loaded
 * @returns The verbs of a connection, at the study's time
 * @throws {ScoreframeError} If there is no study, or it has another time than `asOf`
 * @throws {IntegrityError} If `study.lock.json` is no lock
 * @throws {TypeError} If an option or SCOREFRAME_STUDY_MODE has a value that it cannot take
 * @example
 * ```ts
 * import { openStudy } from "scoreframe";
 * import { createScoreServer } from "scoreframe/server";
 * import { buildWorld } from "scoreframe/world";
 * import assert from "node:assert/strict";
 *
 * const { store } = await buildWorld(await Deno.makeTempDir()); // stands for the service
 * const server = createScoreServer({
 *   store,
 *   accounts: [{ id: "me", factors: ["ecpnd"], keys: [{ key: "svc_test_example" }] }],
 *   clock: { at: "2026-11-20T15:00:00Z" },
 * });
 * const folder = await Deno.makeTempDir(); // say, "./momentum"
 * const study = await openStudy(folder, {
 *   mode: "auto",
 *   apiKey: "svc_test_example",
 *   fetch: server.fetch,
 * });
 * const scores = await study.scores("ecpnd");
 * await study.close();
 *
 * const later = await openStudy(folder, { mode: "frozen" }); // neither key nor network
 * const again = await later.scores("ecpnd");
 * assert.ok(again.select("ticker", "ecpnd_score").frameEqual(scores.select("ticker", "ecpnd_score")));
 * ```
 */
export async function openStudy(folder?: string, options: StudyOptions = {}): Promise<Study> {
  checkStudyOptions(options);
  const { asOf: given, mode: _, ...connecting } = options;
  const environment = options.environment ?? process.env;
  const mode = modeOf(options, environment);
  const asOf = given === undefined ? null : toInstant(given, "asOf");
  const found = folder === undefined ? await findStudyFolder(process.cwd()) : resolve(folder);
  if (found === null) {
    throw new ScoreframeError(
      `Cannot open a study: expected study.lock.json in ${process.cwd()} or a folder above it, got none; ` +
        'name the folder of a new one, such as openStudy("./momentum")',
    );
  }
  const lock = (await readLockFile(found))?.lock ?? null;
  assertTime(asOf, { lock, mode, now: options.now ?? Date.now, folder: found });
  return new Study(new StudyPlace({ folder: found, mode, lock, asOf, options: connecting }));
}

function assertTime(
  asOf: string | null,
  { lock, mode, now, folder }: {
    readonly lock: StudyLock | null;
    readonly mode: StudyMode;
    readonly now: () => number;
    readonly folder: string;
  },
): void {
  if (asOf === null) return;
  const nowAt = instantOf(now());
  if (lock === null && asOf > nowAt) {
    throw new ScoreframeError(
      `Cannot open the study ${folder}: expected a time asOf that is past, got ${asOf} where it is ${nowAt}; give an ` +
        "earlier one, or leave asOf out",
    );
  }
  if (lock === null || mode === "update" || lock.asOf === asOf) return;
  throw new ScoreframeError(
    `Cannot open the study ${folder}: expected its time ${lock.asOf}, got asOf ${asOf}; leave asOf out, or move ` +
      `the study with: ${commandLine()} study update --as-of ${asOf}`,
  );
}
