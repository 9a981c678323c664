import { ContractViolation } from "./violation.ts";

/**
 * Parses JSON text without repeated names in an object: `JSON.parse` would use the last one, and two scores of one ticker are
 * not a score.
 *
 * @throws {ContractViolation} If it is not JSON, or a name repeats
 */
export function parseJson(text: string): unknown {
  const value = parse(text);
  assertNamesDiffer(text);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ContractViolation("the body", "JSON", text);
  }
}

// A string, with the colon that makes it a name; or the start or end of an object.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"([ \t\r\n]*:)?|[{}]/g;

// The text is valid JSON; only the names of different objects have to be distinguished.
function assertNamesDiffer(text: string): void {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) addName(open.at(-1)!, token.slice(0, -colon.length));
  }
}

function addName(names: Set<string>, literal: string): void {
  const name = JSON.parse(literal) as string;
  if (names.has(name)) {
    throw new ContractViolation("the body", "JSON without a repeated name in one object", name);
  }
  names.add(name);
}
