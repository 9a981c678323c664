import process from "node:process";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { commandLines, printed, type Terminal } from "../terminal.ts";
import { COMPARE_STUDIES } from "./compare.ts";
import { EXPORT, IMPORT, SIGN } from "./share.ts";
import { LIST } from "./list.ts";
import { RECALL } from "./recall.ts";
import type { StudyCommand, StudySurroundings } from "./study_command.ts";
import { GC, RESTORE, UPDATE } from "./change.ts";
import { VERIFY } from "./verify.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { nearestHint } from "../../../base/arguments/nearest_name.ts";

const COMMANDS: Readonly<Record<string, StudyCommand>> = {
  list: LIST,
  verify: VERIFY,
  compare: COMPARE_STUDIES,
  recall: RECALL,
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
  surroundings: StudySurroundings = OF_PROCESS,
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
  try {
    // A system error without a message of its own is shown without its stack.
    return await onDisk(`run "study ${name}"`, () => command.run(rest, terminal, surroundings));
  } catch (error) {
    // No key or address, an option of another kind, too few or too many arguments.
    const isUsage = error instanceof TypeError || error instanceof RangeError;
    if (!isUsage || !error.message.startsWith("Cannot ")) throw error;
    terminal.error(error.message);
    return 2;
  }
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

const OF_PROCESS: StudySurroundings = {
  connection: {},
  // Without a terminal nobody can confirm.
  confirm: (question) => process.stdin.isTTY === true && globalThis.confirm(question),
};
