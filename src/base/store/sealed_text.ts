import { ContractViolation } from "../contract/violation.ts";
import { sha256Hex } from "./layout.ts";

const SEAL = '"sha256"';

/**
 * JSON text of an object, ending with the SHA-256 of the preceding text, as in a set file: otherwise a changed time of receipt,
 * flag or label would go unnoticed.
 */
export function sealText(value: object, indent: number): string {
  const body = JSON.stringify(value, null, indent).slice(0, -"\n}".length);
  return `${body},\n${" ".repeat(indent)}${SEAL}: "${sha256Hex(body)}"\n}\n`;
}

/** `true` if a text ends with such a hash, be it right or wrong. */
export function hasSeal(text: string): boolean {
  return /"sha256": "[0-9a-f]*"\s*\}\s*$/.test(text);
}

/**
 * Reads such a text; line endings are ignored.
 *
 * @param isRequired Refuses a text without a hash. Version 0.1.0 wrote such texts, also its `store.json`: a store that begins
 * with a seal has no file without one
 * @throws {ContractViolation} If the hash at the end does not match, or is required and missing
 * @throws {SyntaxError} If it is not JSON
 */
export function readSealed(text: string, isRequired = false): Record<string, unknown> {
  const plain = text.replaceAll("\r", "");
  const value: unknown = JSON.parse(plain);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ContractViolation("$", "an object", value);
  }
  const { sha256, ...rest } = value as Record<string, unknown>;
  if (sha256 === undefined && !isRequired) return rest;
  const found = sha256Hex(plain.slice(0, plain.lastIndexOf(SEAL)).replace(/,\s*$/, ""));
  if (found === sha256) return rest;
  throw new ContractViolation("$.sha256", `"${found}" of the content`, sha256);
}
