import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sweepChart } from "../../report/chart/result/sweep_chart.ts";
import { describe } from "../../base/contract/violation.ts";
import { mergeSweep } from "../../desk/dataset/sweep/merge_sweep.ts";
import {
  readSweep,
  sweepPartition,
  sweepPartitions,
} from "../../desk/dataset/sweep/sweep_partition.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import { assertLocal } from "./assert_local.ts";
import { parseArguments } from "./parse_arguments.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage_error.ts";

const COMMAND = commandLine();
const HELP = `usage: ${COMMAND} sweep SWEEP DATASET --out FOLDER [--partition PARTITION]
       ${COMMAND} sweep SWEEP DATASET --list
       ${COMMAND} sweep SWEEP --merge --out FOLDER

Analyses many variants of factors by partition of a dataset that exportDataset() wrote. SWEEP is a JSON file:

  {"factors": ["ecpnd", "ecqdi"], "combinations": {"both": {"ecpnd": 0.5, "ecqdi": 0.5}},
   "transforms": ["none", "rank", "zscore"], "lags": [0, 1, 5], "universes": {"large": ["AAA", "BBB"]},
   "horizons": [1, 5, 21], "entry": "next", "minNames": 10, "calendar": "us"}

Every factor and combination is tried with every transform, lag and universe; transforms of one factor keep its ranks
and count as one test. A universe may change over time: {"ticker": "AAA", "from": "2024-01-02", "to": "2025-06-30"}. Without --partition
all partitions are analysed, one after the other. A sweep measures ICs only; analyse computes portfolios (--rebalance,
--between). Finished parts are not computed again. --list prints the partitions. --merge writes sweep.csv (one row per
variant and horizon, with p values adjusted for all of them), sweep.svg and trial_log.jsonl to the folder.

  ${COMMAND} sweep sweep.json data --list | xargs -P2 -I{} ${COMMAND} sweep sweep.json data --partition {} --out result
  ${COMMAND} sweep sweep.json --merge --out result`;

const SHOWN_ROWS = 10;

/** Runs `sweep`: lists the partitions, analyses all variants in one or all of them, or merges the parts. */
export async function runSweep(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: {
      partition: { type: "string" },
      out: { type: "string" },
      list: { type: "boolean" },
      merge: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    terminal.out(HELP);
    return 0;
  }
  const expected = values.merge === true ? ["SWEEP"] : ["SWEEP", "DATASET"];
  if (positionals.length !== expected.length) {
    throw new UsageError(
      `Cannot sweep: expected ${expected.join(" and ")}, got ${
        positionals.length === 0 ? "neither" : describe(positionals.join(" "))
      }; ` +
        `see ${COMMAND} sweep --help`,
    );
  }
  const [sweep, dataset] = positionals as [string, string];
  try {
    if (values.list === true) {
      for (const name of await sweepPartitions(dataset, await readSweep(sweep))) terminal.out(name);
    } else if (values.merge === true) await merge(sweep, outOf(values.out), terminal);
    else await analyse({ sweep, dataset, out: outOf(values.out) }, values.partition, terminal);
  } catch (error) {
    // The library refuses the arguments of the command line.
    if (error instanceof TypeError || error instanceof RangeError) {
      throw new UsageError(error.message);
    }
    throw error;
  }
  return 0;
}

async function analyse(
  { sweep, dataset, out }: Readonly<Record<"sweep" | "dataset" | "out", string>>,
  only: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const all = only === undefined ? await sweepPartitions(dataset, await readSweep(sweep)) : [only];
  for (const partition of all) {
    const parts = await sweepPartition(dataset, { sweep, partition, out });
    const written = parts.filter(({ isNew }) => isNew).length;
    terminal.out(
      `${partition}: ${parts.length} variants, ${written} written, ${
        parts.length - written
      } finished already`,
    );
  }
}

async function merge(sweep: string, out: string, terminal: Terminal): Promise<void> {
  const result = await mergeSweep({ sweep, out });
  const { table, text, isSynthetic } = result;
  await mkdir(out, { recursive: true });
  table.writeCSV(join(out, "sweep.csv"));
  const footnote = `${sweep}, by partition${isSynthetic ? ", synthetic" : ""}`;
  const chart = sweepChart(result, { footnote });
  await chart.save(join(out, "sweep.svg"));
  terminal.out(chart.description);
  terminal.out(text);
  const shown = table.select(
    "variant",
    "horizon",
    "sessions",
    "mean",
    "t",
    "p",
    "p_holm",
    "p_stepm",
  );
  terminal.out(shown.head(SHOWN_ROWS).toString());
}

function outOf(out: string | undefined): string {
  assertLocal("sweep", out);
  if (out !== undefined) return out;
  throw new UsageError(
    `Cannot sweep: expected --out FOLDER, got none; see ${COMMAND} sweep --help`,
  );
}
