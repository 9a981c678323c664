import { bare, childOf, childrenOf, isErased, lineOf, partsOf, type SyntaxNode } from "./syntax.ts";

/** A name that a cell defines for later cells. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /** Module and name of an import; text of a function; `null` for a value, which may differ although its text is equal. */
  readonly sameIf: string | null;
}

/** A name that a cell uses and another defines. */
export interface Use {
  readonly name: string;
  readonly line: number;
  /** Function or class of the cell whose body uses it, and runs later; `null` if it runs with the cell. */
  readonly inside: string | null;
}

/** Names that a cell defines, uses and changes. */
export interface CellNames {
  readonly definitions: readonly Definition[];
  readonly uses: readonly Use[];
  /** Names of other cells whose new value depends on the old one: `n += 1`. */
  readonly changes: readonly Omit<Use, "inside">[];
  /** Names that exist beside those of cells, as a cell says: by `declare`, or as properties that it adds to `globalThis`. */
  readonly assumed: readonly string[];
}

/** Reads the names of a cell from its statements. */
export function cellNames(statements: readonly SyntaxNode[], code: string): CellNames {
  const definitions = statements.flatMap((statement) => [
    ...definedBy(statement, code),
    ...(/^(Variable|Export|Import)/.test(statement.type) ? [] : hoistedFrom(statement)),
  ]);
  const own = new Set(definitions.map(({ name }) => name));
  const reader = new NameReader(own);
  for (const statement of statements) reader.readTop(statement);
  const assumed = statements.flatMap(assumedBy);
  return { definitions, uses: reader.uses, changes: reader.changes, assumed };
}

function definedBy(statement: SyntaxNode, code: string): readonly Definition[] {
  const declared = childOf(statement, "declaration");
  if (statement.type.startsWith("Export") && declared !== null) return definedBy(declared, code);
  if (statement.declare === true) return [];
  return namesOf(statement, code);
}

function namesOf(statement: SyntaxNode, code: string): readonly Definition[] {
  const line = lineOf(statement);
  if (statement.type === "ImportDeclaration") {
    if (statement.importKind === "type") return [];
    const module = String(childOf(statement, "source")?.value);
    return childrenOf(statement, "specifiers")
      .filter((specifier) => specifier.importKind !== "type")
      .map((specifier) => {
        const isDefault = specifier.type === "ImportDefaultSpecifier";
        const imported = isDefault
          ? "default"
          : childOf(specifier, "imported")?.name ?? specifier.type;
        return { name: nameOf(specifier, "local"), line, sameIf: `${module} ${imported}` };
      });
  }
  if (statement.type === "VariableDeclaration") {
    return childrenOf(statement, "declarations").flatMap((declarator) => {
      const value = childOf(declarator, "init");
      const sameIf = value !== null && isFunction(bare(value)) ? textOf(declarator, code) : null;
      return patternNames(childOf(declarator, "id")!).map((name) => ({ name, line, sameIf }));
    });
  }
  const isNamed = /^(Function|Class|TSEnum|TSModule)/.test(statement.type);
  if (!isNamed && statement.declare !== true) return [];
  const name = childOf(statement, "id")?.name;
  if (typeof name !== "string") return [];
  return [{ name, line, sameIf: textOf(statement, code) }];
}

/** Each `var` of a block or a loop, which belongs to the whole cell or function. */
function hoistedFrom(node: SyntaxNode, isCounter = false): readonly Definition[] {
  if (/Function|StaticBlock/.test(node.type)) return [];
  // Loops of two cells may use one counter: each sets it first.
  const sameIf = isCounter ? "counter" : null;
  const own = node.type === "VariableDeclaration" && node.kind === "var"
    ? definedBy(node, "").map((known) => ({ ...known, sameIf }))
    : [];
  const head = /^For/.test(node.type) ? node.init ?? node.left : null;
  return [...own, ...partsOf(node).flatMap((part) => hoistedFrom(part, part === head))];
}

function assumedBy(node: SyntaxNode): readonly string[] {
  if (node.declare === true) {
    const inner = childOf(node, "body");
    const global = inner === null ? [] : childrenOf(inner, "body");
    return [node, ...global].flatMap((declared) => namesOf(declared, "")).map(({ name }) => name);
  }
  const target = node.type === "AssignmentExpression" ? childOf(node, "left") : null;
  const owner = target?.type === "MemberExpression" ? bare(childOf(target, "object")!) : null;
  const isGlobal = owner?.type === "Identifier" && owner.name === "globalThis" &&
    target!.computed !== true;
  const own = isGlobal ? [nameOf(target!, "property")] : [];
  return [...own, ...partsOf(node).flatMap(assumedBy)];
}

const textOf = ({ start, end }: SyntaxNode, code: string): string =>
  code.slice(start, end).replace(/\s+/g, " ");

const nameOf = (node: SyntaxNode, key: string): string => childOf(node, key)?.name as string;

const isFunction = ({ type }: SyntaxNode): boolean =>
  /^(ArrowFunction|Function|Class)Expression$/.test(type);

/** Names that a pattern binds. */
function patternNames(pattern: SyntaxNode): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name as string];
    case "ObjectPattern":
      return childrenOf(pattern, "properties")
        .flatMap((part) => patternNames(childOf(part, "value") ?? childOf(part, "argument")!));
    case "ArrayPattern":
      return childrenOf(pattern, "elements").flatMap(patternNames);
    case "AssignmentPattern":
      return patternNames(childOf(pattern, "left")!);
    case "RestElement":
      return patternNames(childOf(pattern, "argument")!);
    case "TSParameterProperty":
      return patternNames(childOf(pattern, "parameter")!);
    default:
      return [];
  }
}

/** Context of a name: names bound around it, and the function that runs later. */
interface Place {
  readonly bound: ReadonlySet<string>;
  readonly inside: string | null;
}

function runs(node: SyntaxNode): boolean {
  if (node.declare === true || isErased(node)) return false;
  return node.type === "ImportExpression" || !/^(Import|ExportAll)/.test(node.type);
}

/** Collects the names that the statements of a cell use and change. */
class NameReader {
  readonly uses: Use[] = [];
  readonly changes: Omit<Use, "inside">[] = [];
  readonly #own: ReadonlySet<string>;

  constructor(own: ReadonlySet<string>) {
    this.#own = own;
  }

  /** Reads a statement of the cell; the body of a named function runs later. */
  readTop(statement: SyntaxNode): void {
    const declared = childOf(statement, "declaration") ?? statement;
    const place = { bound: new Set<string>(), inside: null };
    if (/^(Function|Class)Declaration$/.test(declared.type)) {
      const base = childOf(declared, "superClass");
      // The base of a class is evaluated in place; its body runs later.
      if (base !== null) this.#read(base, place);
      this.#read({ ...declared, superClass: null }, { ...place, inside: nameOf(declared, "id") });
    } else if (declared.type === "VariableDeclaration") {
      for (const declarator of childrenOf(declared, "declarations")) {
        const value = childOf(declarator, "init");
        const isLater = value !== null && isFunction(bare(value));
        const inside = isLater ? patternNames(childOf(declarator, "id")!)[0] ?? null : null;
        this.#read(declarator, { ...place, inside });
      }
    } else this.#read(statement, place);
  }

  #read(node: SyntaxNode, place: Place): void {
    if (node.type === "Identifier") return this.#use(node, place);
    if (!runs(node)) return;
    if (node.type === "UnaryExpression" && node.operator === "typeof") {
      // `typeof` may test if a name exists.
      if (childOf(node, "argument")?.type === "Identifier") return;
    }
    if (node.type === "AssignmentExpression" || node.type === "UpdateExpression") {
      this.#noteChange(node, place);
    }
    const inner = { ...place, bound: new Set([...place.bound, ...boundWithin(node)]) };
    for (const part of partsOf(node)) {
      if (!isNameOnly(node, part)) this.#read(part, inner);
    }
  }

  #use(node: SyntaxNode, { bound, inside }: Place): void {
    const name = node.name as string;
    if (!bound.has(name) && !this.#own.has(name)) {
      this.uses.push({ name, line: lineOf(node), inside });
    } else if (!bound.has(name) && inside !== null && inside !== name) {
      // A function that calls another one of its cell needs the names of both.
      this.uses.push({ name, line: lineOf(node), inside });
    }
  }

  #noteChange(node: SyntaxNode, { bound, inside }: Place): void {
    const target = childOf(node, "left") ?? childOf(node, "argument")!;
    if (target.type !== "Identifier" || inside !== null) return;
    const name = target.name as string;
    const value = childOf(node, "right");
    const isMadeOfItself = value === null || node.operator !== "=" || mentions(value, name);
    if (isMadeOfItself && !bound.has(name) && !this.#own.has(name)) {
      this.changes.push({ name, line: lineOf(node) });
    }
  }
}

function mentions(node: SyntaxNode, name: string): boolean {
  if (node.type === "Identifier") return node.name === name;
  return partsOf(node).some((part) => !isNameOnly(node, part) && mentions(part, name));
}

/** Names that a node binds for its descendants. */
function boundWithin(node: SyntaxNode): readonly string[] {
  const params = childrenOf(node, "params").flatMap(patternNames);
  const own = /^(Function|Class)/.test(node.type) ? childOf(node, "id")?.name : undefined;
  const caught = node.type === "CatchClause" ? childOf(node, "param") : null;
  const heads = ["init", "left"].map((key) => childOf(node, key))
    .filter((head) => head?.type === "VariableDeclaration");
  const body = Array.isArray(node.body) ? childrenOf(node, "body") : [];
  const statements = [...body, ...childrenOf(node, "consequent"), ...heads as SyntaxNode[]];
  return [
    ...params,
    ...(typeof own === "string" ? [own] : []),
    ...(caught === null ? [] : patternNames(caught)),
    ...statements.flatMap((statement) => definedBy(statement, "").map(({ name }) => name)),
    ...childrenOf(node, "members").flatMap((member) => patternNames(childOf(member, "id")!)),
    ...(/Function/.test(node.type)
      ? [...hoistedFrom(childOf(node, "body")!).map(({ name }) => name), "arguments"]
      : []),
  ];
}

// Keys and labels are not variables.
function isNameOnly(node: SyntaxNode, part: SyntaxNode): boolean {
  const isKey = part === node.key && part !== node.value;
  const isMember = node.type === "MemberExpression" && part === node.property;
  if (isKey || isMember) return node.computed !== true;
  if (/^(Labeled|Break|Continue)Statement$/.test(node.type)) return part === node.label;
  return node.type === "MetaProperty" || node.type === "ExportSpecifier" ||
    node.type === "TSEnumMember" && part === node.id;
}
