import { ContractViolation } from "./violation.ts";

/**
 * Reads JSON text in which no object has a name twice: `JSON.parse` lets the last one win, and two numbers for one
 * score are none.
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

// A string, with what makes it a name; or the beginning or end of an object.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"([ \t\r\n]*:)?|[{}]/g;

// The text is known to be JSON: what is left is to tell the names of one object from those of another.
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
