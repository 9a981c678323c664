/**
 * Reads what `help()` shows out of `deno doc --json`: the verbs of a connection, the functions of every entry point with the
 * options that they take, and what these give with its members.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HelpEntry, HelpOption } from "../src/client/help/help.ts";

interface Tag {
  readonly kind: string;
  readonly name?: string;
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
  readonly returnType?: TypeNode;
}

interface TypeParameter {
  readonly name: string;
  readonly constraint?: TypeNode;
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
    readonly typeParams?: readonly TypeParameter[];
    readonly params?: readonly Parameter[];
    readonly returnType?: TypeNode;
    readonly tsType?: TypeNode;
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

/** What stands in `mod.ts` comes first; the others in the order of the README. */
const MODULES = ["", "analysis", "chart", "sheet", "dataset", "server", "world"];

/** The entries as the documentation of the code has them now. */
export function readHelpEntries(): readonly HelpEntry[] {
  const modules = MODULES.map((name) => [name, fileOf(name)] as const);
  const { nodes } = readDocs(modules.map(([, file]) => file));
  const ofFile = (file: string) =>
    nodes[`file://${join(ROOT, file)}`]!.symbols
      .map(({ name, declarations }) => [name, declarations] as const);
  // The options of a function may stand at another entry point.
  const all: Symbols = new Map(modules.flatMap(([, file]) => ofFile(file)));
  return modules.flatMap(([name, file]) => {
    const module = name === "" ? "scoreframe" : `scoreframe/${name}`;
    return entriesOf(module, new Map(ofFile(file)), all);
  });
}

function fileOf(module: string): string {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8"));
  return exports[module === "" ? "." : `./${module}`].replace("./", "");
}

function readDocs(files: readonly string[]): DocFile {
  const { stdout, status, stderr } = spawnSync(Deno.execPath(), ["doc", "--json", ...files], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`Cannot read the documentation: ${stderr}`);
  return JSON.parse(stdout);
}

function entriesOf(module: string, symbols: Symbols, all: Symbols): readonly HelpEntry[] {
  const verbs = (symbols.get("FactorApi") ?? []).flatMap(({ def }) => def.methods ?? [])
    .filter(({ kind, name, jsDoc }) =>
      kind === "method" && jsDoc !== undefined && /^[a-z]/.test(name) && name !== "toString"
    )
    .map(({ name, jsDoc, functionDef }) =>
      entryOf(module, { name: `api.${name}`, jsDoc, ...functionDef }, all)
    );
  const functions = [...symbols].flatMap(([name, declarations]) =>
    declarations.filter(({ kind, jsDoc }) => kind === "function" && jsDoc?.doc !== undefined)
      .map(({ jsDoc, def }) => entryOf(module, { name, jsDoc, params: [], ...def }, all))
  );
  const results = [...symbols].filter(([name]) => givenNames(symbols).has(name))
    .flatMap(([name, declarations]) => resultOf(module, name, declarations));
  return joinOverloads([...verbs, ...functions.toSorted(byName), ...results.toSorted(byName)]);
}

/** Overloads are documented at the first one, with the options of all, each one where it has its words. */
function joinOverloads(entries: readonly HelpEntry[]): readonly HelpEntry[] {
  return [...Map.groupBy(entries, ({ name }) => name).values()].map((overloads) => {
    const all = overloads.flatMap(({ options }) => options);
    // An overload narrows an option by a second type of it, which has no words.
    const options = [...Map.groupBy(all, ({ name }) => name.replace("?", "")).values()]
      .map((same) => same.find(({ text }) => text !== "") ?? same[0]!);
    // The last one is the most general; overloads of one type are one.
    const types = overloads.at(-1)!.type?.split(" | ");
    return { ...overloads[0]!, type: types ? [...new Set(types)].join(" | ") : null, options };
  });
}

function byName(a: HelpEntry, b: HelpEntry): number {
  return a.name < b.name ? -1 : 1;
}

type Symbols = ReadonlyMap<string, readonly Declaration[]>;

/** The names of the types that functions and verbs of a module give, directly or in a promise. */
function givenNames(symbols: Symbols): ReadonlySet<string> {
  const all = [...symbols.values()].flat();
  const types = [
    ...all.filter(({ kind }) => kind === "function").map(({ def }) => def.returnType),
    ...(symbols.get("FactorApi") ?? []).flatMap(({ def }) =>
      (def.methods ?? []).map(({ functionDef }) => functionDef.returnType)
    ),
  ];
  return new Set(types.flatMap(namesIn));
}

/** Frames that know their columns. */
const FRAMES = ["TypedFrame", "TableFrame", "TableOf"];

function namesIn(type: TypeNode | undefined): readonly string[] {
  if (type?.kind !== "typeRef" || FRAMES.includes(type.repr ?? "")) return [];
  const { typeParams = [] } = (type.value ?? {}) as { readonly typeParams?: readonly TypeNode[] };
  return [type.repr ?? "", ...typeParams.flatMap(namesIn)];
}

/** What a function gives: its fields, getters and methods. */
function resultOf(
  module: string,
  name: string,
  declarations: readonly Declaration[],
): readonly HelpEntry[] {
  return declarations.filter(({ kind, jsDoc }) =>
    (kind === "class" || kind === "interface") && jsDoc?.doc !== undefined
  ).map(({ jsDoc, def }) => ({
    name,
    module,
    call: name,
    kind: "result" as const,
    text: plainText(jsDoc!.doc!),
    inputs: [],
    options: [
      ...(def.properties ?? []).map(({ name, jsDoc, tsType }) => memberOf(name, tsType, jsDoc)),
      ...(def.methods ?? []).filter(({ name, jsDoc }) => /^[a-z]/.test(name) && jsDoc !== undefined)
        .map(({ name, kind, jsDoc, functionDef }) => {
          const params = (functionDef?.params ?? []).map((param) =>
            (param.left ?? param).name ?? ""
          );
          const shown = kind === "getter" ? name : `${name}(${params.join(", ")})`;
          return memberOf(shown, functionDef?.returnType, jsDoc);
        }),
    ].filter(({ text }) => text !== ""),
    type: null,
    returns: null,
    sources: sourcesOf(jsDoc?.tags ?? []),
    throws: [],
    example: exampleOf(jsDoc?.tags ?? []),
  }));
}

function memberOf(name: string, type: TypeNode | undefined, docs: Docs | undefined): HelpOption {
  return {
    name,
    type: type === undefined ? "" : typeText(type),
    text: plainText(INLINE_DEFAULT.exec(docs?.doc ?? "")?.[1] ?? docs?.doc ?? ""),
    default: null,
  };
}

interface Callable extends FunctionDef {
  readonly name: string;
  readonly jsDoc?: Docs | undefined;
}

function entryOf(
  module: string,
  { name, jsDoc, params, returnType }: Callable,
  symbols: Symbols,
): HelpEntry {
  const plain = params.map((param) => param.left ?? param);
  const optional = params.map((param) => param.kind === "assign" || param.optional === true);
  const texts = plain.map(({ name = "" }, i) => optional[i] ? `${name}?` : name);
  const tags = jsDoc?.tags ?? [];
  const returned = tags.find(({ kind }) => kind === "return")?.doc;
  return {
    name,
    module,
    call: `${name}(${texts.join(", ")})`,
    kind: name.startsWith("api.") ? "verb" : "function",
    text: plainText(jsDoc?.doc ?? ""),
    inputs: tags.filter(({ kind, name }) => kind === "param" && name !== "options")
      .map(({ name = "", doc = "" }) => ({ name, text: plainText(doc) })),
    options: plain.flatMap(({ name, tsType }) => optionsOf(tsType, symbols, name === "options")),
    type: returnType === undefined || typeText(returnType) === "void" ? null : typeText(returnType),
    returns: returned === undefined ? null : plainText(returned),
    sources: sourcesOf(tags),
    throws: tags.filter(({ kind }) => kind === "throws").map(({ doc = "", tsType }) =>
      `${typeText(tsType)}: ${plainText(doc)}`
    ),
    example: exampleOf(tags),
  };
}

function optionsOf(
  type: TypeNode | undefined,
  symbols: Symbols,
  isBase = false,
): readonly HelpOption[] {
  if (type === undefined) return [];
  if (type.kind === "intersection" || type.kind === "union") {
    const parts = type.value as readonly TypeNode[];
    return parts.flatMap((part) =>
      optionsOf(part, symbols, isBase || parts.some(({ repr }) => /Options$/.test(repr ?? "")))
    );
  }
  if (type.kind === "typeLiteral") {
    const { properties = [] } = type.value as { readonly properties?: readonly Property[] };
    return isBase ? properties.map((property) => optionOf(property, new Map())) : [];
  }
  if (type.kind !== "typeRef") return [];
  const { typeParams: [of, names] = [] } = (type.value ?? {}) as {
    readonly typeParams?: readonly TypeNode[];
  };
  if (type.repr === "Pick" || type.repr === "Omit") {
    const named = new Set(literalsIn(names));
    return optionsOf(of, symbols, isBase).filter(({ name }) =>
      named.has(name.replace("?", "")) === (type.repr === "Pick")
    );
  }
  if (type.repr === "Partial") {
    return optionsOf(of, symbols, isBase).map((option) => ({
      ...option,
      name: `${option.name.replace("?", "")}?`,
    }));
  }
  if (!isBase && !/(Options|Rules)$/.test(type.repr ?? "")) return [];
  const found = symbols.get(type.repr!)?.find(({ kind }) =>
    kind === "interface" || kind === "typeAlias"
  );
  if (found === undefined) return [];
  if (found.kind === "typeAlias") return optionsOf(found.def.tsType, symbols, true);
  // A parameter of the type stands for what a caller may give.
  const givenBy = new Map(found.def.typeParams?.map(({ name, constraint }) => [name, constraint]));
  const own = (found.def.properties ?? []).map((property) => optionOf(property, givenBy));
  const inherited = (found.def.extends ?? []).flatMap((base) => optionsOf(base, symbols, true));
  const taken = new Set(own.map(({ name }) => name.replace("?", "")));
  return [...own, ...inherited.filter(({ name }) => !taken.has(name.replace("?", "")))];
}

function optionOf(
  { name, optional, jsDoc, tsType }: Property,
  givenBy: ReadonlyMap<string, TypeNode | undefined>,
): HelpOption {
  return {
    name: optional === true ? `${name}?` : name,
    type: typeText(givenBy.get(tsType?.repr ?? "") ?? tsType).replace(/ \| undefined$/, ""),
    text: plainText(INLINE_DEFAULT.exec(jsDoc?.doc ?? "")?.[1] ?? jsDoc?.doc ?? ""),
    default: defaultOf(jsDoc),
  };
}

// In a comment of one line the tag is part of the text.
const INLINE_DEFAULT = /^(.*) @default (.*)$/s;

function literalsIn(type: TypeNode | undefined): readonly string[] {
  if (type?.kind === "union") return (type.value as readonly TypeNode[]).flatMap(literalsIn);
  return type?.kind === "literal" ? [type.repr ?? ""] : [];
}

function defaultOf(docs: Docs | undefined): string | null {
  for (const { value = "" } of docs?.tags ?? []) {
    const found = /^@default\s+(.*)$/s.exec(value)?.[1];
    if (found !== undefined) return plainText(found);
  }
  const inline = INLINE_DEFAULT.exec(docs?.doc ?? "")?.[2];
  return inline === undefined ? null : plainText(inline);
}

function sourcesOf(tags: readonly Tag[]): readonly string[] {
  return tags.filter(({ kind }) => kind === "see").map(({ doc = "" }) => plainText(doc));
}

function exampleOf(tags: readonly Tag[]): string | null {
  const example = tags.find(({ kind }) => kind === "example")?.doc ?? "";
  return /```ts[^\n]*\n(.*?)\n```/s.exec(example)?.[1] ?? null;
}

/** Documentation without links and marks of code, its lines joined to paragraphs. */
function plainText(text: string): string {
  return text.replace(/\{@link (?:FactorApi\.)?([^}]*)\}/g, "$1").replaceAll("`", "").trim()
    .split(/\n\s*\n/).map((part) => part.replace(/\s+/g, " ")).join("\n\n");
}

function typeText(type: TypeNode | undefined): string {
  const { kind, repr = "", value } = type ?? { kind: "" };
  switch (kind) {
    case "literal":
      return typeof (value as { string?: unknown }).string === "string" ? `"${repr}"` : repr;
    case "union":
      return (value as readonly TypeNode[]).map(typeText).join(" | ");
    case "intersection":
      return (value as readonly TypeNode[]).map(typeText).join(" & ");
    case "array":
      return `${typeText(value as TypeNode)}[]`;
    case "tuple":
      return `[${(value as readonly TypeNode[]).map(typeText).join(", ")}]`;
    case "parenthesized":
      return `(${typeText(value as TypeNode)})`;
    case "typeOperator":
      return typeText((value as { readonly tsType: TypeNode }).tsType);
    case "fnOrConstructor":
      return "function";
    case "typeRef":
      return refText(repr, value);
    case "typeLiteral":
      return "object";
    default:
      return repr === "" ? String(value ?? kind) : repr;
  }
}

/** `Promise<FactorAnalysis>` is what `await` gives; other parameters of types say what is in them. */
function refText(name: string, value: unknown): string {
  const { typeParams = [] } = (value ?? {}) as { readonly typeParams?: readonly TypeNode[] };
  const [first] = typeParams;
  // Its columns are told by the documentation; at run time it is a frame of nodejs-polars.
  if (FRAMES.includes(name)) return "DataFrame";
  if (first === undefined) return name;
  if (name === "Promise" || name === "LoadPromise") return typeText(first);
  if (["Pick", "Omit", "Readonly", "Partial"].includes(name)) return typeText(first);
  return `${name}<${typeParams.map(typeText).join(", ")}>`;
}
