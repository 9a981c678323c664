import { Command as Parser, Option as Parsed } from "commander";
import { nearestHint } from "../../base/arguments/nearest_name.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";
import { describe } from "../../base/contract/violation.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { countText } from "../../base/wording/number_text.ts";
import { printed, type Terminal } from "./terminal.ts";

/** Invalid command line: an unknown option or value. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}

/** An option: its line in the help, and how its text is read. */
export interface Option<Value> {
  /** Name of its value in the help; empty if it takes none. */
  readonly takes: string;
  /** Its line in the help. */
  readonly says: string;
  /** Required text, in words. */
  readonly required: string;
  /** One letter for it. */
  readonly short?: string;
  /** Reads its text; `undefined` refuses it. */
  read(text: string, before?: Value): Value | undefined;
}

/** An option of any text. */
export function text(takes: string, says: string): Option<string> {
  return { takes, says, required: "text", read: (given) => given };
}

/** An option that takes nothing. */
export function flag(says: string): Option<boolean> {
  return { takes: "", says, required: "", read: () => true };
}

/** An option that may be repeated. */
export function several(takes: string, says: string): Option<readonly string[]> {
  return { takes, says, required: "text", read: (given, before = []) => [...before, given] };
}

/** An option of names that commas separate. */
export function names(says: string): Option<readonly string[]> {
  const read = (given: string) => given.split(",").map((name) => name.trim()).filter((it) => it);
  return { takes: "NAMES", says, required: "names", read };
}

/** An option of a folder of this machine. */
export function folder(says: string): Option<string> {
  return { ...text("DIR", says), read: (given) => localPath("use a folder", given) };
}

/** An option of a number. */
export function number(
  says: string,
  { from = 0, to, isWhole = true }: {
    readonly from?: number;
    readonly to: number;
    readonly isWhole?: boolean;
  },
): Option<number> {
  const required = `${isWhole ? "a whole number" : "a number"} from ${from} to ${to}`;
  const read = (given: string) => {
    const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
    return value >= from && value <= to && (!isWhole || Number.isInteger(value))
      ? value
      : undefined;
  };
  return { takes: "N", says, required, read };
}

/** An option of one of a few texts. */
export function choice<const Text extends string>(
  texts: readonly Text[],
  says: string,
): Option<Text> {
  const read = (given: string) => texts.find((known) => known === given);
  return { takes: texts.join("|"), says, required: texts.join(" or "), read };
}

/** Options by their names. */
export type Options = Readonly<Record<string, Option<unknown>>>;

/** Values of options; one that was not given is missing. */
export type Values<Own> = {
  readonly [Name in keyof Own]?: Own[Name] extends Option<infer Value> ? Value : never;
};

/** A command: usage, help, reading and refusals follow from its rows. */
export interface CommandOf<Own extends Options, Around> {
  /** Its usage behind the name of the program, a line each. */
  readonly usage: readonly string[];
  /** Description between usage and options. */
  readonly about: string;
  /** Its options, beside `--help`. */
  readonly options: Own;
  /** Lines behind the options. */
  readonly example?: string;
  /** Fewest and most arguments that are not options. */
  readonly words?: readonly [fewest: number, most: number];
  /** Runs it and returns the exit code. */
  run(given: {
    readonly values: Values<Own>;
    /** Arguments that are not options. */
    readonly words: readonly string[];
    readonly terminal: Terminal;
    /** The surroundings that tests stand in for. */
    readonly around: Around;
  }): number | Promise<number>;
}

/** Runs a command with its arguments and returns its exit code. */
export type RunCommand<Around = undefined> = (
  args: readonly string[],
  terminal: Terminal,
  around?: Around,
) => Promise<number>;

/** A command that prints its help, or reads its arguments and runs. */
export function command<Own extends Options, Around = undefined>(
  own: CommandOf<Own, Around>,
): RunCommand<Around> {
  const [fewest, most] = own.words ?? [0, 0];
  return async (args, terminal, around) => {
    const parser = parserOf(own);
    parser.parse([...args], { from: "user" });
    const { help, ...values } = parser.opts();
    const isShort = parser.args.length < fewest;
    if (help === true) return printed(terminal, helpOf(own, parser));
    if (isShort) {
      const got = countText(parser.args.length, "argument");
      terminal.error(`Cannot use the arguments: expected ${own.usage[0]}, got ${got}\n`);
      terminal.error(helpOf(own, parser));
      return 2;
    }
    const unknown = parser.args[most];
    if (unknown === undefined) {
      const given = { values: values as Values<Own>, words: parser.args };
      return await own.run({ ...given, terminal, around: around as Around });
    }
    throw new UsageError(
      most === 0
        ? `Cannot use the arguments: expected options only, got ${describe(unknown)}`
        : `Cannot use the arguments: expected ${most} at most, got ${describe(unknown)} beside ` +
          `${parser.args.slice(0, most).join(" and ")}`,
    );
  };
}

/** The parser of options, whose refusals are errors in the words of this library. */
class OptionParser extends Parser {
  unknownOption(given: string): never {
    const names = this.options.map((option) => option.attributeName());
    const name = given.replace(/=.*$/s, "");
    const advice = name.startsWith("--")
      ? nearestHint(name.slice(2), names, (nearest) => `--${nearest}`)
      : "";
    const known = names.map((one) => `--${one}`).join(", ");
    throw new UsageError(`Cannot use the options: expected one of ${known}, got ${name}${advice}`);
  }

  optionMissingArgument({ long, flags }: Parsed): never {
    throw new UsageError(`Cannot use ${long}: expected ${flags}, got nothing behind it`);
  }
}

function parserOf({ options }: Pick<CommandOf<Options, never>, "options">): OptionParser {
  const parser = new OptionParser().helpOption(false).allowExcessArguments(true).exitOverride();
  for (const [name, option] of Object.entries<Option<unknown>>(options)) {
    const { takes, says, short, required, read } = option;
    const letter = short === undefined ? "" : `-${short}, `;
    const parsed = new Parsed(`${letter}--${name}${takes === "" ? "" : ` <${takes}>`}`, says);
    // Names of values are those of the options, not camelCase.
    parsed.attributeName = () => name;
    parsed.negate = false;
    if (takes !== "") {
      parsed.argParser((given: string, before: unknown) => {
        const value = read(given, before);
        if (value === undefined) throw wrong(name, required, given);
        return value;
      });
    }
    parser.addOption(parsed);
  }
  return parser.addOption(new Parsed("-h, --help", "this text"));
}

/** Refusal of the value of an option. */
export function wrong(name: string, required: string, given: string): UsageError {
  return new UsageError(`Cannot use --${name}: expected ${required}, got ${JSON.stringify(given)}`);
}

function helpOf(own: CommandOf<Options, never>, parser: Parser): string {
  const heads = parser.options.map((option) => option.flags.replace(/<(.*)>/, "$1"));
  const width = Math.max(...heads.map((head) => head.length));
  const rows = parser.options.map(({ description }, i) =>
    `  ${heads[i]!.padEnd(width)}  ${description.replaceAll("\n", `\n${" ".repeat(width + 4)}`)}`
  );
  const usage = own.usage.map((line, i) =>
    `${i === 0 ? "usage:" : "      "} ${commandLine()} ${line}`
  );
  const parts = [usage.join("\n"), own.about, rows.join("\n"), own.example];
  return parts.filter((part) => part !== undefined).join("\n\n");
}

/**
 * A path of this machine.
 *
 * @param action The action, worded to follow "Cannot"
 * @throws {UsageError} If it begins with a scheme
 */
export function localPath(action: string, path: string): string {
  try {
    refuseAddress(action, path);
    return path;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
