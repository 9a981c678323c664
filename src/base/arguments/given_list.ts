import { describe } from "../contract/violation.ts";

const MOST = 6;

/** Description of an argument for a list, for errors: the values of a short list of numbers and texts, otherwise the kind. */
export function givenList(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0 || value.some(isNested)) {
    return Array.isArray(value) && value.length === 0 ? "an empty array" : describe(value);
  }
  const more = value.length > MOST ? `, … ${value.length} in all` : "";
  return `[${value.slice(0, MOST).map(describe).join(", ")}${more}]`;
}

function isNested(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
