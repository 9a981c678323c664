import type { DataFrame } from "nodejs-polars";
import type { SignalInputs } from "./probed_input.ts";

/** A function from frames to a frame. */
export type Signal<Inputs extends SignalInputs> = (
  inputs: Inputs,
) => DataFrame | Promise<DataFrame>;

/** Output of a signal. */
export interface SignalRun {
  readonly frame: DataFrame;
  /** Names of inputs that the signal changed. */
  readonly mutated: readonly string[];
}

/** Runs a signal on copies of its inputs, so that changes to them do not affect other runs. */
export async function runSignal<Inputs extends SignalInputs>(
  signal: Signal<Inputs>,
  inputs: SignalInputs,
): Promise<SignalRun> {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, frame]) => [name, frame.clone()]),
  );
  const copies = { ...given };
  const frame = await signal(given as unknown as Inputs);
  const mutated = Object.entries(inputs)
    .filter(([name, before]) => given[name] !== copies[name] || !isSame(before, copies[name]!))
    .map(([name]) => name);
  return { frame, mutated };
}

function isSame(before: DataFrame, after: DataFrame): boolean {
  return before.columns.join() === after.columns.join() && before.frameEqual(after);
}
