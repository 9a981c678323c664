import { mergeParts } from "../../analysis/by_part/merge_parts.ts";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { type Ledger, ledger as openLedger } from "../../analysis/ledger/ledger.ts";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { describe } from "../../contract/violation.ts";
import { IntegrityError } from "../../errors.ts";
import { onDisk } from "../../store/disk/on_disk.ts";
import { withWalk } from "./analyze_partition.ts";
import { fromPartQuestion, PART_FORMAT, type PartFacts } from "./part_facts.ts";
import { type Part, readPart } from "./part_file.ts";
import { spanOf } from "./partition_name.ts";

/** What is asked of the whole sample when its parts are merged. */
export interface MergePartitionsOptions {
  /**
   * Where the tests are entered.
   *
   * @default one of its own, which ends with the program
   */
  readonly ledger?: Ledger;
  /**
   * Costs of one way, in basis points.
   *
   * @default [0, 5, 10, 20, 50]
   */
  readonly oneWayBps?: readonly number[];
  /**
   * Stops the merge.
   *
   * @default the stop button of a notebook
   */
  readonly signal?: AbortSignal;
}

/** A part, and where it is. */
export interface FoundPart extends Part {
  /** Path of its file. */
  readonly path: string;
}

const ACTION = "merge parts";

/**
 * Merges the parts of an analysis: the tables and summaries of `analyzeFactor` with everything in memory, to the last bit.
 *
 * No number of a session is computed again: the rows of the parts are put below each other, and the same functions read them.
 * What needs all rows at once is left out: the noise control, the distribution of scores (its table is empty), and the median age
 * of scores by session (null). `analysis.aligned.data` is not in memory; judgement, charts and sheets do not need it. Cost:
 * the memory of the tables by session, some 10 MB for a year of 1,000 tickers.
 *
 * @param paths Paths of the parts, in any order: each partition of the sample once
 * @param options The ledger, and costs
 * @throws {TypeError} If no path is given or an option is unknown
 * @throws {IntegrityError} If a partition is missing or doubled, if a part was cut off, or is of another version, question,
 *   factor, release or state of the dataset than the others; the message names it
 * @throws {RangeError} If no score is on any session of the prices
 *
 * @example
 * ```ts
 * import { mergePartitions } from "scoreframe/dataset";
 *
 * try {
 *   await mergePartitions(["no such part.parquet"]);
 * } catch (error) {
 *   console.assert((error as Error).message.startsWith("Cannot"));
 * }
 * ```
 */
export async function mergePartitions(
  paths: readonly string[],
  options: MergePartitionsOptions = {},
): Promise<FactorAnalysis> {
  assertKnownOptions(ACTION, options, ["ledger", "oneWayBps", "signal"]);
  const { ledger = openLedger(), oneWayBps, signal } = options;
  const parts = await readWholeParts(paths);
  const [{ facts }] = parts as [FoundPart];
  const { question } = facts;
  return await withWalk(signal, (walk) =>
    mergeParts(parts.map(({ tables }) => tables), {
      plan: fromPartQuestion(question),
      origin: facts.origin,
      entryLag: Number(question.returns["entryLag"]),
      groups: question.groups,
      ledger,
      walk,
      oneWayBps,
    }));
}

/** Reads the parts of one analysis, ascending: all of it, and nothing twice. */
export async function readWholeParts(paths: readonly string[]): Promise<readonly FoundPart[]> {
  if (
    !Array.isArray(paths) || paths.length === 0 || paths.some((path) => typeof path !== "string")
  ) {
    throw new TypeError(`Cannot ${ACTION}: expected the paths of parts, got ${describe(paths)}`);
  }
  const found: FoundPart[] = [];
  for (const path of paths) {
    found.push({ path, ...await onDisk(`read ${path}`, () => readPart(path)) });
  }
  const parts = found.toSorted((a, b) => a.facts.span.from < b.facts.span.from ? -1 : 1);
  assertAlike(parts);
  assertWhole(parts);
  return parts;
}

// In the order in which a difference explains most.
const COMPARED: readonly (readonly [name: keyof PartFacts, what: string])[] = [
  ["format", "the layout of parts"],
  ["scoreframe", "the version of scoreframe"],
  ["factor", "the factor"],
  ["table", "the table"],
  ["releases", "the release"],
  ["question", "what was asked"],
  ["dataset", "the dataset"],
  ["whole", "the days of the sample"],
];

/** Refuses parts that are of different analyses; the part that differs from most others is named. */
function assertAlike(parts: readonly FoundPart[]): void {
  for (const [name, what] of COMPARED) {
    const textOf = ({ facts }: FoundPart) => JSON.stringify(facts[name]);
    const byText = [...Map.groupBy(parts, textOf)].toSorted(([, a], [, b]) => b.length - a.length);
    const [most, other] = byText;
    if (most === undefined || other === undefined) continue;
    const [{ path, facts }] = other[1] as [FoundPart];
    throw new IntegrityError(
      `Cannot ${ACTION}: expected ${what} to be ${shown(most[0])} in every part, got ` +
        `${shown(other[0])} in ${path} (${facts.partition}); analyse that partition again`,
    );
  }
  const { facts, path } = parts[0]!;
  if (facts.format === PART_FORMAT) return;
  throw new IntegrityError(
    `Cannot ${ACTION}: expected parts of layout ${PART_FORMAT}, got ${facts.format} in ${path}; ` +
      "analyse the partitions again",
  );
}

/** Refuses parts that share a day, or leave one out. */
function assertWhole(parts: readonly FoundPart[]): void {
  const { whole } = parts[0]!.facts;
  const { from, to } = spanOf(whole);
  let next = from;
  for (const [i, { facts, path }] of parts.entries()) {
    const span = spanOf(facts.span);
    if (span.from < next && i > 0) {
      const before = parts[i - 1]!;
      throw new IntegrityError(
        `Cannot ${ACTION}: expected each partition once, got ${before.facts.partition} in ` +
          `${before.path} and ${facts.partition} in ${path}; leave one of them out`,
      );
    }
    if (span.from > next) throw missing(next, span.from - 1);
    next = span.to + 1;
  }
  if (next <= to) throw missing(next, to);
}

function missing(from: number, to: number): IntegrityError {
  return new IntegrityError(
    `Cannot ${ACTION}: expected a part of every partition, got none of ${fromEpochDay(from)} to ` +
      `${fromEpochDay(to)}; analyse that partition`,
  );
}

function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
