import type { TsType } from "./api_doc.ts";

/** A parameter, as `deno doc` describes it. */
export interface Param {
  readonly kind: string;
  readonly name?: string;
  readonly optional?: boolean;
  readonly tsType?: TsType;
  readonly left?: Param;
  readonly arg?: Param;
}

/** A function or method without its name. */
export interface Signature {
  readonly params?: readonly Param[];
  readonly returnType?: TsType;
  readonly typeParams?: readonly TypeParam[];
}

/** A parameter of a type or a function. */
export interface TypeParam {
  readonly name: string;
  readonly constraint?: TsType;
  readonly default?: TsType;
}

interface Member {
  readonly name: string;
  readonly optional?: boolean;
  readonly readonly?: boolean;
  readonly tsType?: TsType;
}

type Printer = (value: never) => string;

const PRINTERS: Readonly<Record<string, Printer>> = {
  union: (value: readonly TsType[]) => value.map(printType).join(" | "),
  intersection: (value: readonly TsType[]) => value.map(printType).join(" & "),
  array: (value: TsType) => `${printType(value)}[]`,
  tuple: (value: readonly TsType[]) => `[${value.map(printType).join(", ")}]`,
  parenthesized: (value: TsType) => `(${printType(value)})`,
  rest: (value: TsType) => `...${printType(value)}`,
  optional: (value: TsType) => `${printType(value)}?`,
  typeQuery: (value: string) => `typeof ${value}`,
  typeOperator: ({ operator, tsType }: { operator: string; tsType: TsType }) =>
    `${operator} ${printType(tsType)}`,
  typeRef: ({ typeName, typeParams }: { typeName: string; typeParams?: readonly TsType[] }) =>
    `${typeName}${typeParams === undefined ? "" : `<${typeParams.map(printType).join(", ")}>`}`,
  literal: (
    value: {
      kind: string;
      string?: string;
      number?: number;
      boolean?: boolean;
      tsTypes?: readonly TsType[];
    },
  ) =>
    value.kind === "string"
      ? JSON.stringify(value.string)
      : value.kind === "template"
      ? `\`${(value.tsTypes ?? []).map(printTemplatePart).join("")}\``
      : String(value.number ?? value.boolean ?? value.kind),
  fnOrConstructor: (value: { params: readonly Param[]; tsType: TsType }) =>
    `(${value.params.map(printParam).join(", ")}) => ${printType(value.tsType)}`,
  indexedAccess: (value: { objType: TsType; indexType: TsType }) =>
    `${printType(value.objType)}[${printType(value.indexType)}]`,
  conditional: (
    value: { checkType: TsType; extendsType: TsType; trueType: TsType; falseType: TsType },
  ) =>
    `${printType(value.checkType)} extends ${printType(value.extendsType)} ? ${
      printType(value.trueType)
    } : ${printType(value.falseType)}`,
  infer: ({ typeParam }: { typeParam: TypeParam }) => `infer ${printTypeParam(typeParam)}`,
  mapped: (value: { typeParam: TypeParam; nameType?: TsType; tsType?: TsType }) => {
    const { name, constraint } = value.typeParam;
    const renamed = value.nameType === undefined ? "" : ` as ${printType(value.nameType)}`;
    return `{ [${name} in ${printType(constraint)}${renamed}]: ${printType(value.tsType)} }`;
  },
  typePredicate: (value: { param: { name?: string }; type: TsType | null }) =>
    `${value.param.name ?? "this"} is ${printType(value.type ?? undefined)}`,
  typeLiteral: ({ properties = [] }: { properties?: readonly Member[] }) =>
    `{ ${properties.map(printMember).join("; ")} }`,
};

/** A type as TypeScript writes it. */
export function printType(type: TsType | undefined): string {
  if (type === undefined) return "unknown";
  const print = PRINTERS[type.kind ?? ""];
  if (print !== undefined && type.value !== undefined) return print(type.value as never);
  return type.repr ?? String(type.value ?? "unknown");
}

/** Parameters of a type or a function with their bounds, in brackets; nothing where there are none. */
export function printTypeParams(params: readonly TypeParam[] = []): string {
  return params.length === 0 ? "" : `<${params.map(printTypeParam).join(", ")}>`;
}

function printTypeParam({ name, constraint, default: usual }: TypeParam): string {
  const bound = constraint === undefined ? "" : ` extends ${printType(constraint)}`;
  return `${name}${bound}${usual === undefined ? "" : ` = ${printType(usual)}`}`;
}

function printTemplatePart(part: TsType): string {
  const { string } = (part.value ?? {}) as { readonly string?: string };
  return part.kind === "literal" && string !== undefined ? string : `\${${printType(part)}}`;
}

/** A property as TypeScript writes it. */
export function printMember({ name, optional, readonly, tsType }: Member): string {
  return `${readonly === true ? "readonly " : ""}${name}${optional === true ? "?" : ""}: ${
    printType(tsType)
  }`;
}

/** A function or method as TypeScript declares it; long lists of parameters stand one below the other. */
export function printSignature(name: string, signature: Signature): string {
  const { params = [], returnType, typeParams = [] } = signature;
  const types = printTypeParams(typeParams);
  const list = params.map(printParam);
  const line = `${name}${types}(${list.join(", ")})`;
  const head = line.length <= 80
    ? line
    : `${name}${types}(\n${list.map((param) => `  ${param},`).join("\n")}\n)`;
  return returnType === undefined ? head : `${head}: ${printType(returnType)}`;
}

function printParam(param: Param): string {
  const { kind, left, arg, name = "value", optional, tsType } = param;
  if (kind === "assign" && left !== undefined) return printParam({ ...left, optional: true });
  if (kind === "rest" && arg !== undefined) {
    return `...${printParam({ ...arg, ...(tsType && { tsType }) })}`;
  }
  return `${name}${optional === true ? "?" : ""}: ${printType(tsType)}`;
}
