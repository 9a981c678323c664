import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";

/**
 * Refuses prices from which an outcome in the hold-out of the scores could be computed.
 *
 * @param heldOut Hold-out of the study of the scores; `null` for none
 * @param last The last session of the prices; `undefined` without any
 * @throws {RangeError} If they reach into a hold-out that was not opened
 */
export function assertHeldOut(
  action: string,
  heldOut: HeldOut | null,
  last: string | undefined,
): void {
  if (heldOut === null || heldOut.isOpen) return;
  if (last === undefined || last < heldOut.from) return;
  throw new RangeError(
    `Cannot ${action}: expected prices that end before ${heldOut.from}, from which the study of the scores holds ` +
      `sessions out, got prices to ${last}; read them from a file in the folder of the study, or open the hold-out with ` +
      "study.openHoldOut(NAME)",
  );
}
