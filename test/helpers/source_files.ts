import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseAst } from "vitest/node";

/** The root of the repository. */
export const ROOT: string = join(import.meta.dirname!, "..", "..");

/** One import or re-export of a source file, type imports inside types included. */
export interface Import {
  readonly specifier: string;
  /** The file it names, absolute; `null` for a package. */
  readonly target: string | null;
  /** Whether only types are imported. */
  readonly typeOnly: boolean;
  /** Whether it is loaded when it is reached, not with the file. */
  readonly dynamic: boolean;
}

/** A function and its length. */
export interface FunctionLength {
  readonly name: string;
  readonly lines: number;
}

/** A parsed source file. */
export interface SourceFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly functions: readonly FunctionLength[];
  /** Constructs that the house style forbids. */
  readonly forbidden: readonly string[];
}

/** A node of the syntax tree, as the parser of vitest gives it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Reads and parses `mod.ts` and every TypeScript file below `src`. */
export async function sourceFiles(): Promise<readonly SourceFile[]> {
  const below = await readdir(join(ROOT, "src"), { recursive: true });
  const paths = below.filter((path) => path.endsWith(".ts")).map((path) => join("src", path));
  return await Promise.all(["mod.ts", ...paths.toSorted()].map(readSourceFile));
}

async function readSourceFile(path: string): Promise<SourceFile> {
  return parseSourceFile(path, await readFile(join(ROOT, path), "utf8"));
}

/** Parses one file. */
export function parseSourceFile(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const functions: FunctionLength[] = [];
  const forbidden: string[] = [];
  visitSyntax(parseSyntax(text), (node, parent) => {
    imports.push(...importOf(node, path));
    functions.push(...functionOf(node, parent, text));
    forbidden.push(...forbiddenIn(node));
  });
  return { path, text, imports, functions, forbidden };
}

type Visitor = (node: SyntaxNode, parent: SyntaxNode | null) => void;

/** The syntax tree of a file. */
export function parseSyntax(text: string): SyntaxNode {
  return parseAst(text, { lang: "ts" }) as unknown as SyntaxNode;
}

/** Visits a node and all below it, each after its parent. */
export function visitSyntax(
  node: SyntaxNode,
  visitor: Visitor,
  parent: SyntaxNode | null = null,
): void {
  visitor(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visitSyntax(child, visitor, node);
    }
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null &&
    typeof (value as SyntaxNode).type === "string";
}

function importOf(node: SyntaxNode, path: string): Import[] {
  const source = (node["source"] ?? (node.type === "TSImportType" ? node["argument"] : null)) as
    | { value?: unknown; literal?: { value?: unknown } }
    | null;
  const specifier = source?.value ?? source?.literal?.value;
  if (typeof specifier !== "string") return [];
  return [{
    specifier,
    target: specifier.startsWith(".") ? join(ROOT, dirname(path), specifier) : null,
    typeOnly: isTypeOnly(node),
    dynamic: node.type === "ImportExpression",
  }];
}

/** `import type`, `export type`, `import("…").X`, and braces in which every name is a type. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === "TSImportType") return true;
  if (node["importKind"] === "type" || node["exportKind"] === "type") return true;
  const names = (node["specifiers"] ?? []) as readonly SyntaxNode[];
  return names.length > 0 &&
    names.every((name) => name["importKind"] === "type" || name["exportKind"] === "type");
}

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

function functionOf(node: SyntaxNode, parent: SyntaxNode | null, text: string): FunctionLength[] {
  if (!FUNCTIONS.includes(node.type)) return [];
  const named = [node["id"], parent?.["key"], parent?.["id"]] as ({ name?: string } | undefined)[];
  const name = named.find((entry) => typeof entry?.name === "string")?.name ?? "(anonymous)";
  return [{ name, lines: text.slice(node.start, node.end).split("\n").length }];
}

function forbiddenIn(node: SyntaxNode): string[] {
  if (node.type === "ExportDefaultDeclaration") return ["export default"];
  if (node.type === "ExportAllDeclaration") return ["export *"];
  if (node.type === "TSEnumDeclaration") return ["enum"];
  if (node.type === "TSAnyKeyword") return ["any"];
  // A constructor is the one thing that # cannot hide.
  if (node["accessibility"] === "private" && node["kind"] !== "constructor") return ["private"];
  const object = node["object"] as { name?: string } | undefined;
  if (node.type === "MemberExpression" && object?.name === "console") return ["console"];
  return [];
}
