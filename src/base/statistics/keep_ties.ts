const DECIMALS = 1e12;

/** A value rounded to 12 decimals, so that what is equal but for the rounding of a sum stays tied; 0 for −0. */
export function keepTies(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS + 0;
}
