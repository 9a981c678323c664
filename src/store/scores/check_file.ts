import { type Check, encodeCheck, parseCheck } from "../../contract/scores/check.ts";
import { type Instant, parseInstant } from "../../contract/instant.ts";
import { checkName } from "../layout.ts";

/** A check together with how it came into the store. */
export interface StoredCheck {
  /** The check as the service gave it. */
  readonly check: Check;
  /** When it was first received, or made by a world. */
  readonly retrievedAt: Instant;
  /** Base address of the service, or the name of the world. */
  readonly origin: string;
}

/** The name and the text of a check file; the name depends on the check alone, not on when it was received. */
export function encodeStoredCheck(stored: StoredCheck): { name: string; text: string } {
  const check = encodeCheck(stored.check);
  const envelope = { retrieved_at: stored.retrievedAt, origin: stored.origin, check };
  return {
    name: checkName(stored.check.lastCheckedAt, JSON.stringify(check)),
    text: `${JSON.stringify(envelope, null, 1)}\n`,
  };
}

/**
 * Reads the text of a check file.
 *
 * @throws {ContractViolation} If a field is malformed
 */
export function parseStoredCheck(text: string): StoredCheck {
  const value: Record<string, unknown> = JSON.parse(text);
  return {
    check: parseCheck(value.check),
    retrievedAt: parseInstant(value.retrieved_at, "$.retrieved_at"),
    origin: String(value.origin),
  };
}
