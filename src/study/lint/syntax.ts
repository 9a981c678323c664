import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";

/** A node of a syntax tree, as ESTree has it; what TypeScript adds begins with `TS`. */
export interface SyntaxNode {
  /** Kind of the node. */
  readonly type: string;
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last one. */
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

const CellParser = Parser.extend(tsPlugin());

// TypeScript that is left out of what runs, but for these, which hold an expression or are one.
const RUNNING_TYPES =
  /^TS(As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSEnum|^TSParameterProperty$|^TSExportAssignment$/;

/**
 * Statements of a cell, which may wait at its top level.
 *
 * @throws {SyntaxError} If it is no TypeScript
 */
export function parseCell(code: string): readonly SyntaxNode[] {
  const program = CellParser.parse(code, {
    ecmaVersion: "latest",
    sourceType: "module",
    locations: true,
    allowAwaitOutsideFunction: true,
  });
  return program.body as unknown as readonly SyntaxNode[];
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

/** All nodes directly below one, in their order, without those that only the type checker reads. */
export function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  for (const value of Object.values(node)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isNode(part) && !isErased(part)) parts.push(part);
    }
  }
  return parts;
}

/** Tests if only the type checker reads a node, so that nothing of it runs. */
export function isErased({ type }: SyntaxNode): boolean {
  return type.startsWith("TS") && !RUNNING_TYPES.test(type);
}

/** The text of a name, or of a name below another (`api.scores`); `null` for any other expression. */
export function dottedName(node: SyntaxNode): string | null {
  if (node.type === "Identifier") return node.name as string;
  if (node.type !== "MemberExpression" || node.computed === true) return null;
  const owner = dottedName(node.object as SyntaxNode);
  return owner === null ? null : `${owner}.${(node.property as SyntaxNode).name as string}`;
}

/** The expression behind `as`, `satisfies`, `!` and brackets. */
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
