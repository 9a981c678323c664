/**
 * Reads what `api.help()` shows out of `deno doc --json`: the verbs of a connection and the functions of the package,
 * each with the options that it takes.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { HelpEntry, HelpOption } from "../src/client/help/help_entry.ts";

interface Tag {
  readonly kind: string;
  readonly doc?: string;
  readonly value?: string;
  readonly tsType?: TypeNode;
}

interface Docs {
  readonly doc?: string;
  readonly tags?: readonly Tag[];
}

interface TypeNode {
  readonly kind: string;
  readonly repr?: string;
  readonly value?: unknown;
}

interface Property {
  readonly name: string;
  readonly optional?: boolean;
  readonly jsDoc?: Docs;
  readonly tsType?: TypeNode;
}

interface Parameter {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: TypeNode;
  readonly left?: Parameter;
}

interface FunctionDef {
  readonly params: readonly Parameter[];
}

interface Method {
  readonly name: string;
  readonly kind: string;
  readonly jsDoc?: Docs;
  readonly functionDef: FunctionDef;
}

interface Declaration {
  readonly kind: string;
  readonly jsDoc?: Docs;
  readonly def: {
    readonly methods?: readonly Method[];
    readonly properties?: readonly Property[];
    readonly extends?: readonly TypeNode[];
    readonly params?: readonly Parameter[];
  };
}

interface DocFile {
  readonly nodes: Readonly<
    Record<string, {
      readonly symbols: readonly {
        readonly name: string;
        readonly declarations: readonly Declaration[];
      }[];
    }>
  >;
}

const ROOT = join(import.meta.dirname!, "..");

/** The entries as the documentation of the code has them now. */
export function readHelpEntries(): readonly HelpEntry[] {
  const { stdout, status, stderr } = spawnSync(Deno.execPath(), ["doc", "--json", "mod.ts"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 27,
  });
  if (status !== 0) throw new Error(`Cannot read the documentation: ${stderr}`);
  const { nodes }: DocFile = JSON.parse(stdout);
  const symbols = new Map(
    Object.values(nodes).flatMap(({ symbols }) =>
      symbols.map(({ name, declarations }) => [name, declarations] as const)
    ),
  );
  const verbs = symbols.get("FactorApi")!.flatMap(({ def }) => def.methods ?? [])
    .filter(({ kind, name, jsDoc }) =>
      kind === "method" && jsDoc !== undefined && /^[a-z]/.test(name) && name !== "toString"
    )
    .map(({ name, jsDoc, functionDef }) =>
      entryOf(`api.${name}`, { jsDoc, params: functionDef.params }, symbols)
    );
  const functions = [...symbols].flatMap(([name, declarations]) =>
    declarations.filter(({ kind, jsDoc }) => kind === "function" && jsDoc?.doc !== undefined)
      .map(({ jsDoc, def }) => entryOf(name, { jsDoc, params: def.params ?? [] }, symbols))
  );
  const seen = new Set<string>();
  return [...verbs, ...functions.toSorted((a, b) => a.name < b.name ? -1 : 1)]
    // The overloads of a verb are documented at the first one.
    .filter(({ name }) => !seen.has(name) && seen.add(name));
}

type Symbols = ReadonlyMap<string, readonly Declaration[]>;

function entryOf(
  name: string,
  { jsDoc, params }: { readonly jsDoc?: Docs | undefined; readonly params: readonly Parameter[] },
  symbols: Symbols,
): HelpEntry {
  const plain = params.map((param) => param.left ?? param);
  const optional = params.map((param) => param.kind === "assign" || param.optional === true);
  const texts = plain.map(({ name = "" }, i) => optional[i] ? `${name}?` : name);
  const tags = jsDoc?.tags ?? [];
  const returned = tags.find(({ kind }) => kind === "return")?.doc;
  return {
    name,
    call: `${name}(${texts.join(", ")})`,
    text: plainText(jsDoc?.doc ?? ""),
    options: plain.flatMap(({ tsType }) => optionsOf(tsType, symbols)),
    returns: returned === undefined ? null : plainText(returned),
    throws: tags.filter(({ kind }) => kind === "throws").map(({ doc = "", tsType }) =>
      `${typeText(tsType)}: ${plainText(doc)}`
    ),
    example: exampleOf(tags),
  };
}

function optionsOf(type: TypeNode | undefined, symbols: Symbols): readonly HelpOption[] {
  if (type === undefined) return [];
  if (type.kind === "intersection" || type.kind === "union") {
    return (type.value as readonly TypeNode[]).flatMap((part) => optionsOf(part, symbols));
  }
  if (type.kind !== "typeRef" || !/Options$/.test(type.repr ?? "")) return [];
  const found = symbols.get(type.repr!)?.find(({ kind }) => kind === "interface");
  if (found === undefined) return [];
  const own = (found.def.properties ?? []).map(({ name, optional, jsDoc, tsType }) => ({
    name: optional === true ? `${name}?` : name,
    type: typeText(tsType),
    text: plainText(jsDoc?.doc ?? ""),
    default: defaultOf(jsDoc),
  }));
  return [...own, ...(found.def.extends ?? []).flatMap((base) => optionsOf(base, symbols))];
}

function defaultOf(docs: Docs | undefined): string | null {
  for (const { value = "" } of docs?.tags ?? []) {
    const found = /^@default\s+(.*)$/s.exec(value)?.[1];
    if (found !== undefined) return plainText(found);
  }
  return null;
}

function exampleOf(tags: readonly Tag[]): string | null {
  const example = tags.find(({ kind }) => kind === "example")?.doc ?? "";
  return /```ts[^\n]*\n(.*?)\n```/s.exec(example)?.[1] ?? null;
}

/** Documentation without links, its lines joined to paragraphs. */
function plainText(text: string): string {
  return text.replace(/\{@link (?:FactorApi\.)?([^}]*)\}/g, "$1").trim()
    .split(/\n\s*\n/).map((part) => part.replace(/\s+/g, " ")).join("\n\n");
}

function typeText(type: TypeNode | undefined): string {
  const { kind, repr = "", value } = type ?? { kind: "" };
  switch (kind) {
    case "literal":
      return typeof (value as { string?: unknown }).string === "string" ? `"${repr}"` : repr;
    case "union":
      return (value as readonly TypeNode[]).map(typeText).join(" | ");
    case "array":
      return `${typeText(value as TypeNode)}[]`;
    case "parenthesized":
      return `(${typeText(value as TypeNode)})`;
    case "typeOperator":
      return typeText((value as { readonly tsType: TypeNode }).tsType);
    case "fnOrConstructor":
      return "function";
    default:
      return repr === "" ? String(value ?? kind) : repr;
  }
}
