import { createHash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import type { PartInput } from "../part/compute/compute_part.ts";
import type { DaySpan } from "../part/part_tables.ts";
import { dayColumn } from "../../../frames/frame/typed/make_columns.ts";
import { placeSample } from "../part/compute/place_sample.ts";
import { toEpochDay } from "../../../base/calendar/civil_date.ts";
import type { ScoresOrigin } from "../../../analysis/factor/scores_origin.ts";
import { describeScores, distinct } from "../part/part_facts.ts";
import type { Sample, SampleContext, SampleQuestion } from "../part/compute/sample.ts";
import { deriveScores } from "./derive_scores.ts";
import type { SweepSource } from "./sweep_source.ts";
import type { Variant } from "./variant.ts";

/** Scores of a variant and prices of a dataset, read one part at a time. */
export class VariantSample {
  readonly #variant: Variant;
  readonly #source: SweepSource;
  readonly #samples: ReadonlyMap<string, Sample>;

  /**
   * @throws {RangeError} If the dataset lacks a factor of the variant among its scores by session, or prices
   */
  constructor(source: SweepSource, variant: Variant) {
    this.#variant = variant;
    this.#source = source;
    this.#samples = new Map(
      Object.keys(variant.weights).map((factor) => [factor, source.sample(factor)]),
    );
  }

  /** First and last day of the scores and prices. */
  get days(): DaySpan {
    const all = this.#all.map(({ days }) => days);
    return {
      from: Math.min(...all.map(({ from }) => from)),
      to: Math.max(...all.map(({ to }) => to)),
    };
  }

  /** Checksums of the releases of the scores. */
  get releases(): readonly string[] {
    return distinct(this.#all.flatMap(({ scores }) => scores.flatMap(({ releases }) => releases)));
  }

  /** Description of the scores. */
  get origin(): ScoresOrigin {
    const files = this.#all.flatMap(({ scores }) => scores);
    return describeScores(this.#variant.name, files);
  }

  /** Hash of the manifest lines of its files. */
  get fingerprint(): string {
    const hash = createHash("sha256");
    for (const { fingerprint } of this.#all) hash.update(fingerprint);
    return hash.digest("hex");
  }

  /** Reads the rows of a part and of its margin. */
  async read(own: DaySpan, question: SampleQuestion): Promise<PartInput> {
    const { sessions, ...market } = await this.#source.market(own, question);
    const context = { question, sessions };
    return {
      own,
      scores: await this.#scores(own, context),
      ...market,
      placed: await this.#placed(context),
      // Only the correlations of a variant are computed.
      book: null,
    };
  }

  get #all(): readonly Sample[] {
    return [...this.#samples.values()];
  }

  // Lagged scores come from earlier sessions, which are at most two days apart on average.
  get #lagDays(): number {
    return 2 * this.#variant.lag + 10;
  }

  async #scores(own: DaySpan, context: SampleContext): Promise<DataFrame> {
    const earlier = { from: own.from - this.#lagDays, to: own.to };
    const rows = new Map<string, DataFrame>();
    for (const [factor, sample] of this.#samples) {
      rows.set(factor, await sample.readScores(earlier, context));
    }
    const derived = deriveScores(this.#variant, rows, context.sessions);
    return derived.filter(pl.col("date").cast(pl.Int32).ltEq(pl.lit(own.to)));
  }

  /** The first and the last session in which the variant has rows. */
  async #placed(context: SampleContext): Promise<DaySpan | null> {
    const files = this.#all.flatMap(({ scores }) => scores);
    const from = Math.min(...files.map(({ first }) => toEpochDay(first)));
    const last = Math.max(...files.map(({ last }) => toEpochDay(last)));
    const { sessions } = context;
    // A lagged score is used in the last session at the latest.
    const to = this.#variant.lag === 0 ? last : Math.max(last, sessions.at(-1) ?? last);
    const first = this.#known(from, context) ??
      await this.#firstOf(spansFrom({ from, to }, "first"), context);
    const end = this.#known(last, context) ??
      await this.#firstOf(spansFrom({ from, to }, "last"), context);
    return first === null || end === null ? null : { from: first.from, to: end.to };
  }

  /** Session in which scores of the first or last day of the manifest are used; `null` if only their rows can show it. */
  #known(day: number, { sessions, question }: SampleContext): DaySpan | null {
    const { lag, universe } = this.#variant;
    // The only ticker of a day may be outside of the universe, or missing in another factor.
    if (universe !== null || this.#samples.size > 1) return null;
    const place = sessions.indexOf(day);
    const used = place === -1 ? undefined : sessions[place + lag];
    if (used === undefined) return null;
    const row = pl.DataFrame([dayColumn("date", Int32Array.of(used))]);
    return placeSample(row, sessions, question);
  }

  /** Days of the variant's rows in the first span that has any. */
  async #firstOf(spans: Iterable<DaySpan>, context: SampleContext): Promise<DaySpan | null> {
    for (const span of spans) {
      const rows = (await this.#scores(span, context))
        .filter(pl.col("date").cast(pl.Int32).gtEq(pl.lit(span.from)));
      const placed = placeSample(rows, context.sessions, context.question);
      if (placed !== null) return placed;
    }
    return null;
  }
}

/** Splits a span into disjoint ones from one end on, each twice as long as the one before. */
function* spansFrom({ from, to }: DaySpan, end: "first" | "last"): Iterable<DaySpan> {
  let [done, length] = [0, 8];
  while (done <= to - from) {
    const last = Math.min(done + length, to - from + 1) - 1;
    yield end === "first"
      ? { from: from + done, to: from + last }
      : { from: to - last, to: to - done };
    [done, length] = [last + 1, 2 * length];
  }
}
