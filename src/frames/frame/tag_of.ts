/** Tag of an object, such as `DataFrame` of one of Polars; undefined for anything else. */
export function tagOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag];
}
