import type { DataFrame } from "nodejs-polars";

/**
 * State of closes: `none` as traded, `splits` adjusted for splits, `all` for dividends, too; `unknown` if nothing says which.
 *
 * @internal
 */
export type CloseState = "none" | "splits" | "all" | "unknown";

/** Each state in words, to follow "closes". */
export const STATE_WORDS: Readonly<Record<CloseState, string>> = {
  none: "as traded",
  splits: "adjusted for splits",
  all: "adjusted for splits and dividends",
  unknown: "whose adjustment is not known",
};
const ORDER: readonly CloseState[] = ["unknown", "none", "splits", "all"];

/**
 * State of the closes of a frame, from its column `adjusted`: a state, or `true` and `false`. Of several states the one that
 * promises least.
 */
export function stateOfCloses(frame: DataFrame): CloseState {
  if (!frame.columns.includes("adjusted") || frame.height === 0) return "unknown";
  const values = (frame.getColumn("adjusted").unique().toArray() as unknown[])
    .filter((value) => value !== null);
  const states = values.map((value) =>
    value === true ? "all" : value === false ? "none" : String(value)
  );
  return ORDER.find((state) => states.includes(state)) ?? "unknown";
}
