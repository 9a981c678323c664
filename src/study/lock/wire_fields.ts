import { type Factor, parseFactor } from "../../base/contract/factor.ts";
import { isSha256, isUuid } from "../../base/contract/identifier.ts";
import { isPlainObject } from "../../base/contract/is_object.ts";
import { ContractViolation } from "../../base/contract/violation.ts";

/** An object as it was read from JSON. */
export type Wire = Readonly<Record<string, unknown>>;

/** An object that is no list. */
export function objectOf(value: unknown, path: string): Wire {
  if (isPlainObject(value)) return value;
  throw new ContractViolation(path, "an object", value);
}

/** A non-empty text. */
export function textOf(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new ContractViolation(path, "text that is not empty", value);
}

/** True or false. */
export function flagOf(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw new ContractViolation(path, "true or false", value);
}

/** A whole number of at least 0. */
export function countOf(value: unknown, path: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new ContractViolation(path, "a whole number of at least 0", value);
}

/** A SHA-256 in hexadecimal. */
export function hashOf(value: unknown, path: string): string {
  if (isSha256(value)) return value;
  throw new ContractViolation(path, "64 hexadecimal digits", value);
}

/** A UUID. */
export function uuidOf(value: unknown, path: string): string {
  if (isUuid(value)) return value;
  throw new ContractViolation(path, "a UUID", value);
}

/** The factor of a line. */
export function factorOf(wire: Wire, path: string): Factor {
  return parseFactor(wire.factor, `${path}.factor`);
}
