import type { DataFrame } from "nodejs-polars";
import { RATES } from "../../../analysis/series/costs/read_rates.ts";
import type { PriceMarketOptions } from "../../../analysis/aligned/prices/price_market.ts";
import { type MergeContext, mergeParts } from "./merge_parts.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { TRIAL_LOG, type TrialLog, trialLog as openTrialLog } from "../../../analysis/trial_log.ts";
import { checkOptions, SIGNAL } from "../../../base/arguments/check_options.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { describe } from "../../../base/contract/violation.ts";
import { IntegrityError } from "../../../base/errors.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { fromPartQuestion, PART_FORMAT } from "./part_facts.ts";
import { readAccount, readPart, type StoredPart } from "./part_file.ts";
import { type DaySpan, PART_TABLES } from "./part_tables.ts";
import { spanOf } from "./partition_name.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";

/** Options of {@link mergePartitions}. */
export interface MergePartitionsOptions {
  /**
   * Trial log for the tests.
   *
   * @default a new one, kept in memory
   */
  readonly trialLog?: TrialLog;
  /**
   * One-way costs in basis points.
   *
   * @default [0, 5, 10, 20, 50]
   */
  readonly oneWayBps?: number | readonly number[];
  /**
   * Stops the merge.
   *
   * @default the stop button of a notebook
   */
  readonly signal?: AbortSignal;
}

/** A part with its path. */
interface FoundPart extends StoredPart {
  /** Path of its file. */
  readonly path: string;
}

const ACTION = "merge parts";

const MOST = 120;
const BEFORE = 30;

/**
 * Merges the parts of an analysis into the tables and summaries of `analyzeFactor`, equal to the last bit.
 *
 * Numbers by session are not computed again: the rows of the parts are concatenated, and the same functions read them.
 * Results that need all rows at once are left out: placebo shifts, leads and lags, the distribution of scores (its table is empty), and the
 * median age of scores by session (null). `analysis.aligned.data` is not in memory; judgement, charts and sheets do not need
 * it. Memory: the tables by session, some 20 MB for a year of 1,000 tickers, and scores, closes and weights of the
 * accounts: less than half of the memory of scores and prices.
 *
 * @param paths Paths of the parts, in any order: each partition of the sample once
 * @param options Trial log and costs
 * @throws {TypeError} If no path is given or an option is unknown
 * @throws {IntegrityError} If a partition is missing or repeated, or a part is truncated or has another version, question,
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
  checkOptions(ACTION, options, { trialLog: TRIAL_LOG, oneWayBps: RATES, signal: SIGNAL });
  const { trialLog = openTrialLog(), oneWayBps, signal } = options;
  const parts = await readWholeParts(paths);
  const [{ facts }] = parts as [FoundPart];
  const { question } = facts;
  signal?.throwIfAborted();
  return await mergeParts(parts.map(({ tables }) => tables), accountsOf(parts, signal), {
    plan: fromPartQuestion(question),
    origin: facts.origin,
    entryLag: Number(question.returns["entryLag"]),
    ended: question.returns["ended"] as MergeContext["ended"],
    market: question.returns as PriceMarketOptions,
    groups: question.groups,
    trialLog,
    oneWayBps,
  });
}

async function* accountsOf(
  parts: readonly FoundPart[],
  signal: AbortSignal | undefined,
): AsyncGenerator<DataFrame> {
  for (const { path } of parts) {
    signal?.throwIfAborted();
    yield await onDisk(`read ${path}`, () => readAccount(path));
  }
}

/** Reads the parts of one analysis, ascending, each partition exactly once. */
async function readWholeParts(paths: readonly string[]): Promise<readonly FoundPart[]> {
  if (
    !Array.isArray(paths) || paths.length === 0 || paths.some((path) => typeof path !== "string")
  ) {
    throw new TypeError(`Cannot ${ACTION}: expected the paths of parts, got ${describe(paths)}`);
  }
  for (const path of paths) refuseAddress(ACTION, path);
  const found: FoundPart[] = [];
  for (const path of paths) {
    found.push({ path, ...await onDisk(`read ${path}`, () => readPart(path)) });
  }
  const parts = found.toSorted((a, b) => a.facts.span.from < b.facts.span.from ? -1 : 1);
  assertAlike(parts);
  assertWhole(parts);
  return parts;
}

type Compared = readonly [what: string, read: (part: FoundPart) => unknown];

const MAKER = "compute every partition with the same package and runtime";

// The most informative difference first.
const COMPARED: readonly (readonly [...Compared, advice?: string])[] = [
  ["the layout of parts", ({ facts }) => facts.format],
  ["the version of scoreframe", ({ facts }) => facts.maker?.scoreframe, MAKER],
  ["the build of scoreframe", ({ facts }) => facts.maker?.build, MAKER],
  ["the runtime", ({ facts }) => facts.maker?.runtime, MAKER],
  ["the version of Polars", ({ facts }) => facts.maker?.polars, MAKER],
  ["the factor", ({ facts }) => facts.factor],
  ["the table", ({ facts }) => facts.table],
  ["the release", ({ facts }) => facts.releases],
  ["the question", ({ facts }) => facts.question],
  ["the dataset", ({ facts }) => facts.dataset],
  ["the days of the sample", ({ facts }) => facts.whole],
  ...PART_TABLES.map((name) =>
    [`the columns of ${name}`, ({ columns }: FoundPart) => columns[name]] as const
  ),
];

/** Refuses parts of different analyses, and names the part that differs from most others. */
function assertAlike(parts: readonly FoundPart[]): void {
  for (const [what, read, advice = "analyse that partition again"] of COMPARED) {
    // An analysis can lack a table, such as that of groups.
    const known = parts.filter((part) => read(part) !== undefined);
    const byText = [...Map.groupBy(known, (part) => JSON.stringify(read(part)))].toSorted((
      [, a],
      [, b],
    ) => b.length - a.length);
    const [most, other] = byText;
    if (most === undefined || other === undefined) continue;
    const [{ path, facts }] = other[1] as [FoundPart];
    const [expected, got] = differing(most[0], other[0]);
    throw new IntegrityError(
      `Cannot ${ACTION}: expected ${what} to be ${expected} in every part, got ${got} in ${path} ` +
        `(${facts.partition}); ${advice}`,
    );
  }
  const { facts, path } = parts[0]!;
  if (facts.format === PART_FORMAT) return;
  throw new IntegrityError(
    `Cannot ${ACTION}: expected parts of layout ${PART_FORMAT}, got ${facts.format} in ${path}; ` +
      "analyse the partitions again",
  );
}

/** Refuses parts that overlap or leave a gap. */
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
    if (span.from > next) throw missing({ from: next, to: span.from - 1 });
    next = span.to + 1;
  }
  if (next <= to) throw missing({ from: next, to });
}

function missing({ from, to }: DaySpan): IntegrityError {
  return new IntegrityError(
    `Cannot ${ACTION}: expected a part of every partition, got none of ${fromEpochDay(from)} to ` +
      `${fromEpochDay(to)}; analyse that partition`,
  );
}

/** Two texts that differ, each cut to at most 120 characters around their first difference. */
function differing(one: string, other: string): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const isShort = Math.max(one.length, other.length) <= MOST;
  const from = isShort || same <= BEFORE ? 0 : same - BEFORE;
  return [excerpt(one, from), excerpt(other, from)];
}

function excerpt(text: string, from: number): string {
  const end = from + MOST;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`;
}
