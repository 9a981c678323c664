import { createHash } from "node:crypto";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import type { ForwardReturnsOptions } from "../../analysis/aligned/prices/forward_returns.ts";
import type { PartInput } from "../../analysis/by_part/compute_part.ts";
import { marginOf } from "../../analysis/by_part/part_margin.ts";
import type { DaySpan } from "../../analysis/by_part/part_tables.ts";
import { cropDates, cropSets, windowOf } from "../../analysis/by_part/part_window.ts";
import { placeSample } from "../../analysis/by_part/place_sample.ts";
import type { AnalysisPlan } from "../../analysis/factor/analysis_options.ts";
import { dayColumn } from "../../analysis/table/make_columns.ts";
import { readDays, readTexts } from "../../analysis/table/read_columns.ts";
import { toEpochDay } from "../../calendar/civil_date.ts";
import { describe } from "../../contract/violation.ts";
import type { Partition } from "../manifest.ts";
import type { Dataset } from "../open_dataset.ts";
import { type TableName, TABLES } from "../table.ts";

/** What is asked of a sample. */
export interface SampleQuestion {
  /** What is asked. */
  readonly plan: AnalysisPlan;
  /** How returns are computed, beside their horizons. */
  readonly returns: Omit<ForwardReturnsOptions, "periods">;
}

/** What the rows of a part are read for. */
export interface SampleContext {
  /** What is asked. */
  readonly question: SampleQuestion;
  /** All sessions, as {@link Sample.sessions} gives them. */
  readonly sessions: Int32Array;
}

const ACTION = "analyse a partition";
const SCORE_TABLES: readonly TableName[] = ["scores", "panel", "sets"];
const TIMES = ["date", "at", "last_checked_at", "calculated_at", "status"];
const SCORES = [...TIMES, "ticker", "score"];

/** The scores of one factor and the prices of a dataset, of which a part at a time is read. */
export class Sample {
  /** The files of the scores, ascending by year. */
  readonly scores: readonly Partition[];
  /** The files of the prices, ascending by year. */
  readonly prices: readonly Partition[];
  readonly #dataset: Dataset;

  /**
   * @param dataset The dataset
   * @param factor The factor
   * @param table Which table of scores; `null` for the only one that has the factor
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
    if (this.prices.length > 0) return;
    throw new RangeError(
      `Cannot ${ACTION} of ${dataset.folder}: expected prices beside the scores, got none; export ` +
        "them to the dataset, with exportDataset()",
    );
  }

  /** The first and the last day of which the dataset has anything: whole years. */
  get days(): DaySpan {
    const years = [...this.scores, ...this.prices].map(({ year }) => year);
    return {
      from: toEpochDay(`${Math.min(...years)}-01-01`),
      to: toEpochDay(`${Math.max(...years)}-12-31`),
    };
  }

  /** What the files say of themselves in one hash: parts of two states of a dataset are never merged. */
  get fingerprint(): string {
    const hash = createHash("sha256");
    for (const { path, numbers, releases } of [...this.scores, ...this.prices]) {
      hash.update(`${path} ${numbers} ${releases.join(" ")}\n`);
    }
    return hash.digest("hex");
  }

  /** Reads what a part is computed from: its rows, and those of its margin. */
  async read(own: DaySpan, question: SampleQuestion): Promise<PartInput> {
    const sessions = await this.sessions();
    return {
      own,
      scores: await this.readScores(own, { question, sessions }),
      ...await this.readPrices(own, { question, sessions }),
      placed: await this.#placed(sessions, question),
    };
  }

  /** Reads the scores of a part and its margin. */
  async readScores(own: DaySpan, { question, sessions }: SampleContext): Promise<DataFrame> {
    return await this.#scoresOf(windowAround(own, { question, sessions }), question.plan);
  }

  /** Reads the prices of a part and its margin, and the names of all prices. */
  async readPrices(
    own: DaySpan,
    { question, sessions }: SampleContext,
  ): Promise<Pick<PartInput, "prices" | "listed">> {
    const window = windowAround(own, { question, sessions });
    const price = question.returns.price ?? "close";
    return {
      prices: await this.#dated(this.prices, window.prices, ["date", "ticker", price]),
      listed: await this.#listed(`last_${price}`),
    };
  }

  /** The sessions of all prices, ascending, in days since 1970-01-01. */
  async sessions(): Promise<Int32Array> {
    const files = filesOf(this.#dataset, "sessions", null);
    const days = [];
    for (const file of files) {
      days.push(...readDays(ACTION, await this.#dataset.read(file), "date"));
    }
    return Int32Array.from(days);
  }

  /** Each name of the prices with the day of its last one. */
  async #listed(column: string): Promise<ReadonlyMap<string, number | null>> {
    const listed = new Map<string, number | null>();
    for (const file of filesOf(this.#dataset, "listings", null)) {
      const rows = await this.#dataset.read(file, ["ticker", column]);
      const { names, codes } = readTexts(ACTION, rows, "ticker");
      const days = rows.select(pl.col(column).cast(pl.Int32).alias("day")).getColumn("day")
        .toArray() as (number | null)[];
      // Later years come later, and replace earlier ones.
      for (const [row, code] of codes.entries()) {
        const ticker = names[code]!;
        listed.set(ticker, days[row] ?? listed.get(ticker) ?? null);
      }
    }
    return listed;
  }

  async #scoresOf(window: ReturnType<typeof windowOf>, plan: AnalysisPlan): Promise<DataFrame> {
    const columns = columnsOf(this.scores[0]!, SCORES);
    if (isDated(this.scores[0]!)) {
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
    // The set that is in force when the window begins can be much older.
    while (!cropped.isWhole && earlier.length > 0) {
      sets = pl.concat([await read([earlier.pop()!]), cropped.rows]);
      cropped = cropSets(sets, window, plan);
    }
    return cropped.rows;
  }

  async #placed(sessions: Int32Array, question: SampleQuestion): Promise<DaySpan | null> {
    const ends = async (files: readonly Partition[], known: "first" | "last") => {
      for (const file of files) {
        const placed = placeSample(dayOnly(file, known), sessions, question) ??
          placeSample(await this.#timesOf(file), sessions, question);
        if (placed !== null) return placed;
      }
      return null;
    };
    const first = await ends(this.scores, "first");
    const last = first === null ? null : await ends(this.scores.toReversed(), "last");
    return first === null || last === null ? null : { from: first.from, to: last.to };
  }

  async #timesOf(file: Partition): Promise<DataFrame> {
    const rows = await this.#dataset.scan(file);
    return await rows.select(...columnsOf(file, TIMES)).unique().collect();
  }

  /** Rows of a span of dates; none but those are in memory. */
  async #dated(
    files: readonly Partition[],
    span: DaySpan,
    columns: readonly string[],
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

function columnsOf({ table }: Partition, names: readonly string[]): readonly string[] {
  return names.filter((name) => TABLES[table].columns.some((column) => column.name === name));
}

/** The first or the last date of a file as its manifest has it; no row if its rows have instants. */
function dayOnly(file: Partition, known: "first" | "last"): DataFrame {
  const days = isDated(file) ? [toEpochDay(file[known])] : [];
  return pl.DataFrame([dayColumn("date", Int32Array.from(days))]);
}

function isDated({ table }: Partition): boolean {
  return table === "scores";
}

function windowAround(own: DaySpan, { question, sessions }: SampleContext) {
  const { plan, returns } = question;
  return windowOf(sessions, own, { margin: marginOf(plan, returns), plan });
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
  of: {
    readonly factor: string;
    readonly table: string | null;
    readonly tables: readonly string[];
  },
): RangeError {
  const { factor, table, tables } = of;
  if (tables.length > 1 && table === null) {
    return new RangeError(
      `Cannot ${ACTION} of ${folder}: expected one table with ${factor}, got ${
        tables.join(", ")
      }; ` +
        "name one as the table",
    );
  }
  const factors = new Set(partitions.flatMap((file) => file.factor ?? []));
  return new RangeError(
    `Cannot ${ACTION} of ${folder}: expected a factor of the dataset (${
      [...factors].join(", ") || "it has none"
    })${table === null ? "" : ` in the table ${table}`}, got ${describe(factor)}`,
  );
}
