import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestHint } from "../../base/arguments/nearest_name.ts";
import { describe } from "../../base/contract/violation.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

/** Invalid command line: an unknown option or value. */
export class UsageError extends TypeError {
  override readonly name = "UsageError";
}

/** Arguments that a command takes. */
export interface ArgumentRules {
  /** Its options by their names. */
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /**
   * Allows arguments that are not options.
   *
   * @default false
   */
  readonly allowPositionals?: boolean;
}

/**
 * Reads the arguments of a command, as `parseArgs` of Node does.
 *
 * @throws {UsageError} If the command does not have an option, or takes options only; the message suggests the nearest option
 */
export function parseArguments<T extends ArgumentRules>(
  args: readonly string[],
  rules: T,
): ReturnType<typeof parseArgs<T & { args: string[] }>> {
  const known = Object.keys(rules.options);
  const { tokens = [] } = parseArgs({ ...rules, args: [...args], strict: false, tokens: true });
  const unknown = tokens.find((token) => token.kind === "option" && !known.includes(token.name));
  if (unknown?.kind === "option") throw new UsageError(refusalOf(unknown, known));
  const word = tokens.find((token) => token.kind === "positional");
  if (word?.kind === "positional" && rules.allowPositionals !== true) {
    throw new UsageError(
      `Cannot use the arguments: expected options only, got ${describe(word.value)}`,
    );
  }
  return parseArgs({ ...rules, args: [...args] });
}

/** Options that take a text, by their names. */
export function texts<const Name extends string>(...names: readonly Name[]): TextOptions<Name> {
  return Object.fromEntries(names.map((name) => [name, { type: "string" }])) as TextOptions<Name>;
}

/** Options that take nothing, by their names. */
export function flags<const Name extends string>(...names: readonly Name[]): FlagOptions<Name> {
  return Object.fromEntries(names.map((name) => [name, { type: "boolean" }])) as FlagOptions<Name>;
}

type TextOptions<Name extends string> = Readonly<Record<Name, { readonly type: "string" }>>;
type FlagOptions<Name extends string> = Readonly<Record<Name, { readonly type: "boolean" }>>;

/** The option that every command has. */
export const HELP_OPTION = { help: { type: "boolean", short: "h" } } as const;

/** Values of the options of a command, as typed. */
export type ValuesOf<Options extends ArgumentRules["options"]> = Readonly<
  ReturnType<typeof parseArgs<{ options: Options }>>["values"]
>;

/** Names of an option that takes several, separated by commas. */
export function namesOf(value: string | undefined): readonly string[] {
  return (value ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
}

function refusalOf(option: { name: string; rawName: string }, known: readonly string[]): string {
  const advice = option.rawName.startsWith("--")
    ? nearestHint(option.name, known, (nearest) => `--${nearest}`)
    : "";
  const names = known.map((name) => `--${name}`).join(", ");
  return `Cannot use the options: expected one of ${names}, got ${option.rawName}${advice}`;
}

/**
 * Refuses an address as the folder of a command.
 *
 * @param action The action, worded to follow "Cannot"
 * @throws {UsageError} If the folder begins with a scheme
 */
export function assertLocal(action: string, folder: string | undefined): void {
  try {
    refuseAddress(action, folder);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
