import { type Check, encodeCheck, parseCheck } from "../../contract/scores/check.ts";
import type { Instant } from "../../contract/instant.ts";
import { anInstant, object, read, readBy, write } from "../../contract/schema.ts";
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

const STORED_CHECK = object<StoredCheck>({
  retrievedAt: anInstant,
  origin: readBy(String),
  check: readBy(parseCheck, encodeCheck),
});

/** Name and text of a check file; the name depends on the check alone and not on its receipt. */
export function encodeStoredCheck(stored: StoredCheck): { name: string; text: string } {
  const envelope = write(STORED_CHECK, stored);
  const name = checkName(stored.check.lastCheckedAt, JSON.stringify(envelope["check"]));
  return { name, text: sealText(envelope, 1) };
}

/** Name of the file of a check. */
export function storedCheckName(check: Check): string {
  return checkName(check.lastCheckedAt, JSON.stringify(encodeCheck(check)));
}

/**
 * Reads the text of a check file.
 *
 * @param isSealed Refuses a text without a hash
 * @throws {ContractViolation} If a field is malformed
 */
export function parseStoredCheck(text: string, isSealed = false): StoredCheck {
  return read(STORED_CHECK, readSealed(text, isSealed), "$");
}
