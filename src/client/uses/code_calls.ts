import { stripTypeScriptTypes } from "node:module";
import { parse } from "acorn";

/** A function or method of this library that code names, with the options that it is given. */
export interface CodeCall {
  /** Its name, such as `portfolioReturns`; that of a member begins with a dot, such as `.panel`. */
  readonly name: string;
  /** Options by name; `null` for a value that is computed. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Names of this library in the code of a file. */
export interface CodeCalls {
  /** Calls and other mentions behind an import. */
  readonly calls: readonly CodeCall[];
  /** Numbers of the pieces that are not readable, counted from 1. */
  readonly unread: readonly number[];
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

type Placed = readonly [node: Node, parent: Node, key: string];

/** Names of a file that stand for the library's, `*` for a whole module of it, and constants. */
interface Scope {
  readonly names: Map<string, string>;
  readonly constants: Map<string, Node>;
}

const LIBRARY = /(?:^|[/:@])scoreframe(?:@[^/]*)?(?:\/|$)|(?:^|\/)mod\.ts$/;
const WHOLE = "*";

/**
 * Reads what code names of this library: imported functions wherever they are mentioned beside their import, under any
 * name, and members of objects. Comments, texts and functions of the same name that come from elsewhere are not mentions.
 *
 * @param pieces Code that is read one piece after the other, such as the cells of a notebook
 */
export function codeCalls(pieces: readonly string[]): CodeCalls {
  const nodes: Placed[] = [];
  const unread: number[] = [];
  for (const [i, code] of pieces.entries()) {
    try {
      const options = { ecmaVersion: "latest", sourceType: "module" } as const;
      const allowed = { allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true };
      const program = parse(stripTypeScriptTypes(code), { ...options, ...allowed });
      visit(program as unknown as Node, nodes);
    } catch {
      unread.push(i + 1);
    }
  }
  const scope = scopeOf(nodes);
  const usesLibrary = nodes.some(([{ source }]) => isLibrary(source));
  return { calls: usesLibrary ? nodes.flatMap((placed) => mention(placed, scope)) : [], unread };
}

function visit(node: Node, nodes: Placed[], parent = node, key = ""): void {
  nodes.push([node, parent, key]);
  for (const [name, value] of Object.entries(node)) {
    for (const child of [value].flat() as (Node | null)[]) {
      if (typeof child?.type === "string") visit(child, nodes, node, name);
    }
  }
}

function scopeOf(nodes: readonly Placed[]): Scope {
  const [names, constants] = [new Map<string, string>(), new Map<string, Node>()];
  for (const [node, parent] of nodes) {
    if (parent.type === "ImportDeclaration" && isLibrary(parent.source) && "local" in node) {
      names.set(nameOf(node.local)!, nameOf(node.imported) ?? WHOLE);
    }
    if (node.type !== "VariableDeclarator" || node.init === null) continue;
    const [id, init] = [node.id as Node, node.init as Node];
    const isWhole = isLoaded(init) || names.get(nameOf(init) ?? "") === WHOLE;
    if (id.type === "Identifier" && isWhole) names.set(nameOf(id)!, WHOLE);
    else if (id.type === "Identifier") constants.set(nameOf(id)!, init);
    for (
      const { key, value } of isWhole && id.type === "ObjectPattern" ? id.properties as Node[] : []
    ) {
      const local = nameOf(value);
      if (local !== undefined) names.set(local, nameOf(key)!);
    }
  }
  return { names, constants };
}

function isLibrary(source: unknown): boolean {
  return LIBRARY.test(String((source as { value?: unknown } | null)?.value ?? ""));
}

/** `await import("scoreframe")`. */
function isLoaded(node: Node): boolean {
  const inner = node.type === "AwaitExpression" ? node.argument as Node : node;
  return inner.type === "ImportExpression" && isLibrary(inner.source);
}

function nameOf(node: unknown): string | undefined {
  const { type, name, value, left } = (node ?? {}) as Node;
  if (type === "AssignmentPattern") return nameOf(left);
  return type === "Identifier" ? name as string : type === "Literal" ? String(value) : undefined;
}

function mention([node, parent, key]: Placed, scope: Scope): readonly CodeCall[] {
  const called = (name: string | undefined) =>
    name === undefined ? [] : [{ name, options: optionsOf(node, parent, scope) }];
  if (node.type === "MemberExpression") {
    const isKnown = node.computed !== true || (node.property as Node).type === "Literal";
    const name = isKnown ? nameOf(node.property) : undefined;
    const isOfModule = isLoaded(node.object as Node) ||
      scope.names.get(nameOf(node.object) ?? "") === WHOLE;
    return called(isOfModule ? name : name && `.${name}`);
  }
  if (node.type === "Property" && parent.type === "ObjectPattern") {
    const name = nameOf(node.key);
    return called(name && `.${name}`);
  }
  // What is handed on under another name counts where it is handed on.
  if (node.type === "ExportSpecifier" && isLibrary(parent.source)) {
    return called(nameOf(node.local));
  }
  const name = node.type === "Identifier" ? scope.names.get(node.name as string) : undefined;
  // A key, a member and a pattern of the same name are no mention.
  const isOther = /^Import\w*Specifier$/.test(parent.type) || key === "id" ||
    key === "property" && parent.computed !== true || key === "key" && parent.shorthand !== true;
  return isOther || name === WHOLE ? [] : called(name);
}

function optionsOf(node: Node, parent: Node, scope: Scope): CodeCall["options"] {
  if (parent.type !== "CallExpression" || parent.callee !== node) return {};
  const last = (parent.arguments as readonly Node[]).at(-1);
  const { type, properties } = last === undefined ? parent : resolved(last, scope);
  if (type !== "ObjectExpression") return {};
  return Object.fromEntries((properties as readonly Node[]).flatMap((one) => {
    const name = one.type === "Property" && one.computed !== true ? nameOf(one.key) : undefined;
    return name === undefined ? [] : [[name, literal(one.value as Node, scope)]];
  }));
}

function resolved(node: Node, { constants }: Scope): Node {
  return node.type === "Identifier" ? constants.get(node.name as string) ?? node : node;
}

function literal(given: Node, scope: Scope): unknown {
  const node = resolved(given, scope);
  if (node.type === "Literal") return node.value;
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const value = literal(node.argument as Node, scope);
    return typeof value === "number" ? -value : null;
  }
  if (node.type !== "ArrayExpression") return null;
  const items = (node.elements as readonly Node[]).map((item) => literal(item, scope));
  return items.includes(null) ? null : items;
}
