import { createHash } from "node:crypto";
import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { assertHeldOut } from "../../../../analysis/aligned/sessions/assert_match.ts";
import { heldOutOfFiles, type Partition } from "../../state.ts";
import {
  forwardReturns,
  type ForwardReturnsOptions,
} from "../../../../analysis/aligned/prices/forward_returns.ts";
import { readSessionRules } from "../../../../analysis/aligned/prices/price_market.ts";
import type { PartInput } from "./compute_part.ts";
import { bookMargin, bookOfSample, type PlacedScores } from "./part_book.ts";
import { cropDates, cropSets, marginOf, windowOf } from "./part_window.ts";
import type { DaySpan } from "../part_tables.ts";
import type { AnalysisPlan } from "../../../../analysis/factor/analysis_options.ts";
import { readDayColumn, readTexts } from "../../../../analysis/table/read_columns.ts";
import { fromEpochDay, toEpochDay } from "../../../../base/calendar/civil_date.ts";
import { describe } from "../../../../base/contract/violation.ts";
import { datesToSessions } from "../../../../frames/prices/dates/dates_to_sessions.ts";
import type { Dataset } from "../../open_dataset.ts";
import { type TableName, TABLES } from "../../table/table.ts";
import { placeRows } from "../../../../analysis/aligned/sessions/place_rows.ts";
import { readScoreRows } from "../../../../analysis/aligned/score_rows.ts";
import { dayColumn, numberColumn } from "../../../../frames/frame/typed/make_columns.ts";

/** Options of the analysis of a sample. */
export interface SampleQuestion {
  /** The questions of the analysis. */
  readonly plan: AnalysisPlan;
  /** Options of forward returns, without their horizons. */
  readonly returns: Omit<ForwardReturnsOptions, "periods">;
}

const ACTION = "analyse a partition";
const SCORE_TABLES: readonly TableName[] = ["scores", "panel", "sets"];
const TIMES = ["date", "decided_at", "last_checked_at", "calculated_at", "status"];
const SCORES = [...TIMES, "ticker", "score"];
const MAX_FILES = 1000;
// Every partition asks for the times of all years: of 48 years, reading them again took two thirds of the work.
const known = new Map<string, DataFrame>();
const TIME_COLUMNS = ["date", "at", "last_checked_at", "calculated_at", "status"];

/** The scores of one factor and the prices in a dataset, read one part at a time. */
export class Sample {
  /** The files of the scores, ascending by year. */
  readonly scores: readonly Partition[];
  /** The files of the prices, ascending by year. */
  readonly prices: readonly Partition[];
  readonly #dataset: Dataset;

  /**
   * @param dataset The dataset
   * @param factor The factor
   * @param table Table of the scores; `null` for the only one with the factor
   * @throws {RangeError} If the dataset lacks the factor or prices, or several tables have the factor
   * @throws {TypeError} If its scores are of two calculation definitions
   */
  constructor(dataset: Dataset, factor: string, table: string | null) {
    this.#dataset = dataset;
    const tables = SCORE_TABLES.filter((name) => filesOf(dataset, name, factor).length > 0);
    const found = table === null ? tables : tables.filter((name) => name === table);
    if (found.length !== 1) throw wrongTable(dataset, { factor, table, tables });
    this.scores = filesOf(dataset, found[0]!, factor);
    this.prices = filesOf(dataset, "prices", null);
    assertOneVersion(this.scores, { folder: dataset.folder, factor });
    assertHeldOut(
      ACTION,
      heldOutOfFiles(this.scores),
      this.prices.map(({ last }) => last).sort().at(-1),
    );
    if (this.prices.length > 0) return;
    throw new RangeError(
      `Cannot ${ACTION} of ${dataset.folder}: expected prices beside the scores, got none; export ` +
        "them to the dataset, with exportDataset()",
    );
  }

  /** First and last day of the scores and prices. */
  get days(): DaySpan {
    const files = [...this.scores, ...this.prices];
    return {
      from: Math.min(...files.map(({ first }) => toEpochDay(first))),
      to: Math.max(...files.map(({ last }) => toEpochDay(last))),
    };
  }

  /** Hash of the paths and numbers of the files, so that parts from two states of a dataset are never merged. */
  get fingerprint(): string {
    const hash = createHash("sha256");
    for (const { path, numbers, releases } of [...this.scores, ...this.prices]) {
      hash.update(`${path} ${numbers} ${releases.join(" ")}\n`);
    }
    return hash.digest("hex");
  }

  /** Reads the rows of a part and of its margin. */
  async read(own: DaySpan, question: SampleQuestion): Promise<PartInput> {
    const { plan, returns } = question;
    const price = returns.price ?? "close";
    const sessions = await this.#sessions(question);
    const placed = await this.#placed(sessions, question);
    const book = bookOfSample(placed, sessions, plan);
    const { before, after } = marginOf(plan, returns);
    // Rows begin at the last trade of the portfolio before the part.
    const margin = { before: Math.max(before, bookMargin(sessions, own, book)), after };
    const window = windowOf(sessions, own, { margin, plan });
    const columns = columnsOf(this.prices[0]!, ["date", "ticker", price]);
    return {
      own,
      scores: await this.#scoresOf(window, plan),
      prices: await this.#dated(this.prices, window.prices, columns),
      listed: await this.#listed(`last_${price}`),
      placed,
      book,
    };
  }

  /** The sessions of all prices, ascending, in days since 1970-01-01, including those without any price. */
  async #sessions({ returns }: SampleQuestion): Promise<Int32Array> {
    const files = filesOf(this.#dataset, "sessions", null);
    const days = [];
    for (const file of files) {
      days.push(...readDayColumn(ACTION, await this.#dataset.read(file), "date"));
    }
    const rules = { ...readSessionRules(ACTION, returns), maxMissing: 1 };
    return datesToSessions(ACTION, Int32Array.from(days), rules).sessions;
  }

  /** Each ticker of the prices with the day of its last close. */
  async #listed(column: string): Promise<ReadonlyMap<string, number | null>> {
    const listed = new Map<string, number | null>();
    for (const file of filesOf(this.#dataset, "listings", null)) {
      const rows = await this.#dataset.read(file, ["ticker", column]);
      const { names, codes } = readTexts(ACTION, rows, "ticker");
      const days = rows.select(pl.col(column).cast(pl.Int32).alias("day")).getColumn("day")
        .toArray() as (number | null)[];
      // In order of years: later ones replace earlier ones.
      for (const [row, code] of codes.entries()) {
        const ticker = names[code]!;
        listed.set(ticker, days[row] ?? listed.get(ticker) ?? null);
      }
    }
    return listed;
  }

  async #scoresOf(window: ReturnType<typeof windowOf>, plan: AnalysisPlan): Promise<DataFrame> {
    const columns = columnsOf(this.scores[0]!, SCORES);
    if (this.scores[0]!.table === "scores") {
      return await this.#dated(this.scores, window.scores, columns);
    }
    const overlapping = this.scores.filter((file) => overlaps(file, window.scores));
    const earlier = this.scores.filter(({ year }) => dayOf(year, "12-31") < window.scores.from);
    const read = (files: readonly Partition[]) =>
      this.#rows(files, (rows) => rows.select(...columns));
    let sets = await read(
      overlapping.length > 0 ? overlapping : [earlier.pop() ?? this.scores[0]!],
    );
    let cropped = cropSets(sets, window, plan);
    // The set in force at the start of the window can be much older.
    while (!cropped.isWhole && earlier.length > 0) {
      sets = pl.concat([await read([earlier.pop()!]), cropped.rows]);
      cropped = cropSets(sets, window, plan);
    }
    return cropped.rows;
  }

  /** Sessions of all scores, from their time columns; one file is in memory at a time. */
  async #placed(sessions: Int32Array, question: SampleQuestion): Promise<PlacedScores | null> {
    const times: DataFrame[] = [];
    for (const file of this.scores) {
      times.push(await readFileTimes(this.#dataset, file, columnsOf(file, TIMES)));
    }
    return placeSample(pl.concat(times), sessions, question);
  }

  /** Rows of a span of dates; only these are read into memory. */
  async #dated(
    files: readonly Partition[],
    span: DaySpan,
    columns: readonly Expr[],
  ): Promise<DataFrame> {
    const needed = files.filter((file) => overlaps(file, span));
    return await this.#rows(
      needed.length === 0 ? files.slice(0, 1) : needed,
      (rows) => cropDates(rows.select(...columns), span),
    );
  }

  async #rows(
    files: readonly Partition[],
    select: (rows: LazyDataFrame) => LazyDataFrame,
  ): Promise<DataFrame> {
    const frames = [];
    for (const file of files) frames.push(await select(await this.#dataset.scan(file)).collect());
    return frames.length === 1 ? frames[0]! : pl.concat(frames);
  }
}

/** Columns that a file has, under their names in frames. */
function columnsOf({ table }: Partition, names: readonly string[]): readonly Expr[] {
  return TABLES[table].columns.filter(({ name }) => names.includes(name))
    .map(({ name, given = name }) => pl.col(name).alias(given));
}

function filesOf(
  { partitions }: Dataset,
  table: TableName,
  factor: string | null,
): readonly Partition[] {
  return partitions.filter((file) => file.table === table && file.factor === factor)
    .toSorted((a, b) => a.year - b.year);
}

function overlaps({ year }: Partition, { from, to }: DaySpan): boolean {
  return dayOf(year, "01-01") <= to && dayOf(year, "12-31") >= from;
}

function dayOf(year: number, rest: string): number {
  return toEpochDay(`${year}-${rest}`);
}

function assertOneVersion(
  scores: readonly Partition[],
  { folder, factor }: { readonly folder: string; readonly factor: string },
): void {
  const versions = new Set(scores.flatMap((file) => file.versions));
  if (versions.size < 2) return;
  throw new TypeError(
    `Cannot ${ACTION} of ${folder}: expected ${factor} of one factor_version, got ` +
      `${[...versions].join(" and ")}; export each to a dataset of its own`,
  );
}

function wrongTable(
  { folder, partitions }: Dataset,
  { factor, table, tables }: {
    readonly factor: string;
    readonly table: string | null;
    readonly tables: readonly string[];
  },
): RangeError {
  if (tables.length > 1 && table === null) {
    return new RangeError(
      `Cannot ${ACTION} of ${folder}: expected one table with ${factor}, got ` +
        `${tables.join(", ")}; name one as the table`,
    );
  }
  const factors = new Set(partitions.flatMap((file) => file.factor ?? []));
  return new RangeError(
    `Cannot ${ACTION} of ${folder}: expected a factor of the dataset (${
      [...factors].join(", ") || "it has none"
    })${table === null ? "" : ` in the table ${table}`}, got ${describe(factor)}`,
  );
}

/**
 * Times of the sets in a file of scores: at most two rows per time, one with a score and one without. A file is read once
 * in a program, as long as its bytes stay the same.
 *
 * @param columns Columns of times to read
 * @throws {IntegrityError} If the file is read, and is missing or has other bytes than the state says
 */
export async function readFileTimes(
  dataset: Dataset,
  file: Partition,
  columns: readonly Expr[],
): Promise<DataFrame> {
  const key = `${file.sha256} ${file.path}`;
  const read = async () => {
    const rows = await dataset.scan(file);
    return await rows.select(...columns, pl.col("score").mul(pl.lit(0)).alias("score")).unique()
      .collect();
  };
  const times = known.get(key) ?? await read();
  known.delete(key);
  known.set(key, times);
  if (known.size > MAX_FILES) known.delete(known.keys().next().value!);
  return times;
}

/**
 * Finds the sessions in which scores are in force; `null` if there are none. Uses only the times of scores, and if any row of
 * a time has a score.
 *
 * @param scores Rows with the time columns of the scores; rows with a null `score` have none, a missing column means all have
 * @param sessions The sessions, ascending, in days since 1970-01-01
 */
export function placeSample(
  scores: DataFrame,
  sessions: Int32Array,
  { plan, returns: asked }: SampleQuestion,
): PlacedScores | null {
  if (sessions.length === 0 || scores.height === 0) return null;
  const price = asked.price ?? "close";
  const prices = pl.DataFrame([
    dayColumn("date", sessions),
    pl.Series("ticker", Array.from(sessions, () => "x"), pl.Utf8),
    numberColumn(price, new Float64Array(sessions.length).fill(1)),
  ]);
  const returns = forwardReturns(prices, {
    periods: [1],
    price,
    still: true,
    sessions: [...sessions].map(fromEpochDay),
  });
  const { groups: _, score: __, ...rules } = plan.align;
  const rows = readScoreRows(timesOf(scores), { score: "score" });
  const { places, refused } = placeRows(rows, returns, { ...rules, entry: rules.entry ?? "next" });
  let [from, to] = [Infinity, 0];
  const signals = new Set<number>();
  for (const [row, time] of rows.timeOf.entries()) {
    if (places.fates[time] !== null || (refused?.[row] ?? 0) !== 0) continue;
    from = Math.min(from, places.from[time]!);
    to = Math.max(to, places.to[time]!);
    if (!Number.isNaN(rows.scores[row]!)) signals.add(sessions[places.from[time]!]!);
  }
  return from >= to ? null : {
    from: sessions[from]!,
    to: sessions[to - 1]!,
    signals: Int32Array.from(signals).sort(),
    livesOn: rows.kind === "date",
  };
}

/** At most two rows per time: one with a score, and one without. */
function timesOf(scores: DataFrame): DataFrame {
  const names = TIME_COLUMNS.filter((name) => scores.columns.includes(name));
  const score = scores.columns.includes("score")
    ? pl.col("score").mul(pl.lit(0)).cast(pl.Float64)
    : pl.lit(0).cast(pl.Float64);
  return scores.select(...names, score.alias("score")).unique()
    .withColumns(pl.lit("x").alias("ticker"));
}
