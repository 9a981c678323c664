/** Headings of a judgement, in their order. */
export const TOPICS = {
  sample: "Sample and losses",
  assumptions: "Assumptions",
  ic: "Information coefficient",
  robustness: "Robustness",
  trials: "Multiple testing",
  decay: "Decay",
  quantiles: "Quantile returns",
  costs: "Turnover and costs",
  limits: "Limitations",
} as const;

/** One sentence of a judgement, with the number that it rests on. */
export interface Fact {
  /** Its heading. */
  readonly topic: string;
  /** The sentence. */
  readonly statement: string;
  /** Its number; `null` if it has none. */
  readonly value: number | null;
  /** Lower end of the 95% interval of the number. */
  readonly low: number | null;
  /** Upper end of the 95% interval of the number. */
  readonly high: number | null;
  /** Number of observations that it rests on. */
  readonly n: number | null;
  /** The frame of the analysis in which the number stands. */
  readonly source: string;
}

/** A sentence; omitted numbers are `null`. */
export function fact(
  topic: string,
  statement: string,
  about: Partial<Omit<Fact, "topic" | "statement">> & Pick<Fact, "source">,
): Fact {
  return { topic, statement, value: null, low: null, high: null, n: null, ...about };
}
