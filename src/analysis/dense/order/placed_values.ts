/** The values that places refer to. */
export interface PlacedValues {
  /** The values. */
  readonly values: Float64Array;
  /** Where place 0 is among them. */
  readonly base: number;
}
