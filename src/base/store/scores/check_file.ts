import { type Check, encodeCheck, parseCheck } from "../../contract/scores/check.ts";
import { type Instant, parseInstant } from "../../contract/instant.ts";
import { checkName } from "../layout.ts";
import { readSealed, sealText } from "../sealed_text.ts";

/** A check with its time and place of receipt. */
export interface StoredCheck {
  /** The check from the service. */
  readonly check: Check;
  /** Time of first receipt, or of its creation by a world. */
  readonly retrievedAt: Instant;
  /** Base address of the service, or the name of the world. */
  readonly origin: string;
}

/** Name and text of a check file; the name depends on the check alone and not on its receipt. */
export function encodeStoredCheck(stored: StoredCheck): { name: string; text: string } {
  const check = encodeCheck(stored.check);
  const envelope = { retrieved_at: stored.retrievedAt, origin: stored.origin, check };
  return { name: nameOf(stored.check, check), text: sealText(envelope, 1) };
}

/** Name of the file of a check. */
export function storedCheckName(check: Check): string {
  return nameOf(check, encodeCheck(check));
}

function nameOf({ lastCheckedAt }: Check, encoded: object): string {
  return checkName(lastCheckedAt, JSON.stringify(encoded));
}

/**
 * Reads the text of a check file.
 *
 * @throws {ContractViolation} If a field is malformed
 */
export function parseStoredCheck(text: string): StoredCheck {
  const value = readSealed(text);
  return {
    check: parseCheck(value.check),
    retrievedAt: parseInstant(value.retrieved_at, "$.retrieved_at"),
    origin: String(value.origin),
  };
}
