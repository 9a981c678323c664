import { describe } from "../../base/contract/violation.ts";
import { readPrices } from "../../frames/prices/read_prices.ts";
import type { ReadPricesOptions } from "../../frames/prices/prices_options.ts";
import { command, type Option, text, UsageError } from "./command.ts";

const OPTIONS: Option<ReadPricesOptions> = {
  ...text(
    "OPTIONS",
    `options of readPrices(), as messages show them, such as '{ layout: "wide", header: 2 }'`,
  ),
  read: optionsOf,
};

/** `prices`: prints what a file of prices is taken for. */
export const runPrices = command({
  usage: ["prices FILE... [--options '{ … }']"],
  about:
    `Reads files of prices, or a folder or a pattern of them, as readPrices() does, and prints what it found: what each
column is taken for; the state of the closes (as traded, adjusted for splits, adjusted for all, not known) with the
dates and numbers that show it; the key; and possible faults. Writes nothing.
Exits with 1 if a question is open, with the option that answers it.`,
  options: { options: OPTIONS },
  words: [1, Infinity],
  async run({ values: { options = {} }, words, terminal }) {
    try {
      const { report } = await readPrices(words, options).withReport();
      terminal.out(String(report));
      return 0;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      terminal.error(error.message);
      return 1;
    }
  },
});

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
