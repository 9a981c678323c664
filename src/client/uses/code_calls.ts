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

/** Names of a file: those of the library behind their imports, whole modules of it, and constants. */
interface Scope {
  readonly names: Map<string, string>;
  readonly modules: Set<string>;
  readonly constants: Map<string, Node>;
}

const LIBRARY = /(?:^|[/:@])scoreframe(?:@[^/]*)?(?:\/|$)|(?:^|\/)mod\.ts$/;

/**
 * Reads what code names of this library: imported functions wherever they are mentioned beside their import, under any
 * name, and members of objects. Comments, texts and functions of the same name that come from elsewhere are not mentions.
 *
 * @param pieces Code that is read one piece after the other, such as the cells of a notebook
 */
export function codeCalls(pieces: readonly string[]): CodeCalls {
  const read = pieces.map(programOf);
  const programs = read.filter((program) => program !== null);
  const scope: Scope = { names: new Map(), modules: new Set(), constants: new Map() };
  const calls: CodeCall[] = [];
  let usesLibrary = false;
  for (const program of programs) {
    visit(program, (node) => {
      calls.push(...declare(node, scope));
      usesLibrary ||= isLibrary(node.source);
    });
  }
  for (const program of usesLibrary ? programs : []) {
    visit(program, (node, parent, key) => calls.push(...mention(node, { parent, key, scope })));
  }
  return { calls, unread: read.flatMap((program, i) => program === null ? [i + 1] : []) };
}

function programOf(code: string): Node | null {
  try {
    const options = { ecmaVersion: "latest", sourceType: "module" } as const;
    const allowed = { allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true };
    return parse(stripTypeScriptTypes(code), { ...options, ...allowed }) as unknown as Node;
  } catch {
    return null;
  }
}

type Visitor = (node: Node, parent: Node | null, key: string) => void;

function visit(node: Node, visitor: Visitor, parent: Node | null = null, key = ""): void {
  visitor(node, parent, key);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === "string") visit(child, visitor, node, name);
    }
  }
}

// What is handed on under another name counts where it is handed on.
function declare(node: Node, { names, modules, constants }: Scope): readonly CodeCall[] {
  const specifiers = (node.specifiers ?? []) as readonly Node[];
  if (node.type === "ImportDeclaration" && isLibrary(node.source)) {
    for (const one of specifiers) {
      const local = nameOf(one.local)!;
      if (one.type === "ImportSpecifier") names.set(local, nameOf(one.imported)!);
      else modules.add(local);
    }
  }
  if (node.type === "ExportNamedDeclaration" && isLibrary(node.source)) {
    return specifiers.map((one) => ({ name: nameOf(one.local)!, options: {} }));
  }
  if (node.type !== "VariableDeclarator" || node.init === null) return [];
  const [id, init] = [node.id as Node, node.init as Node];
  const isModule = isLoaded(init) || modules.has(nameOf(init) ?? "");
  if (id.type === "Identifier") {
    if (isModule) modules.add(nameOf(id)!);
    else constants.set(nameOf(id)!, init);
  }
  for (const one of isModule && id.type === "ObjectPattern" ? id.properties as Node[] : []) {
    const value = one.value as Node | undefined;
    const local = nameOf(value?.type === "AssignmentPattern" ? value.left : value);
    if (local !== undefined) names.set(local, nameOf(one.key)!);
  }
  return [];
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
  const { type, name, value } = (node ?? {}) as Node;
  return type === "Identifier" ? name as string : type === "Literal" ? String(value) : undefined;
}

const DECLARES = ["ImportSpecifier", "ImportDefaultSpecifier", "ImportNamespaceSpecifier"];

function mention(
  node: Node,
  { parent, key, scope }: {
    readonly parent: Node | null;
    readonly key: string;
    readonly scope: Scope;
  },
): readonly CodeCall[] {
  if (parent === null || DECLARES.includes(parent.type)) return [];
  if (node.type === "MemberExpression") {
    const isKnown = node.computed !== true || (node.property as Node).type === "Literal";
    const name = isKnown ? nameOf(node.property) : undefined;
    const isOfModule = scope.modules.has(nameOf(node.object) ?? "") ||
      isLoaded(node.object as Node);
    const options = optionsOf(node, parent, scope);
    return name === undefined ? [] : [{ name: isOfModule ? name : `.${name}`, options }];
  }
  if (node.type === "Property" && parent.type === "ObjectPattern") {
    const name = nameOf(node.key);
    return name === undefined ? [] : [{ name: `.${name}`, options: {} }];
  }
  const name = node.type === "Identifier" ? scope.names.get(node.name as string) : undefined;
  // A key, a member and a pattern of the same name are no mention.
  const isOther = (key === "property" && parent.computed !== true) ||
    (key === "key" && parent.shorthand !== true) || (key === "id");
  return name === undefined || isOther ? [] : [{ name, options: optionsOf(node, parent, scope) }];
}

function optionsOf(node: Node, parent: Node, scope: Scope): CodeCall["options"] {
  if (parent.type !== "CallExpression" || parent.callee !== node) return {};
  const objects = (parent.arguments as readonly Node[]).map((one) => resolved(one, scope));
  const last = objects.at(-1);
  if (last?.type !== "ObjectExpression") return {};
  return Object.fromEntries((last.properties as readonly Node[]).flatMap((one) => {
    const name = one.type === "Property" && one.computed !== true ? nameOf(one.key) : undefined;
    return name === undefined ? [] : [[name, literal(one.value as Node, scope)]];
  }));
}

function resolved(node: Node, { constants }: Scope): Node {
  return constants.get(nameOf(node) ?? "") ?? node;
}

function literal(given: Node, scope: Scope): unknown {
  const node = given.type === "Identifier" ? resolved(given, scope) : given;
  if (node.type === "Literal") return node.value;
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const value = literal(node.argument as Node, scope);
    return typeof value === "number" ? -value : null;
  }
  if (node.type !== "ArrayExpression") return null;
  const items = (node.elements as readonly Node[]).map((item) => literal(item, scope));
  return items.includes(null) ? null : items;
}
