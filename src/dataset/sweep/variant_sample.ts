import { createHash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import type { PartInput } from "../../analysis/by_part/compute_part.ts";
import type { DaySpan } from "../../analysis/by_part/part_tables.ts";
import { placeSample } from "../../analysis/by_part/place_sample.ts";
import type { ScoresOrigin } from "../../analysis/factor/analysis_options.ts";
import type { Dataset } from "../open_dataset.ts";
import { describeScores, distinct } from "../part/part_facts.ts";
import { Sample, type SampleContext, type SampleQuestion } from "../part/sample.ts";
import { partitionsOf } from "../part/partition_name.ts";
import { deriveScores } from "./derive_scores.ts";
import type { Variant } from "./variant.ts";

/** The scores of a variant and the prices of a dataset, of which a part at a time is read. */
export class VariantSample {
  readonly #variant: Variant;
  readonly #samples: ReadonlyMap<string, Sample>;

  /**
   * @throws {RangeError} If the dataset lacks a factor of the variant among its scores by session, or prices
   */
  constructor(dataset: Dataset, variant: Variant) {
    this.#variant = variant;
    this.#samples = new Map(
      Object.keys(variant.weights).map((factor) => [factor, new Sample(dataset, factor, "scores")]),
    );
  }

  /** The first and the last day of which the dataset has anything: whole years. */
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

  /** What the scores are, in words. */
  get origin(): ScoresOrigin {
    const files = this.#all.flatMap(({ scores }) => scores);
    return describeScores(this.#variant.name, files);
  }

  /** What the files say of themselves in one hash. */
  get fingerprint(): string {
    const hash = createHash("sha256");
    for (const { fingerprint } of this.#all) hash.update(fingerprint);
    return hash.digest("hex");
  }

  /** Reads what a part is computed from: its rows, and those of its margin. */
  async read(own: DaySpan, question: SampleQuestion): Promise<PartInput> {
    const context = { question, sessions: await this.#first.sessions() };
    return {
      own,
      scores: await this.#scores(own, context),
      ...await this.#first.readPrices(own, context),
      placed: await this.#placed(context),
    };
  }

  get #all(): readonly Sample[] {
    return [...this.#samples.values()];
  }

  get #first(): Sample {
    return this.#all[0]!;
  }

  async #scores(own: DaySpan, context: SampleContext): Promise<DataFrame> {
    // Lagged scores come from so many sessions before: a session is never more than two days on average.
    const earlier = { from: own.from - 2 * this.#variant.lag - 10, to: own.to };
    const rows = new Map<string, DataFrame>();
    for (const [factor, sample] of this.#samples) {
      rows.set(factor, await sample.readScores(earlier, context));
    }
    const derived = deriveScores(this.#variant, rows, context.sessions);
    return derived.filter(pl.col("date").cast(pl.Int32).ltEq(pl.lit(own.to)));
  }

  /** The first and the last session in which the variant has rows. */
  async #placed(context: SampleContext): Promise<DaySpan | null> {
    const years = partitionsOf(this.days, "year").map(({ span }) => span);
    const ends = async (spans: readonly DaySpan[]) => {
      for (const span of spans) {
        const rows = (await this.#scores(span, context))
          .filter(pl.col("date").cast(pl.Int32).gtEq(pl.lit(span.from)));
        const placed = placeSample(rows, context.sessions, context.question);
        if (placed !== null) return placed;
      }
      return null;
    };
    const first = await ends(years);
    const last = first === null ? null : await ends(years.toReversed());
    return first === null || last === null ? null : { from: first.from, to: last.to };
  }
}
