import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";

/** A node of an ESTree syntax tree; additions of TypeScript begin with `TS`. */
export interface SyntaxNode {
  /** Kind of the node. */
  readonly type: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character. */
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

const FUNCTION_OR_TOP = 3;

/** The parser, with what a cell may do and a module may not: export a name of another cell, and define a function twice. */
function asCell(base: typeof Parser): typeof Parser {
  return class extends base {
    checkLocalExport(): void {}

    treatFunctionsAsVarInScope(scope: { readonly flags: number }): boolean {
      return (scope.flags & FUNCTION_OR_TOP) !== 0;
    }
  };
}

const CellParser = Parser.extend(tsPlugin(), asCell);
const MarkupParser = Parser.extend(tsPlugin({ jsx: true }), asCell);

// All that reads a tree calls itself, and the stack has an end.
const MAX_DEPTH = 1_500;

// TypeScript nodes are erased, except for these, which contain an expression.
const RUNNING_TYPES =
  /^TS(As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSEnum|^TSParameterProperty$|^TSExportAssignment$/;

/**
 * Statements of a cell, which may use `await` at its top level, contain JSX, or be the literal of an object.
 *
 * @throws {SyntaxError} If it is not valid TypeScript
 * @throws {RangeError} If it is nested too deeply
 */
export function parseCell(code: string): readonly SyntaxNode[] {
  try {
    return statementsOf(CellParser, code);
  } catch (error) {
    // The kernel takes `{ a: 1, b: 2 }` for an object, unless a semicolon ends it.
    if (/^\s*\{[^]*[^;\s]\s*$/.test(code)) {
      const object = tried(() => statementsOf(CellParser, `(${code})`));
      if (object !== null) return object;
    }
    const markup = code.includes("<") ? tried(() => statementsOf(MarkupParser, code)) : null;
    if (markup !== null) return markup;
    throw error;
  }
}

function statementsOf(parser: typeof Parser, code: string): readonly SyntaxNode[] {
  const program = parser.parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    locations: true,
    allowAwaitOutsideFunction: true,
  });
  const statements = program.body as unknown as readonly SyntaxNode[];
  let level = statements;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new RangeError("nested too deeply");
    level = level.flatMap(partsOf);
  }
  return statements;
}

function tried<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The node below a key, or `null`. */
export function childOf(node: SyntaxNode, key: string): SyntaxNode | null {
  return isNode(node[key]) ? node[key] : null;
}

/** The nodes of a list below a key; gaps of a pattern are left out. */
export function childrenOf(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const list = node[key];
  return Array.isArray(list) ? list.filter(isNode) : [];
}

/** Child nodes of a node in order, without those for the type checker only. */
export function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isNode(part) && !isErased(part)) parts.push(part);
    }
  }
  return parts;
}

/** Tests if a node is for the type checker only and does not run. */
export function isErased({ type }: SyntaxNode): boolean {
  return type.startsWith("TS") && !RUNNING_TYPES.test(type);
}

/** Text of a name or of a member (`api.scores`); `null` for any other expression. */
export function dottedName(node: SyntaxNode): string | null {
  if (node.type === "Identifier") return node.name as string;
  if (node.type !== "MemberExpression" || node.computed === true) return null;
  const owner = dottedName(node.object as SyntaxNode);
  return owner === null ? null : `${owner}.${(node.property as SyntaxNode).name as string}`;
}

/** Expression without `as`, `satisfies`, `!` and parentheses. */
export function bare(node: SyntaxNode): SyntaxNode {
  const isWrapper = node.type.startsWith("TS") || node.type === "ParenthesizedExpression";
  const inner = isWrapper ? childOf(node, "expression") : null;
  return inner === null ? node : bare(inner);
}

/** The line of a node in its cell, from 1. */
export function lineOf(node: SyntaxNode): number {
  return node.loc.start.line;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string" && "start" in value;
}
