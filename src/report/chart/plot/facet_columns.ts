/** Number of pictures side by side for a number of facets. */
export function facetColumns(count: number): number {
  return count <= 4 && count !== 3 ? Math.max(1, Math.min(2, count)) : 3;
}
