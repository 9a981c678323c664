import process from "node:process";
import { maskKeys } from "../../base/contract/key.ts";
import { CONTRACT_VERSION, PACKAGE_VERSION } from "../../base/contract/limits.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { command, type RunCommand, UsageError } from "./command.ts";
import {
  byLine,
  commandLines,
  printed,
  processTerminal,
  type Terminal,
  visibly,
} from "./terminal.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { nearestHint } from "../../base/arguments/nearest_name.ts";

/** A command of the command line. */
interface Command {
  /** Description, shown after its name. */
  readonly does: string;
  /** Loads the command; `serve` loads no Polars. */
  load(): Promise<RunCommand<never>>;
}

/** Every command by its name. A new command needs a row here. */
const COMMANDS: Readonly<Record<string, Command>> = {
  demo: {
    does: "load scores and a release from an embedded server, and print them",
    load: async () => (await import("./demo.ts")).runDemo,
  },
  serve: {
    does: "serve the whole API from a store or from a synthetic world",
    load: async () => (await import("./serve.ts")).runServe,
  },
  relay: {
    does: "share one account among the colleagues of a desk: a server that requests each set once",
    load: async () => (await import("./relay.ts")).runRelay,
  },
  verify: {
    does: "verify a store, and list its damaged files",
    load: async () => (await import("./verify.ts")).runVerify,
  },
  study: {
    does: "list, verify, compare, update, restore and share studies",
    load: async () => (await import("./study/run_study.ts")).runStudy,
  },
  prices: {
    does: "print what the columns of a file of prices are taken for, and why",
    load: async () => (await import("./prices.ts")).runPrices,
  },
  analyse: {
    does:
      "run one variant of an analysis, as a task of a cluster does; collect the results of many",
    load: async () => (await import("./analyse.ts")).runAnalyse,
  },
  lab: {
    does: "install this project's Jupyter kernel and open the notebooks",
    load: async () => (await import("./lab.ts")).runLab,
  },
  help: {
    does: "print the documentation of a function, such as help analyzeFactor",
    load: () => Promise.resolve(runHelp),
  },
  doctor: {
    does: "check this machine, and advise on problems",
    load: async () => (await import("./doctor/doctor.ts")).runDoctor,
  },
};

/**
 * Runs the command that the first argument names.
 *
 * @returns The exit code: 0 for success, 1 for a failure, 2 for an invalid command line
 */
export async function main(args: readonly string[], given: Terminal): Promise<number> {
  // A message quotes what was given, which may be a key in the place of a file or a number.
  const masked = { ...given, error: (line: string) => given.error(maskKeys(line)) };
  const terminal = visibly(masked);
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "-h") return printed(terminal, usage());
  if (name === "--version" || name === "-V") {
    return printed(terminal, `scoreframe ${PACKAGE_VERSION}, API document ${CONTRACT_VERSION}`);
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    terminal.error(describeUnknown(name));
    terminal.error(usage());
    return 2;
  }
  let run: RunCommand<never>;
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
  command: RunCommand<never>,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  try {
    return await command(args, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(error.message);
      return 2;
    }
    if (error instanceof ScoreframeError) byLine(terminal).error(`${error.name}: ${error.message}`);
    // Deno prints what nobody caught as it is.
    else terminal.error(error instanceof Error ? error.stack ?? error.message : String(error));
    return 1;
  }
}

function describeUnknown(name: string): string {
  const names = Object.keys(COMMANDS);
  return `Cannot run a command: expected one of ${names.join(", ")}, got ` +
    `${JSON.stringify(name)}${nearestHint(name, names)}`;
}

const runHelp = command({
  usage: ["help NAME"],
  about:
    `Prints the documentation of a function or a method, such as analyzeFactor or api.panel, as help() does
in a cell. Without a name it lists the commands.`,
  options: {},
  words: [0, 1],
  async run({ words: [name], terminal }) {
    if (name === undefined) return printed(terminal, usage());
    const { help } = await import("../../client/help/help.ts");
    try {
      return printed(terminal, String(help(name)));
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  },
});

function usage(): string {
  return [
    `usage: ${commandLine()} COMMAND [options]\n`,
    ...commandLines(COMMANDS, " "),
    "\nCOMMAND --help lists the options; --version prints the version",
  ].join("\n");
}

if (import.meta.main) process.exitCode = await main(Deno.args, processTerminal());
