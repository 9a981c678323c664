import process from "node:process";
import { ScoreframeError } from "../errors.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** A command: its arguments in, its exit code out. */
type Command = (args: string[], terminal: Terminal) => Promise<number>;

// Each command is loaded when it is asked for: `serve` needs no Polars.
const COMMANDS: Readonly<Record<string, { readonly does: string; load(): Promise<Command> }>> = {
  demo: {
    does: "load scores and a release from an embedded server, and print them",
    load: async () => (await import("./demo.ts")).runDemo,
  },
  serve: {
    does: "serve the whole API from a store or from a synthetic world",
    load: async () => (await import("./serve.ts")).runServe,
  },
  verify: {
    does: "tell whether a store is sound, and which of its files are not",
    load: async () => (await import("./verify.ts")).runVerify,
  },
  study: {
    does: "list, verify, compare, move and restore studies",
    load: async () => (await import("./study/run_study.ts")).runStudy,
  },
  lab: {
    does: "install this project's Jupyter kernel and open the notebooks",
    load: async () => (await import("./lab.ts")).runLab,
  },
};

/**
 * Runs the command that the first argument names.
 *
 * @returns The exit code: 0 for success, 1 for a failure, 2 for a command line that makes no sense
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    terminal.out(usage());
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    terminal.error(`Cannot run "${name}": one of ${Object.keys(COMMANDS).join(", ")} is required`);
    terminal.error(usage());
    return 2;
  }
  return await runCommand(await command.load(), rest, terminal);
}

async function runCommand(command: Command, args: string[], terminal: Terminal): Promise<number> {
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

/** A value out of range, or what parseArgs throws for an option that does not exist or lacks its value. */
function isArgumentError(error: unknown): error is Error {
  if (error instanceof RangeError) return true;
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(6)} ${does}`);
  return [
    "usage: deno task COMMAND [options]",
    "",
    ...lines,
    "",
    "COMMAND --help lists the options",
  ]
    .join("\n");
}

if (import.meta.main) process.exitCode = await main(Deno.args, processTerminal());
