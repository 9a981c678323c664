import { help } from "../../client/help/help.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

const HELP = `usage: ${commandLine()} help NAME

Prints the documentation of a function or a method, such as analyzeFactor or api.panel, as help() does
in a cell. Without a name it lists the commands.`;

/** Runs `help`: prints the documentation of a function. */
export function runHelp([name = "--help"]: string[], terminal: Terminal): Promise<number> {
  try {
    terminal.out(name.startsWith("-") ? HELP : String(help(name)));
    return Promise.resolve(0);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
