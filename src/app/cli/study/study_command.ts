import { resolve } from "node:path";
import process from "node:process";
import { ScoreframeError } from "../../../base/errors.ts";
import type { ProgressOptions } from "../../../frames/notebook/kernel/progress.ts";
import { findStudyFolder, readLockFile } from "../../../study/lock/lock_file.ts";
import type { StudyOptions } from "../../../study/study_options.ts";
import { command, type CommandOf, flag, type Options, type RunCommand } from "../command.ts";
import type { ReadLock } from "../../../study/lock/lock_text.ts";
import type { StudyLock } from "../../../study/lock/lock.ts";
import { StudyPlace } from "../../../study/study_place.ts";

/** Surroundings of a study command; injected, so that tests can stand in for the service and the user. */
export interface StudySurroundings {
  /** Connection to the service. */
  readonly connection: Omit<StudyOptions, "asOf" | "mode">;
  /** Asks the user for a confirmation. */
  readonly confirm: (question: string) => boolean;
  /**
   * Output of progress.
   *
   * @default standard error, if it is a terminal
   */
  readonly progress?: Pick<ProgressOptions, "kernel" | "write">;
}

/** One command of `study`. */
export interface StudyCommand {
  /** Short description. */
  readonly does: string;
  /** Runs it with its arguments and returns the exit code. */
  readonly run: RunCommand<StudySurroundings>;
}

/** The option of each of them. */
export const JSON_OUTPUT = flag("the result as JSON");

/** Makes a command of `study`. */
export function studyCommand<Own extends Options>(
  { does, ...own }: { readonly does: string } & CommandOf<Own, StudySurroundings>,
): StudyCommand {
  return { does, run: command(own) };
}

/**
 * Folder and lock of the study: the given one, else the nearest one above the working directory.
 *
 * @throws {ScoreframeError} If it has no lock
 */
export async function readStudy(
  given: string | undefined,
): Promise<ReadLock & { readonly folder: string }> {
  const folder = given === undefined ? await findStudyFolder(process.cwd()) : resolve(given);
  const read = folder === null ? null : await readLockFile(folder);
  if (read !== null) return { folder: folder!, ...read };
  throw new ScoreframeError(
    `Cannot find the study ${given ?? "above the working directory"}: expected a ` +
      "study.lock.json, got none; give the folder of a study",
  );
}

/** The place of a study that a command loads into. */
export function studyPlace(
  folder: string,
  lock: StudyLock,
  options: StudySurroundings["connection"],
): StudyPlace {
  return new StudyPlace({ folder, mode: "auto", lock, asOf: null, options });
}
