import process from "node:process";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { commandLines, printed, type Terminal } from "../terminal.ts";
import { DIFF } from "./diff.ts";
import { EXPORT, IMPORT, SIGN } from "./share.ts";
import { LS } from "./ls.ts";
import { readStudyArguments, type StudyCommand, type StudySurroundings } from "./study_command.ts";
import { GC, RESTORE, UPDATE } from "./change.ts";
import { VERIFY } from "./verify.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { nearestHint } from "../../../base/arguments/nearest_name.ts";

const COMMANDS: Readonly<Record<string, StudyCommand>> = {
  ls: LS,
  verify: VERIFY,
  diff: DIFF,
  update: UPDATE,
  restore: RESTORE,
  gc: GC,
  export: EXPORT,
  import: IMPORT,
  sign: SIGN,
};

/**
 * Runs `study` with the command that its first argument names.
 *
 * @returns 0 for success, 1 if something is wrong or differs, 2 for an invalid command line
 */
export async function runStudy(
  args: readonly string[],
  terminal: Terminal,
  surroundings: StudySurroundings = ofProcess(),
): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h") return printed(terminal, usage());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(COMMANDS);
    terminal.error(
      `Cannot run "study ${name}": expected one of ${names.join(", ")}, got "${name}"` +
        nearestHint(name, names),
    );
    terminal.error(usage());
    return 2;
  }
  const read = readStudyArguments(rest, command.options);
  if (read.values.help === true) return printed(terminal, command.help);
  try {
    assertWords(name, command, read.words);
    // A system error without a message of its own is shown without its stack.
    const run = () => command.run(read, terminal, surroundings);
    return await onDisk(`run "study ${name}"`, run);
  } catch (error) {
    // No key or address, an option of another kind, too few or too many arguments.
    const isUsage = error instanceof TypeError || error instanceof RangeError;
    if (!isUsage || !error.message.startsWith("Cannot ")) throw error;
    terminal.error(error.message);
    return 2;
  }
}

function assertWords(name: string, { words }: StudyCommand, given: readonly string[]): void {
  const unknown = given[words];
  if (unknown === undefined) return;
  throw new RangeError(
    `Cannot run "study ${name}": expected ${countText(words, "word")} at most, got "${unknown}" ` +
      `beside ${given.slice(0, words).join(" and ")}; see study ${name} --help`,
  );
}

function usage(): string {
  return [
    `usage: ${commandLine()} study COMMAND [STUDY] [options]\n`,
    ...commandLines(COMMANDS, "  "),
    "\nSTUDY is a folder with a study.lock.json; without it, the nearest one above the working directory.",
    "Each command takes --json, and --help with an example. Exit code: 0 success, 1 a problem or a",
    "difference, 2 an invalid command line.",
  ].join("\n");
}

function ofProcess(): StudySurroundings {
  return {
    connection: {},
    // Without a terminal nobody can confirm.
    confirm: (question) => process.stdin.isTTY === true && globalThis.confirm(question),
  };
}
