import type { DataFrame } from "nodejs-polars";
import { computePart } from "./compute/compute_part.ts";
import type { Walk } from "../../../analysis/factor/walk.ts";
import {
  checkOptions,
  FILLED,
  needed,
  oneOf,
  type OptionRules,
  SIGNAL,
  TEXT,
} from "../../../base/arguments/check_options.ts";
import { watchInterrupt } from "../../../frames/notebook/kernel/interrupt.ts";
import { freeFrames } from "../../../base/runtime/free_frames.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { currentMaker } from "../maker.ts";
import { type Dataset, openDataset } from "../open_dataset.ts";
import {
  describeScores,
  distinct,
  PART_FORMAT,
  PART_RULES,
  type PartFacts,
  type PartOptions,
  readPartOptions,
  toPartQuestion,
} from "./part_facts.ts";
import { findPart, writePart } from "./part_file.ts";
import { assertInSample, type NamedSpan, parsePartition, spanText } from "./partition_name.ts";
import { Sample, type SampleQuestion } from "./compute/sample.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";

/** Options of {@link analyzePartition}. */
export interface AnalyzePartitionOptions extends PartOptions {
  /** The factor. */
  readonly factor: string;
  /** `year=2024`, `quarter=2024-Q1` or `month=2024-03`. */
  readonly partition: string;
  /** Path of the part to write. */
  readonly out: string;
  /**
   * `scores`, `panel` or `sets`.
   *
   * @default the only table with the factor
   */
  readonly table?: "scores" | "panel" | "sets";
  /**
   * Stops the analysis.
   *
   * @default the stop button of a notebook
   */
  readonly signal?: AbortSignal;
}

const ACTION = "analyse a partition";
const RULES: OptionRules<AnalyzePartitionOptions> = {
  ...PART_RULES,
  factor: needed(TEXT, '"ecpnd"'),
  partition: needed(TEXT, '"year=2024"'),
  out: needed(FILLED),
  table: oneOf("scores", "panel", "sets"),
  signal: SIGNAL,
};

/** A part on the disk. */
export interface WrittenPart {
  /** Its path. */
  readonly path: string;
  /** `true` if this call computed it; `false` if it existed already. */
  readonly isNew: boolean;
}

/**
 * Analyses one partition of a dataset, and writes the numbers by session to a Parquet file, which
 * {@link mergePartitions} merges with those of the other partitions.
 *
 * Each session has the same numbers, to the last bit, as `analyzeFactor` computes with everything in memory: the partition is
 * read with a margin of sessions before it (ages, overlapping windows) and after it (returns). Partitions are independent of
 * each other and can run on any engine, in any order, more than once. A finished part is not computed again, a truncated one
 * is, and two jobs on one path write the same bytes. Peak memory is that of the partition and its margin.
 *
 * @param dataset Folder of a dataset with scores and prices, or an opened dataset
 * @param options Factor, partition, path of the part, and options of the analysis
 * @throws {TypeError} If an option is unknown or needs the whole sample (`placebo`, `returns.missing: "pad"`)
 * @throws {RangeError} If the dataset has no such factor or no prices, or a number is out of range
 * @throws {IntegrityError} If a file of the dataset is missing or has other bytes than its state says
 * @throws {StorageError} If the part cannot be written
 *
 * @example
 * ```ts
 * import { sessions } from "scoreframe";
 * import { analyzePartition, exportDataset, listPartitions, mergePartitions } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const cells = Array.from({ length: 90 * 12 }, (_, i) => ({ day: Math.floor(i / 12), name: i % 12 }));
 * const days = sessions("2025-11-03", "2026-04-01").select(pl.col("date").cast(pl.Utf8)).rows().flat();
 * const date = (day: number) => String(days[day]);
 * const rows = (name: string, value: (day: number, name: number) => number) =>
 *   pl.DataFrame(cells.map((cell) => ({
 *     date: date(cell.day),
 *     ticker: `T${cell.name}`,
 *     [name]: value(cell.day, cell.name),
 *   })));
 * const folder = await Deno.makeTempDir();
 * await exportDataset(rows("score", (day, name) => Math.sin(day * name)), folder, { factor: "mine" });
 * await exportDataset(rows("close", (day, name) => 100 + Math.cos(day + 5 * name)), folder);
 *
 * const parts = [];
 * for (const partition of await listPartitions(folder, { factor: "mine" })) {
 *   const out = `${folder}/parts/${partition}.parquet`;
 *   parts.push((await analyzePartition(folder, { factor: "mine", partition, out, periods: [1] })).path);
 * }
 * const analysis = await mergePartitions(parts);
 * console.assert(analysis.summary.table.height === 1);
 * ```
 */
export async function analyzePartition(
  dataset: Dataset | string,
  options: AnalyzePartitionOptions,
): Promise<WrittenPart> {
  checkOptions(ACTION, options, RULES);
  const { factor, partition, out, table = null, signal, ...asked } = options;
  refuseAddress(ACTION, out);
  const question = readPartOptions(asked);
  const { name, span } = parsePartition(partition);
  const opened = typeof dataset === "string" ? await openDataset(dataset) : dataset;
  const sample = new Sample(opened, factor, table);
  assertInSample({ name, span }, sample.days);
  const facts = await factsOf(sample, { factor, name, span, question });
  const compute = async () => {
    const input = await sample.read(span, question);
    const tables = await withWalk(signal, (walk) => computePart(input, { ...question, walk }));
    await writePart(out, { facts, tables });
    return cellsOf(input.scores) + cellsOf(input.prices);
  };
  return await onDisk(`analyse ${name} of ${opened.folder}`, async () => {
    const isNew = JSON.stringify((await findPart(out))?.facts) !== JSON.stringify(facts);
    // Another partition may follow and needs the memory of these frames.
    if (isNew) freeFrames(await compute());
    return { path: out, isNew };
  });
}

async function factsOf(
  { scores, days, fingerprint }: Sample,
  { factor, name, span, question }: NamedSpan & {
    readonly factor: string;
    readonly question: SampleQuestion;
  },
): Promise<PartFacts> {
  return {
    format: PART_FORMAT,
    maker: await currentMaker(),
    table: scores[0]!.table,
    factor,
    partition: name,
    span: spanText(span),
    whole: spanText(days),
    dataset: fingerprint,
    releases: distinct(scores.flatMap(({ releases }) => releases)),
    origin: describeScores(factor, scores),
    question: toPartQuestion(question),
  };
}

const cellsOf = ({ height, width }: DataFrame) => height * width;

/** Runs a function that a signal or the stop button of a notebook can stop. */
async function withWalk<Result>(
  signal: AbortSignal | undefined,
  run: (walk: Walk) => Promise<Result>,
): Promise<Result> {
  const interrupt = signal === undefined ? watchInterrupt() : null;
  try {
    return await run({ signal: signal ?? interrupt!.signal, update: () => {} });
  } finally {
    interrupt?.dispose();
  }
}
