import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { computeIc } from "../part/compute/compute_part.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { describe } from "../../../base/contract/violation.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { currentMaker } from "../maker.ts";
import { openDataset } from "../open_dataset.ts";
import { keepPart, type WrittenPart } from "../part/analyze_partition.ts";
import {
  PART_FORMAT,
  type PartFacts,
  readPartOptions,
  toPartQuestion,
} from "../part/part_facts.ts";
import { assertInSample, parsePartition, partitionsOf, spanText } from "../part/partition_name.ts";
import type { DaySpan } from "../part/part_tables.ts";
import { parseSweep, type Sweep } from "./sweep.ts";
import { type Variant, variantText } from "./variant.ts";
import { SweepSource } from "./sweep_source.ts";
import { VariantSample } from "./variant_sample.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";

/** Options of {@link sweepPartition}. */
export interface SweepPartitionOptions {
  /** Path of the sweep, a JSON file. */
  readonly sweep: string;
  /** `year=2024`, `quarter=2024-Q1` or `month=2024-03`. */
  readonly partition: string;
  /** Folder of the result. */
  readonly out: string;
  /**
   * Stops the sweep between two variants.
   *
   * @default none
   */
  readonly signal?: AbortSignal;
}

/** Reads the file of a sweep. */
export async function readSweep(path: string): Promise<Sweep> {
  return parseSweep(await onDisk(`read ${path}`, () => readFile(path, "utf8")), path);
}

/**
 * Analyses every variant of a sweep in one partition of a dataset; {@link mergeSweep} then makes one table of them.
 *
 * Variants are made in memory from the scores of the dataset; only the parts are written, one file per variant and partition,
 * below `parts/` in the folder. An existing part is not computed again, so that an interrupted sweep can be resumed, and
 * partitions can be computed anywhere, in any order. Memory: one partition and its margin; universes and combinations may
 * also need some days of the first and last year.
 *
 * @param folder Folder of the dataset
 * @param options The sweep, the partition and the folder of the result
 * @returns One part per variant
 * @throws {TypeError} If the sweep is malformed
 * @throws {RangeError} If the dataset lacks a factor of the sweep, or prices
 * @throws {IntegrityError} If a file of the dataset differs from its manifest
 *
 * @example
 * ```ts
 * import { exportDataset, mergeSweep, sweepPartition } from "scoreframe/dataset";
 * import { demo, readPrices } from "scoreframe";
 *
 * const home = await Deno.makeTempDir();
 * const api = await demo({ folder: home });
 * const dataset = `${home}/dataset`;
 * await exportDataset(await api.history("ecpnd"), dataset);
 * await exportDataset(await readPrices(`${home}/closes.csv`), dataset);
 * await api.close();
 *
 * const sweep = `${home}/sweep.json`;
 * await Deno.writeTextFile(sweep, '{ "factors": ["ecpnd"], "lags": [0, 5], "horizons": [1] }');
 * const years = [2024, 2025, 2026].map((year) => `year=${year}`);
 * for (const partition of years) await sweepPartition(dataset, { sweep, partition, out: home });
 * const { table } = await mergeSweep({ sweep, out: home });
 * if (table.height !== 2) throw new Error("two variants, one horizon");
 * ```
 */
export async function sweepPartition(
  folder: string,
  options: SweepPartitionOptions,
): Promise<readonly WrittenPart[]> {
  checkOptions("sweep a partition", options, ["sweep", "partition", "out", "signal"]);
  const { sweep: path, partition, out, signal } = options;
  for (const [name, value] of Object.entries({ sweep: path, out })) {
    refuseAddress("sweep a partition", value);
    if (typeof value === "string" && value !== "") continue;
    throw new TypeError(
      `Cannot sweep a partition: expected the path of ${name}, got ${describe(value)}`,
    );
  }
  const { variants, question: asked } = await readSweep(path);
  const question = readPartOptions(asked);
  const { name, span } = parsePartition(partition);
  const dataset = await openDataset(folder);
  const maker = await currentMaker();
  const written: WrittenPart[] = [];
  const source = new SweepSource(dataset);
  assertInSample({ name, span }, daysOf(source, variants));
  for (const variant of variants) {
    const sample = new VariantSample(source, variant);
    const facts = factsOf(variant, sample, {
      maker,
      partition: name,
      span: spanText(span),
      question: toPartQuestion(question),
    });
    const read = () => {
      signal?.throwIfAborted();
      return sample.read(span, question);
    };
    const part = partPath(out, variant, name);
    written.push(
      await keepPart(part, { facts, folder, read }, (input) => computeIc(input, question)),
    );
  }
  return written;
}

/** Folder of the parts of a variant. */
export function partsFolder(out: string, { name }: Pick<Variant, "name">): string {
  return join(out, "parts", name);
}

/** The partitions of a sweep: the years of its dataset. */
export async function sweepPartitions(folder: string, sweep: Sweep): Promise<readonly string[]> {
  const dataset = await openDataset(folder);
  return partitionsOf(daysOf(new SweepSource(dataset), sweep.variants), "year").map(({ name }) =>
    name
  );
}

function daysOf(source: SweepSource, variants: Sweep["variants"]): DaySpan {
  const all = variants.map((variant) => new VariantSample(source, variant).days);
  return {
    from: Math.min(...all.map((days) => days.from)),
    to: Math.max(...all.map((days) => days.to)),
  };
}

function partPath(out: string, variant: Variant, partition: string): string {
  return join(partsFolder(out, variant), `${partition}.parquet`);
}

function factsOf(
  variant: Variant,
  sample: VariantSample,
  rest: Pick<PartFacts, "maker" | "partition" | "span" | "question">,
): PartFacts {
  return {
    format: PART_FORMAT,
    table: "scores",
    factor: variantText(variant),
    whole: spanText(sample.days),
    dataset: sample.fingerprint,
    releases: sample.releases,
    origin: sample.origin,
    ...rest,
  };
}
