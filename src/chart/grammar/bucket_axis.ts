/** Words of an axis of buckets. */
export const BUCKET_TITLE = "quantile, 1 is the lowest score";

/** The horizontal axis of buckets that each have a place of their own. */
export const BUCKET_AXIS = {
  field: "quantile",
  type: "ordinal",
  title: BUCKET_TITLE,
  axis: { labelAngle: 0 },
} as const;
