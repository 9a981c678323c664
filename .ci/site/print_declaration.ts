import type { Declaration, JsDoc, TsType } from "./api_doc.ts";
import {
  printMember,
  printSignature,
  printType,
  printTypeParams,
  type Signature,
  type TypeParam,
} from "./print_type.ts";

/** A member of a class or interface, as TypeScript writes it. */
export interface PrintedMember {
  readonly code: string;
  readonly jsDoc: JsDoc | undefined;
}

interface Member {
  readonly name: string;
  readonly jsDoc?: JsDoc;
  readonly tsType?: TsType;
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly accessibility?: string;
  readonly kind?: string;
  readonly isStatic?: boolean;
  readonly functionDef?: Signature;
  readonly params?: Signature["params"];
  readonly returnType?: TsType;
}

/** The head of a declaration, without its members. */
export function signatureOf(name: string, { kind, def = {} }: Declaration): string {
  const generic = printTypeParams(def.typeParams as readonly TypeParam[] | undefined);
  if (kind === "function") return `function ${printSignature(name, def as Signature)}`;
  if (kind === "typeAlias") return `type ${name}${generic} = ${printType(def.tsType as TsType)}`;
  if (kind === "variable") return `const ${name}: ${printType(def.tsType as TsType)}`;
  const parents = kind === "class"
    ? def.extends === undefined ? [] : [String(def.extends)]
    : ((def.extends as TsType[] | undefined) ?? []).map(printType);
  const above = parents.length === 0 ? "" : ` extends ${parents.join(", ")}`;
  return `${kind} ${name}${generic}${above}`;
}

/** Choice of {@link membersOf}. */
export interface MemberOptions {
  /**
   * True if members that are named by a symbol count, which a notebook calls and no user.
   * @default false
   */
  readonly symbols?: boolean;
}

/** The public members of a class or interface: constructors with a docstring, properties, methods. */
export function membersOf(
  def: Readonly<Record<string, unknown>>,
  { symbols = false }: MemberOptions = {},
): readonly PrintedMember[] {
  const list = (name: string) =>
    ((def[name] as readonly Member[] | undefined) ?? [])
      .filter((member) =>
        member.accessibility !== "private" && (symbols || !member.name.startsWith("["))
      );
  const made = list("constructors").filter(({ jsDoc }) => jsDoc !== undefined)
    .map((member) => ({ code: printSignature("new", member as Signature), jsDoc: member.jsDoc }));
  const properties = list("properties")
    .map((member) => ({ code: printMember(member), jsDoc: member.jsDoc }));
  const methods = list("methods")
    .map((member) => ({ code: printMethod(member), jsDoc: member.jsDoc }));
  return [...made, ...properties, ...methods];
}

function printMethod(member: Member): string {
  const head = `${member.kind === "getter" ? "get " : ""}${member.name}`;
  const signature = member.functionDef ?? (member as Signature);
  return member.kind === "getter"
    ? `${head}: ${printType(signature.returnType)}`
    : printSignature(head, signature);
}
