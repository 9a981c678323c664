/** A p value below it counts as evidence: chance alone gives one in twenty. */
export const LEVEL = 0.05;

/** The upper end of a two-sided interval that leaves {@link LEVEL} outside, as a probability. */
export const UPPER_END = 0.975;
