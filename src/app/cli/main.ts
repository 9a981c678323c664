import process from "node:process";
import { maskKeys } from "../../base/contract/key.ts";
import { CONTRACT_VERSION } from "../../base/contract/limits.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { PACKAGE_VERSION } from "../../base/contract/package_version.ts";
import { COMMANDS, type RunCommand } from "./commands.ts";
import { UsageError } from "./usage_error.ts";
import { commandLines, printed, processTerminal, type Terminal } from "./terminal.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { nearestHint } from "../../base/arguments/nearest_name.ts";

/**
 * Runs the command that the first argument names.
 *
 * @returns The exit code: 0 for success, 1 for a failure, 2 for an invalid command line
 */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  // A message quotes what was given, which may be a key in the place of a file or a number.
  const terminal = { ...given, error: (line: string) => given.error(maskKeys(line)) };
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
    return printed(terminal, usage());
  }
  if (name === "--version" || name === "-V") {
    return printed(terminal, `scoreframe ${PACKAGE_VERSION}, API document ${CONTRACT_VERSION}`);
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    terminal.error(describeUnknown(name));
    terminal.error(usage());
    return 2;
  }
  let run: RunCommand;
  try {
    run = await command.load();
  } catch (error) {
    terminal.error(await missingPolars(error));
    return 1;
  }
  return await runCommand(run, rest, terminal);
}

/** Message for a command that cannot load because native Polars is missing; throws any other error. */
async function missingPolars(error: unknown): Promise<string> {
  try {
    await import("../../base/runtime/require_polars.ts");
  } catch (missing) {
    return (missing as Error).message;
  }
  throw error;
}

async function runCommand(
  command: RunCommand,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  try {
    return await command(args, terminal);
  } catch (error) {
    if (isArgumentError(error)) {
      terminal.error(error.message);
      return 2;
    }
    if (!(error instanceof ScoreframeError)) throw error;
    terminal.error(`${error.name}: ${error.message}`);
    return 1;
  }
}

/** Tests if an error is about the command line: a UsageError, or an error of parseArgs for an option without its value. */
function isArgumentError(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}

function describeUnknown(name: string): string {
  const names = Object.keys(COMMANDS);
  return `Cannot run a command: expected one of ${names.join(", ")}, got ` +
    `${JSON.stringify(name)}${nearestHint(name, names)}`;
}

function usage(): string {
  return [
    `usage: ${commandLine()} COMMAND [options]\n`,
    ...commandLines(COMMANDS, " "),
    "\nCOMMAND --help lists the options; --version prints the version",
  ].join("\n");
}

if (import.meta.main) process.exitCode = await main(Deno.args, processTerminal());
