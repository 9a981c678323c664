import type { HeldOut } from "../../../frames/frame/provenance/held_out.ts";
import type { Partition } from "../state.ts";

/** Hold-out of the study from which the rows of some files come, taken from the file that records the most looks; `null` without one. */
export function heldOutOfFiles(files: readonly Pick<Partition, "heldOut">[]): HeldOut | null {
  const known = files.flatMap(({ heldOut }) => heldOut === undefined ? [] : [heldOut]);
  return known.toSorted((a, b) => a.looks - b.looks).at(-1) ?? null;
}
