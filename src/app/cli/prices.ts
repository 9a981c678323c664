import { describe } from "../../base/contract/violation.ts";
import { readPrices } from "../../frames/prices/read_prices.ts";
import type { ReadPricesOptions } from "../../frames/prices/prices_options.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { HELP_OPTION, parseArguments, texts, UsageError } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";

const HELP = `usage: ${commandLine()} prices FILE... [--options '{ … }']

Reads files of prices, or a folder or a pattern of them, as readPrices() does, and prints what it found: what each
column is taken for; the state of the closes (as traded, adjusted for splits, adjusted for all, not known) with the
dates and numbers that show it; the key; and possible faults. Writes nothing.
Exits with 1 if a question is open, with the option that answers it.

  --options   options of readPrices(), as messages show them, such as '{ layout: "wide", header: 2 }'`;

/** Runs `prices`: prints what a file of prices is taken for. */
export async function runPrices(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: { ...HELP_OPTION, ...texts("options") },
  });
  if (values.help === true || positionals.length === 0) {
    (values.help === true ? terminal.out : terminal.error)(HELP);
    return values.help === true ? 0 : 2;
  }
  const options = optionsOf(values.options ?? "{}");
  try {
    const { report } = await readPrices(positionals, options).withReport();
    terminal.out(String(report));
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    terminal.error(error.message);
    return 1;
  }
}

/** Options as code of messages: JSON whose keys need no quotes, with or without the braces around all. */
function optionsOf(text: string): ReadPricesOptions {
  const whole = text.trim().startsWith("{") ? text : `{ ${text} }`;
  const quoted = whole.replaceAll(
    /("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)(?=\s*:)/g,
    (_, literal: string | undefined, name: string) => literal ?? JSON.stringify(name),
  );
  try {
    return JSON.parse(quoted) as ReadPricesOptions;
  } catch {
    throw new UsageError(
      `Cannot use the options: expected options of readPrices() such as { layout: "wide" }, got ${
        describe(text)
      }`,
    );
  }
}
