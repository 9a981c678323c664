/** Title of an axis of quantiles. */
export const BUCKET_TITLE = "quantile, 1 is the lowest score";

/** Horizontal axis with one position per quantile. */
export const BUCKET_AXIS = {
  field: "quantile",
  type: "ordinal",
  title: BUCKET_TITLE,
  axis: { labelAngle: 0 },
} as const;
