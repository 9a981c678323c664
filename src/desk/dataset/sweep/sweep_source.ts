import type { Dataset } from "../open_dataset.ts";
import { type PartInput, returnsOfPart } from "../part/compute/compute_part.ts";
import { Sample, type SampleQuestion } from "../part/compute/sample.ts";
import type { DaySpan } from "../part/part_tables.ts";

/** Prices of a partition and its margin, with their sessions and forward returns. */
export type SweepMarket =
  & Required<Pick<PartInput, "prices" | "listed" | "returns">>
  & { readonly sessions: Int32Array };

/** Files of a dataset that the variants of a sweep share in one partition: read, and compared with the manifest, once. */
export class SweepSource {
  readonly #dataset: Dataset;
  readonly #samples = new Map<string, Sample>();
  #market: Promise<SweepMarket> | null = null;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  /**
   * The scores of a factor by session, and the prices.
   *
   * @throws {RangeError} If the dataset lacks the factor among its scores by session, or prices
   */
  sample(factor: string): Sample {
    const sample = this.#samples.get(factor) ?? new Sample(this.#dataset, factor, "scores");
    this.#samples.set(factor, sample);
    return sample;
  }

  /** The market of the partition, which is the same for all factors. */
  market(own: DaySpan, question: SampleQuestion): Promise<SweepMarket> {
    return this.#market ??= this.#readMarket(own, question);
  }

  async #readMarket(own: DaySpan, question: SampleQuestion): Promise<SweepMarket> {
    const [sample] = this.#samples.values();
    const sessions = await sample!.sessions(question);
    const read = await sample!.readPrices(own, { question, sessions });
    return { sessions, ...read, returns: returnsOfPart(read, question) };
  }
}
