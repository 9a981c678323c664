/**
 * Writes which public functions and members each of them calls, directly or by way of functions that are not public, to
 * `src/client/uses/reach.json`: a fault in one recalls the studies that met it through another.
 *
 * Names are resolved as the source says them: a function by its import, a member by the classes that its file imports.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  parseSyntax,
  ROOT,
  type SourceFile,
  sourceFiles,
  type SyntaxNode,
  visitSyntax,
} from "../test/helpers/source_files.ts";

const PATH = "src/client/uses/reach.json";
// Passed to a study, and called when a hold-out is opened.
const PASSED: Readonly<Record<string, string>> = {
  "src/app/demo/open_study.ts run": "src/study/study.ts Study.openHoldOut",
};

/** A declaration at the top of a file, or a member of a class there. */
interface Declared {
  readonly path: string;
  readonly nodes: readonly SyntaxNode[];
  /** The class, of a member. */
  readonly owner: string | null;
}

interface House {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** By `path name`, and for members `path Class.member`. */
  readonly declared: ReadonlyMap<string, Declared>;
  /** Local names of each file, and the declarations behind them. */
  readonly locals: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Text of the table. */
export async function reachText(): Promise<string> {
  const house = readHouse(await sourceFiles());
  const isPublic = await publicNames(house);
  const rows = [...isPublic].toSorted(([, a], [, b]) => a < b ? -1 : 1).map(([id, name]) => {
    const reached = [...nearestPublic(id, house, isPublic)].filter((other) => other !== name);
    return [name, reached.toSorted()] as const;
  });
  const merged = Map.groupBy(rows, ([name]) => name);
  const table = [...merged].map(([name, same]) =>
    [name, [...new Set(same.flatMap(([, names]) => names))].toSorted()] as const
  );
  return `${JSON.stringify(Object.fromEntries(table), null, 2)}\n`;
}

function readHouse(files: readonly SourceFile[]): House {
  const declared = new Map<string, Declared>();
  const trees = files.map((file) => [file, bodyOf(parseSyntax(file.text))] as const);
  for (const [{ path }, body] of trees) {
    for (const node of body) {
      const inner = (node.declaration ?? node) as SyntaxNode | null;
      for (const one of inner === null ? [] : [inner]) declare(one, path, declared);
    }
  }
  const locals = new Map(trees.map(([{ path }, body]) => [path, localsOf(path, body)]));
  return { files: new Map(files.map((file) => [file.path, file])), declared, locals };
}

function bodyOf(tree: SyntaxNode): readonly SyntaxNode[] {
  return tree["body"] as SyntaxNode[];
}

function declare(node: SyntaxNode, path: string, declared: Map<string, Declared>): void {
  const name = identifier(node["id"]);
  if (node.type === "FunctionDeclaration") {
    declared.set(`${path} ${name}`, { path, nodes: [node], owner: null });
  }
  for (const one of (node["declarations"] ?? []) as SyntaxNode[]) {
    const own = identifier(one["id"]);
    if (own !== null) declared.set(`${path} ${own}`, { path, nodes: [one], owner: null });
  }
  if (node.type !== "ClassDeclaration") return;
  const members = (node["body"] as SyntaxNode)["body"] as SyntaxNode[];
  const named = members.map((member) => [member, identifier(member["key"])] as const);
  const made = named.filter(([member, key]) =>
    key === "constructor" || member.type !== "MethodDefinition" || key === null
  );
  const superclass = node["superClass"] as SyntaxNode | null;
  const nodes = [...made.map(([member]) => member), ...superclass === null ? [] : [superclass]];
  declared.set(`${path} ${name}`, { path, nodes, owner: name });
  for (const [member, key] of named) {
    if (member.type !== "MethodDefinition" || key === null || key === "constructor") continue;
    const id = `${path} ${name}.${key}`;
    const before = declared.get(id)?.nodes ?? [];
    declared.set(id, { path, nodes: [...before, member], owner: name });
  }
}

function identifier(node: unknown): string | null {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  if (type === "PrivateIdentifier") return `#${name}`;
  return type === "Identifier" ? name ?? null : null;
}

/** What a file imports or passes on, by its name there: the path and the name where it comes from. */
function localsOf(path: string, body: readonly SyntaxNode[]): ReadonlyMap<string, string> {
  const locals = new Map<string, string>();
  for (const node of body) {
    const from = target(path, node["source"]);
    for (const one of from === null ? [] : (node["specifiers"] ?? []) as SyntaxNode[]) {
      const there = identifier(one["imported"] ?? one["local"]);
      const here = identifier(node.type === "ImportDeclaration" ? one["local"] : one["exported"]);
      if (here !== null && there !== null) locals.set(here, `${from} ${there}`);
    }
  }
  return locals;
}

function target(path: string, source: unknown): string | null {
  const { value } = (source ?? {}) as { value?: unknown };
  return typeof value === "string" && value.startsWith(".") ? join(path, "..", value) : null;
}

/** The declaration behind a name of a file. */
function resolve(path: string, name: string, { declared, locals }: House): string | null {
  for (let id = `${path} ${name}`;;) {
    if (declared.has(id)) return id;
    const [place, own] = id.split(" ") as [string, string];
    const next = locals.get(place)?.get(own);
    if (next === undefined || next === id) return null;
    id = next;
  }
}

/** Public functions by their names, members of public classes with a dot before them. */
async function publicNames(house: House): Promise<ReadonlyMap<string, string>> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8")) as {
    exports: Readonly<Record<string, string>>;
  };
  const named = new Map<string, string>();
  const { "./cli": _cli, ...doors } = exports;
  for (const door of Object.values(doors).map((path) => relative(ROOT, join(ROOT, path)))) {
    for (const name of house.locals.get(door)?.keys() ?? []) {
      const id = resolve(door, name, house);
      const found = id === null ? undefined : house.declared.get(id);
      if (id === null || found === undefined) continue;
      if (found.owner === null) named.set(id, name);
      for (const member of house.declared.keys()) {
        const own = member.startsWith(`${id}.`) ? member.slice(id.length + 1) : "#";
        if (!own.startsWith("#")) named.set(member, `.${own}`);
      }
    }
  }
  return named;
}

function nearestPublic(
  start: string,
  house: House,
  isPublic: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set([start]);
  const waiting = [start];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const next of mentioned(id, house)) {
      if (seen.has(next)) continue;
      seen.add(next);
      const name = isPublic.get(next);
      if (name === undefined) waiting.push(next);
      else found.add(name);
    }
  }
  return found;
}

const known = new Map<string, readonly string[]>();

function mentioned(id: string, house: House): readonly string[] {
  const before = known.get(id);
  if (before !== undefined) return before;
  const { path, nodes, owner } = house.declared.get(id)!;
  const ids = new Set<string>();
  const add = (other: string | null) =>
    other !== null && house.declared.has(other) && ids.add(other);
  const ownClass = owner === null ? null : `${path} ${owner}`;
  const loaded = house.files.get(path)!.imports
    .flatMap(({ dynamic, target }) => dynamic && target !== null ? [relative(ROOT, target)] : []);
  const classes = [...house.locals.get(path)!.keys()].map((name) => resolve(path, name, house))
    .filter((other) => other !== null && house.declared.get(other)!.owner !== null);
  for (const node of nodes) {
    visitValues(node, (one, parent) => {
      const name = identifier(one);
      if (name === null) return;
      const isMember = parent?.type === "MemberExpression" && parent["property"] === one &&
        parent["computed"] !== true;
      const isKey = parent !== null && parent["key"] === one && parent["shorthand"] !== true;
      const there = resolve(path, name, house);
      if (!isMember && !isKey && there !== null) return void add(there);
      if (!isMember && isKey && parent?.type !== "Property") return;
      for (const file of loaded) add(resolve(file, name, house));
      for (const one of [...classes, ownClass]) if (one !== null) add(`${one}.${name}`);
    });
  }
  const passed = Object.entries(PASSED).filter(([, to]) => to === id).map(([from]) => from);
  const all = [...[...ids].filter((one) => PASSED[one] === undefined), ...passed];
  known.set(id, all);
  return all;
}

/** Visits what is computed: types name no call. */
function visitValues(
  node: SyntaxNode,
  visitor: (node: SyntaxNode, parent: SyntaxNode | null) => void,
): void {
  const types = new Set<SyntaxNode>();
  visitSyntax(node, (one, parent) => {
    const isType = one.type.startsWith("TS") &&
      !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(one.type);
    if (isType || (parent !== null && types.has(parent))) types.add(one);
    else visitor(one, parent);
  });
}

if (import.meta.main) await writeFile(join(ROOT, PATH), await reachText());
