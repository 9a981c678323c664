import { resolve } from "node:path";
import process from "node:process";
import { wrongKind } from "../base/arguments/list_text.ts";
import { type Instant, instantOf } from "../base/contract/instant.ts";
import { ScoreframeError } from "../base/errors.ts";
import { toInstant } from "../client/verb/instant_input.ts";
import { findStudyFolder, readLockFile } from "./lock/lock_file.ts";
import { Study } from "./study.ts";
import { modeOf, type StudyOptions } from "./study_options.ts";
import { StudyPlace } from "./study_place.ts";
import { commandLine } from "../base/runtime/command_line.ts";
import type { RunRegistered } from "./register/open_hold_out.ts";
import { refuseAddress } from "../base/arguments/refuse_address.ts";

/**
 * Opens a study at the service, with options that `openStudy()` has checked.
 *
 * @throws {ScoreframeError} If there is no study, or its time differs from `asOf`
 * @throws {IntegrityError} If `study.lock.json` is not a lock
 * @throws {TypeError} If an option or SCOREFRAME_STUDY_MODE has an unknown value
 */
export async function openStudyFolder(
  folder?: string,
  options: StudyOptions = {},
  run: RunRegistered = withoutAnalysis,
): Promise<Study> {
  if (folder !== undefined && (typeof folder !== "string" || folder === "")) {
    throw wrongKind("open a study", folder, {
      expected: "the path of its folder, and then options",
      advice: 'such as openStudy("./momentum", { asOf: "2026-11-19T21:00:00Z" })',
    });
  }
  refuseAddress("open a study", folder);
  const { asOf: given, mode: _, ...connecting } = options;
  const environment = options.environment ?? process.env;
  const mode = modeOf(options, environment);
  const asOf = given === undefined ? null : toInstant(given, "asOf");
  const found = folder === undefined ? await findStudyFolder(process.cwd()) : resolve(folder);
  if (found === null) {
    throw new ScoreframeError(
      `Cannot open a study: expected study.lock.json in ${process.cwd()} or a folder above it, got none; ` +
        'to start a study, give its folder, such as openStudy("./momentum")',
    );
  }
  const lock = (await readLockFile(found))?.lock ?? null;
  const place = { folder: found, mode, lock, asOf, options: connecting };
  assertTime(place, instantOf((options.now ?? Date.now)()));
  return new Study(new StudyPlace(place), run);
}

function withoutAnalysis(): Promise<never> {
  throw new TypeError(
    "Cannot run a registered test: expected an analysis, got none; open the study with openStudy()",
  );
}

function assertTime(
  { folder, mode, lock, asOf }: ConstructorParameters<typeof StudyPlace>[0],
  nowAt: Instant,
): void {
  if (asOf === null) return;
  if (lock === null && asOf > nowAt) {
    throw new ScoreframeError(
      `Cannot open the study ${folder}: expected asOf in the past, got ${asOf} at ${nowAt}; use an ` +
        "earlier one, or omit asOf",
    );
  }
  if (lock === null || mode === "update" || lock.asOf === asOf) return;
  throw new ScoreframeError(
    `Cannot open the study ${folder}: expected its time ${lock.asOf}, got asOf ${asOf}; omit asOf, or move ` +
      `the study with: ${commandLine()} study update --as-of ${asOf}`,
  );
}
