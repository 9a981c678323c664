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
