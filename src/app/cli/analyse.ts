import { readFile } from "node:fs/promises";
import pl, { type DataFrame } from "nodejs-polars";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";
import { type Dataset, openDataset } from "../../desk/dataset/open_dataset.ts";
import { analyzePartition } from "../../desk/dataset/part/analyze_partition.ts";
import {
  listPartitions,
  type ListPartitionsOptions,
} from "../../desk/dataset/part/list_partitions.ts";
import { mergePartitions } from "../../desk/dataset/part/merge_partitions.ts";
import type { PartOptions } from "../../desk/dataset/part/part_facts.ts";
import { saveTables } from "../../desk/dataset/part/save_tables.ts";
import { tryParquet } from "../../frames/frame/polars/try_parquet.ts";
import { judgement } from "../../analysis/judgement/judgement.ts";
import { trialLog } from "../../analysis/trial_log.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import {
  flags,
  HELP_OPTION,
  parseArguments,
  texts,
  UsageError,
  type ValuesOf,
} from "./parse_arguments.ts";
import { printed, type Terminal } from "./terminal.ts";
import { describe } from "../../base/contract/violation.ts";

/** Flags for the options of an analysis. */
const ASKED_FLAGS = texts(
  ...["periods", "quantiles", "min-names", "entry", "max-age-sessions"] as const,
  ...["calendar", "rebalance", "between", "weighting"] as const,
);

/** Lines for {@link ASKED_FLAGS} in the help of a command. */
const ASKED_HELP = `
  --rebalance WHEN   signal (at each new score; the default), weekly, monthly, a number of sessions, or dates:
                     2026-01-02,2026-02-02
  --between WHAT     the portfolio between trades: drift (with prices; the default), restore or cash
  --weighting WHAT   weights of the portfolio: factor (the default), rank, equal or quantile
  --periods 1,5,21   horizons in sessions
  --quantiles 5      number of quantiles
  --min-names 10     minimum number of stocks for the IC of a session
  --entry next       or same: enter at the next close, or at the close of the score's own session
  --max-age-sessions 5   maximum age, in sessions, of a live set that is used
  --calendar us      or own: sessions of the US market, or the dates of the prices`
  .slice(1);

const COMMAND = commandLine();
const HELP = `usage: ${COMMAND} analyse DATASET --factor FACTOR --partition PARTITION --out PART
       ${COMMAND} analyse DATASET --factor FACTOR --list [--by year|quarter|month]
       ${COMMAND} analyse --merge PART… [--out FOLDER] [--trial-log FOLDER]

Analyses one partition of a dataset that exportDataset() wrote: year=2024, quarter=2024-Q1 or month=2024-03.
--list prints the partitions. --merge writes the tables and prints the judgement of the whole sample, bit for bit
equal to an analysis in memory, and refuses parts that are missing, duplicated, truncated or of another analysis.
Finished parts are not computed again.

  --table TABLE      scores, panel or sets; needed if several have the factor
  --state NUMBER     state of the dataset, for all parts of an analysis while it grows; the newest one if left out
${ASKED_HELP}
  --options FILE     all options as JSON: {"lags": [1, 5], "returns": {"entryLag": 1}}; flags override the file
  --groups FILE      groups with ticker and group, as CSV or Parquet
  --out              file of the part; with --merge a folder for the tables, as Parquet
  --trial-log FOLDER trial log in which the tests of the merged analysis are recorded

All parts of one analysis need the same options; --merge takes them from the parts.

  ${COMMAND} analyse data --factor ecpnd --list |
    xargs -P2 -I{} ${COMMAND} analyse data --factor ecpnd --partition {} --out parts/{}.parquet
  ${COMMAND} analyse --merge parts/*.parquet --out tables`;

const OPTIONS = {
  ...texts("factor", "table", "state", "partition", "out", "options", "groups"),
  ...{ ...flags("list"), ...texts("by"), ...flags("merge"), ...texts("trial-log") },
  ...{ ...HELP_OPTION, ...ASKED_FLAGS },
};

const NUMBER = /^-?\d+(\.\d+)?$/;

type Values = ValuesOf<typeof OPTIONS>;

/** `analyse`: lists the partitions of a dataset, analyses one, or merges the parts. */
export async function runAnalyse(args: string[], terminal: Terminal): Promise<number> {
  const rules = { allowPositionals: true, options: OPTIONS };
  const { values, positionals } = parseArguments(args, rules);
  if (values.help === true) return printed(terminal, HELP);
  try {
    if (values.merge === true) await merge(values, positionals, terminal);
    else if (values.list === true) await list(values, positionals, terminal);
    else await analyse(values, positionals, terminal);
  } catch (error) {
    // The library refuses the arguments of the command line.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw new UsageError(error.message);
    }
    throw error;
  }
  return 0;
}

async function list(values: Values, words: readonly string[], terminal: Terminal): Promise<void> {
  const { table, by } = values;
  const names = await listPartitions(await datasetOf(words, values), {
    factor: factorOf(values),
    ...table === undefined ? {} : { table },
    ...by === undefined ? {} : { by },
  } as ListPartitionsOptions);
  for (const name of names) terminal.out(name);
}

async function analyse(
  values: Values,
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { partition, out, table } = values;
  if (partition === undefined || out === undefined) {
    throw new UsageError(
      "Cannot analyse a partition: expected --partition PARTITION and --out PART, got " +
        `${partition === undefined ? "no --partition" : "no --out"}; --list prints the partitions`,
    );
  }
  refuseAddress("analyse a partition", out);
  const asked = await readOptions(values);
  const written = await analyzePartition(await datasetOf(words, values), {
    ...asked,
    factor: factorOf(values),
    partition,
    out,
    ...table === undefined ? {} : { table: table as "scores" },
  });
  terminal.out(`${written.path} ${written.isNew ? "written" : "was finished already"}`);
}

async function merge(values: Values, words: readonly string[], terminal: Terminal): Promise<void> {
  if (words.length === 0) {
    throw new UsageError(
      "Cannot merge parts: expected the paths of parts, got none; add them, such as parts/*.parquet",
    );
  }
  assertNothingAsked(values);
  const kept = trialLog(values["trial-log"]);
  const analysis = await mergePartitions(words, { trialLog: kept });
  if (values.out !== undefined) await saveTables(analysis, values.out);
  terminal.out(judgement(analysis).text);
}

/** Refuses options of an analysis: a merge takes them from its parts and would ignore others. */
function assertNothingAsked(values: Values): void {
  const others = (["options", "groups", "state"] as const).filter((name) =>
    values[name] !== undefined
  );
  const asked = [...givenFlags(values), ...others].map((name) => `--${name}`);
  if (asked.length === 0) return;
  throw new UsageError(
    `Cannot merge parts: expected only --out and --trial-log, got ${asked.join(", ")}; ` +
      "a merge takes the options of its parts, so give them when you analyse the partitions",
  );
}

async function datasetOf(words: readonly string[], { state }: Values): Promise<Dataset> {
  if (words.length !== 1) {
    throw new UsageError(
      `Cannot analyse a dataset: expected its folder, got ${words.join(" ") || "none"}; give ` +
        "one folder",
    );
  }
  if (state === undefined) return await openDataset(words[0]!);
  if (/^[1-9]\d*$/.test(state)) return await openDataset(words[0]!, { state: Number(state) });
  throw new UsageError(
    `Cannot analyse a dataset: expected --state to be the number of a state, got ${state}; its folder ` +
      "states lists them",
  );
}

function factorOf({ factor }: Values): string {
  if (factor !== undefined) return factor;
  throw new UsageError(
    "Cannot analyse a dataset: expected --factor, got none; add --factor ecpnd, or another factor of the dataset",
  );
}

async function readOptions(values: Values): Promise<PartOptions> {
  const { options, groups } = values;
  const ofFile = options === undefined ? {} : await readJson(options);
  const asked = { ...ofFile, ...readAskedFlags(values) };
  return groups === undefined ? asked : { ...asked, groups: await readGroups(groups) };
}

async function readJson(path: string): Promise<PartOptions> {
  const text = await onDisk(`read ${path}`, () => readFile(path, "utf8"));
  try {
    return JSON.parse(text) as PartOptions;
  } catch {
    throw new UsageError(
      `Cannot read ${path}: expected options as JSON, such as {"periods": [1, 5]}, got ` +
        JSON.stringify(text.slice(0, 40)),
    );
  }
}

async function readGroups(path: string): Promise<DataFrame> {
  if (path.endsWith(".parquet")) {
    await tryParquet([path]);
    return await pl.scanParquet(path, { glob: false }).collect();
  }
  // All columns are read as text: as a number, the ticker 0012 would become 12.
  return await pl.scanCSV(path, { inferSchemaLength: 0, glob: false }).collect();
}

/** Values of {@link ASKED_FLAGS}, as typed. */
type AskedValues = ValuesOf<typeof ASKED_FLAGS>;

/**
 * Reads the options of an analysis from the flags; the library checks their values.
 *
 * @throws {UsageError} If a flag that needs a number has none
 */
function readAskedFlags(values: AskedValues): PartOptions {
  const number = (name: keyof AskedValues) => numberOf(name, values[name]!);
  const asked: Readonly<Record<keyof AskedValues, () => Readonly<Record<string, unknown>>>> = {
    periods: () => ({
      periods: values.periods!.split(",").map((text) => numberOf("periods", text)),
    }),
    quantiles: () => ({ quantiles: number("quantiles") }),
    "min-names": () => ({ minNames: number("min-names") }),
    entry: () => ({ entry: values.entry }),
    "max-age-sessions": () => ({ maxAgeSessions: number("max-age-sessions") }),
    calendar: () => ({ calendar: values.calendar }),
    rebalance: () => ({ rebalance: rebalanceOf(values.rebalance!) }),
    between: () => ({ between: values.between }),
    weighting: () => ({ weighting: values.weighting }),
  };
  return Object.assign({}, ...givenFlags(values).map((name) => asked[name]()));
}

/** Names of the flags that were typed. */
function givenFlags(values: AskedValues): readonly (keyof AskedValues)[] {
  const names = Object.keys(ASKED_FLAGS) as (keyof AskedValues)[];
  return names.filter((name) => values[name] !== undefined);
}

function rebalanceOf(text: string): unknown {
  if (NUMBER.test(text)) return Number(text);
  return /^\d{4}-/.test(text) ? text.split(",") : text;
}

function numberOf(name: keyof AskedValues, text: string): number {
  if (NUMBER.test(text)) return Number(text);
  const like = name === "periods" ? "whole numbers such as 1,5,21" : "a whole number";
  throw new UsageError(
    `Cannot analyse a partition: expected --${name} to be ${like}, got ${describe(text)}`,
  );
}
