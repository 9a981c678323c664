import { readFile } from "node:fs/promises";
import { isPlainObject } from "../../base/contract/json_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

import { analyseVariant, scoresOfFile } from "../../desk/variants/analyse_variant.ts";
import { collectVariants } from "../../desk/variants/collect_variants.ts";
import type { ReadPricesOptions } from "../../frames/prices/prices_options.ts";
import { readPrices } from "../../frames/prices/read_prices.ts";
import { tryParquet } from "../../frames/frame/polars/try_parquet.ts";
import { command, flag, localPath, type Option, text, UsageError, type Values } from "./command.ts";
import type { Terminal } from "./terminal.ts";

const COMMAND = commandLine();
const OPTIONS = {
  scores: file("FILE", "date, ticker and scores, as Parquet or CSV"),
  prices: file("FILE", "closes in any form that readPrices() reads"),
  options: text(
    "FILE",
    `options of analyzeFactor() as JSON: {"periods": [1, 5], "returns": {"entryLag": 1}};
those of readPrices() under "prices"`,
  ),
  groups: text("FILE", "groups with ticker and group, as Parquet or CSV"),
  collect: flag(
    `writes variants.parquet with the rows of all, and a trial log with the tests of all; refuses a folder without
a result, or with a trial log that lacks a test`,
  ),
  to: file("DIR", "folder of the result"),
};

type Given = Values<typeof OPTIONS>;

/** `analyse`: runs one variant of an analysis, or collects the results of several. */
export const runAnalyse = command({
  usage: [
    "analyse --scores FILE --prices FILE --to DIR [--options FILE] [--groups FILE]",
    "analyse --collect DIR… --to DIR",
  ],
  about:
    `Runs one analysis of a factor in this process, so that a cluster can run many variants: analyzeFactor() with the options of a file.
DIR gets its tables as Parquet, judgement.txt, trial_log.jsonl, and variant.parquet, a row with the options as columns, also when
the analysis failed, with the reason. DIR appears whole; a finished one is not computed again.`,
  options: OPTIONS,
  example: `  for options in options/*.json; do
    ${COMMAND} analyse --scores scores.parquet --prices closes.csv --options "$options" --to "out/$(basename "$options" .json)"
  done
  ${COMMAND} analyse --collect out/* --to all`,
  words: [0, Infinity],
  async run({ values, words, terminal }) {
    const to = needed(values, "to", "a folder for the result");
    if (values.collect === true) return await collect(words, to, terminal);
    if (words.length === 0) return await analyse(values, to, terminal);
    throw new UsageError(
      `Cannot analyse: expected options only, got ${
        describe(words[0])
      }; name files by --scores and --prices`,
    );
  },
});

function file(takes: string, says: string): Option<string> {
  return { ...text(takes, says), read: (given) => localPath("analyse", given) };
}

async function analyse(values: Given, to: string, terminal: Terminal): Promise<number> {
  const scores = needed(values, "scores", "a file with date, ticker and scores");
  const prices = needed(values, "prices", "a file with closes");
  const { prices: ofPrices = {}, ...options } = await readOptions(values.options);
  const { groups } = values;
  // Other groups are another variant: the row has their hash.
  const groupsHash = groups === undefined
    ? {}
    : { groups: (await onDisk(`read ${groups}`, () => hashFile(groups))).sha256 };
  const read = async () => {
    await tryParquet([scores, groups ?? ""].filter((path) => path.endsWith(".parquet")));
    return {
      scores: await scoresOfFile(scores),
      prices: await readPrices(prices, ofPrices),
      frames: groups === undefined ? {} : { groups: await scoresOfFile(groups) },
    };
  };
  const pricesOptions = Object.keys(ofPrices).length > 0 && { prices: ofPrices };
  const { row, isNew } = await analyseVariant({
    scores,
    prices,
    to,
    read,
    options: { ...options, ...groupsHash, ...pricesOptions },
  });
  if (row.error !== null) terminal.error(row.error);
  terminal.out(`${to} ${isNew ? row.status : "was finished already"}`);
  return row.error === null ? 0 : 1;
}

async function collect(
  folders: readonly string[],
  to: string,
  terminal: Terminal,
): Promise<number> {
  if (folders.length === 0) {
    throw new UsageError(
      "Cannot collect variants: expected the folders of their results, got none; add them, such as out/*",
    );
  }
  const { table, tried } = await collectVariants(folders, to);
  terminal.out(table.toString());
  terminal.out(tried.text);
  return 0;
}

function needed(values: Given, name: "to" | "scores" | "prices", what: string): string {
  const value = values[name];
  if (value !== undefined && value !== "") return value;
  throw new UsageError(`Cannot analyse: expected --${name}, ${what}, got none; add it`);
}

interface VariantOptions extends Readonly<Record<string, unknown>> {
  readonly prices?: ReadPricesOptions;
}

async function readOptions(path: string | undefined): Promise<VariantOptions> {
  if (path === undefined) return {};
  const text = await onDisk(`read ${path}`, () => readFile(path, "utf8"));
  try {
    const options: unknown = JSON.parse(text);
    if (isPlainObject(options)) return options;
  } catch {
    // Told below.
  }
  throw new UsageError(
    `Cannot read ${path}: expected options as a JSON object, such as {"periods": [1, 5]}, got ${
      JSON.stringify(text.slice(0, 40))
    }`,
  );
}
