import type { ParseArgsConfig } from "node:util";
import { resolve } from "node:path";
import process from "node:process";
import { ScoreframeError } from "../../../base/errors.ts";
import type { ProgressOptions } from "../../../frames/notebook/kernel/progress.ts";
import { findStudyFolder, readLockFile } from "../../../study/lock/lock_file.ts";
import type { StudyOptions } from "../../../study/study_options.ts";
import { flags, HELP_OPTION, parseArguments } from "../parse_arguments.ts";
import type { Terminal } from "../terminal.ts";
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

/** Parsed arguments. */
export interface StudyArguments {
  /** Values of the options. */
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Arguments that are not options. */
  readonly words: readonly string[];
}

/** One command of `study`. */
export interface StudyCommand {
  /** Short description. */
  readonly does: string;
  /** Output of `--help`. */
  readonly help: string;
  /** Largest number of arguments that are not options. */
  readonly words: number;
  /** Its options, beside `--json` and `--help`. */
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /** Runs the command and returns the exit code. */
  run(
    args: StudyArguments,
    terminal: Terminal,
    surroundings: StudySurroundings,
  ): Promise<number>;
}

/** Reads the arguments of a study command. */
export function readStudyArguments(
  args: readonly string[],
  options: StudyCommand["options"],
): StudyArguments {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: { ...options, ...flags("json"), ...HELP_OPTION },
  });
  return { values: values as StudyArguments["values"], words: positionals };
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
