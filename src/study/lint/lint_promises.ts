import type { LintedCell, LintFinding } from "./lint_finding.ts";
import {
  bare,
  childOf,
  childrenOf,
  dottedName,
  lineOf,
  partsOf,
  type SyntaxNode,
} from "./syntax.ts";

/** Functions of this library that return a promise. */
export const ASYNC_FUNCTIONS: ReadonlySet<string> = new Set([
  ...["connect", "demo", "openStudy", "readPrices", "exportRelease", "show", "sleep"],
  ...["interruptible", "analyzeFactor", "specificationCurve", "probeLookAhead", "publishScores"],
  ...["buildWorld", "openWorld"],
  ...["fromArquero", "toArquero", "exportDataset", "analyzePartition", "listPartitions"],
  ...["mergePartitions", "openDataset", "saveTables", "cleanDataset"],
]);
/** Methods of its objects that return a promise. */
export const ASYNC_METHODS: ReadonlySet<string> = new Set([
  ...["factors", "scores", "history", "releases", "publications", "panel", "plan", "input"],
  ...["close", "save", "toSvg", "toPng", "toHtml", "withResponse", "withReport"],
  ...["extend", "noise", "foresight", "read", "scan", "assertWhole", "register", "openHoldOut"],
]);
const ASYNC_MODULES = ["node:fs/promises", "node:timers/promises", "fs/promises"];
const ASYNC_OF_DENO =
  /^Deno\.(readTextFile|writeTextFile|readFile|writeFile|mkdir|remove|rename|copyFile|stat|open)$/;
// Members of a promise, or of a load of this library.
const OF_A_PROMISE = /^(then|catch|finally|withResponse|withReport)$/;

/** Finds promises that are not awaited, so that the next line lacks their result, or an error is lost. */
export function lintPromises(cells: readonly LintedCell[]): readonly LintFinding[] {
  const known = new KnownNames(cells);
  return cells.flatMap((cell) => [
    ...cell.statements.flatMap((statement, i) => {
      // The kernel awaits a promise that ends a cell, and shows its value.
      const isLast = i === cell.statements.length - 1;
      return discarded(statement, { cell: cell.cell, known, isShown: isLast });
    }),
    ...cell.statements.flatMap((statement) => neverAwaited(statement, cell.cell, { cells, known })),
  ]);
}

/** Names of a notebook whose calls return a promise. */
class KnownNames {
  readonly #async = new Set<string>();
  readonly #library = new Set<string>();
  readonly #owners = new Set<string>();

  constructor(cells: readonly LintedCell[]) {
    for (const statement of cells.flatMap(({ statements }) => statements)) this.#learn(statement);
  }

  /** Tests if an expression is a call whose promise has to be awaited. */
  isAsync(node: SyntaxNode): boolean {
    if (node.type !== "CallExpression") return false;
    const callee = bare(childOf(node, "callee")!);
    const path = dottedName(callee);
    if (path === null) return false;
    if (path === "fetch" || ASYNC_OF_DENO.test(path) || this.#async.has(path)) return true;
    const [owner = "", method = ""] = path.split(".");
    return this.#owners.has(owner) && path === `${owner}.${method}` && ASYNC_METHODS.has(method);
  }

  #learn(statement: SyntaxNode): void {
    const declared = childOf(statement, "declaration") ?? statement;
    if (declared.type === "ImportDeclaration") return this.#learnImport(declared);
    if (declared.type === "FunctionDeclaration" && declared.async === true) {
      this.#async.add(childOf(declared, "id")!.name as string);
    }
    if (declared.type !== "VariableDeclaration") return;
    for (const declarator of childrenOf(declared, "declarations")) {
      const name = childOf(declarator, "id")?.name;
      const value = childOf(declarator, "init");
      if (typeof name !== "string" || value === null) continue;
      const bared = bare(value);
      if (/FunctionExpression$/.test(bared.type) && bared.async === true) this.#async.add(name);
      if (this.#isOfLibrary(bared)) this.#owners.add(name);
    }
  }

  #learnImport(declared: SyntaxNode): void {
    const module = String(childOf(declared, "source")?.value);
    for (const specifier of childrenOf(declared, "specifiers")) {
      const local = childOf(specifier, "local")!.name as string;
      const imported = String(childOf(specifier, "imported")?.name);
      if (/(^|\/)scoreframe(\/|@|$)|mod\.ts$/.test(module)) {
        this.#library.add(local);
        if (ASYNC_FUNCTIONS.has(imported)) this.#async.add(local);
      }
      if (ASYNC_MODULES.includes(module)) this.#async.add(local);
    }
  }

  #isOfLibrary(node: SyntaxNode): boolean {
    const inner = node.type === "AwaitExpression" ? bare(childOf(node, "argument")!) : node;
    if (inner.type !== "CallExpression") return false;
    const [root = ""] = dottedName(bare(childOf(inner, "callee")!))?.split(".") ?? [];
    return this.#library.has(root) || this.#owners.has(root);
  }
}

/** Finds calls below a node whose promise is discarded. */
function discarded(
  node: SyntaxNode,
  around: { readonly cell: number; readonly known: KnownNames; readonly isShown: boolean },
): readonly LintFinding[] {
  const { cell, known, isShown } = around;
  const own: LintFinding[] = [];
  const expression = node.type === "ExpressionStatement"
    ? bare(childOf(node, "expression")!)
    : null;
  if (expression !== null && !isShown && known.isAsync(expression)) {
    const name = dottedName(bare(childOf(expression, "callee")!))!;
    const says = `calls ${name}() without await; use await ${name}(…)`;
    own.push({ cell, line: lineOf(node), kind: "not_awaited", name, says });
  }
  if (isCallOf(node, "forEach") && childrenOf(node, "arguments")[0]?.async === true) {
    const says =
      "passes an async function to forEach(), which awaits none of its calls; use for (const x of …) { await … }";
    own.push({ cell, line: lineOf(node), kind: "not_awaited", name: "forEach", says });
  }
  const inner = { ...around, isShown: false };
  return [...own, ...partsOf(node).flatMap((part) => discarded(part, inner))];
}

function isCallOf(node: SyntaxNode, method: string): boolean {
  if (node.type !== "CallExpression") return false;
  const callee = bare(childOf(node, "callee")!);
  return callee.type === "MemberExpression" && childOf(callee, "property")?.name === method;
}

/** Finds variables of a statement whose promise is used like its value, or never. */
function neverAwaited(
  statement: SyntaxNode,
  cell: number,
  { cells, known }: { readonly cells: readonly LintedCell[]; readonly known: KnownNames },
): readonly LintFinding[] {
  const declared = childOf(statement, "declaration") ?? statement;
  if (declared.type !== "VariableDeclaration") return [];
  return childrenOf(declared, "declarations").flatMap((declarator): readonly LintFinding[] => {
    const name = childOf(declarator, "id")?.name;
    const value = childOf(declarator, "init");
    if (typeof name !== "string" || value === null) return [];
    const isList = isCallOf(bare(value), "map") &&
      childrenOf(bare(value), "arguments")[0]?.async === true;
    if (!isList && !known.isAsync(bare(value))) return [];
    const uses = cells.flatMap(({ statements }) => statements)
      .filter((known) => known !== statement).flatMap((known) => usesOf(known, name));
    const isTaken = uses.some((property) => property === null);
    const isMistaken = uses.some((property) =>
      property !== null && !isList && !OF_A_PROMISE.test(property)
    );
    if (!isMistaken && (isTaken || uses.some((property) => OF_A_PROMISE.test(property ?? "")))) {
      return [];
    }
    const says = isList
      ? `assigns promises to ${name} that are not awaited; use await Promise.all(…)`
      : `assigns a promise to ${name} that is not awaited; use const ${name} = await …`;
    return [{ cell, line: lineOf(declarator), kind: "not_awaited", name, says }];
  });
}

/** Property read by each use of a name; `null` where the whole value is used. */
function usesOf(node: SyntaxNode, name: string): readonly (string | null)[] {
  if (node.type === "Identifier") return node.name === name ? [null] : [];
  const owner = node.type === "MemberExpression" ? bare(childOf(node, "object")!) : null;
  if (owner?.type === "Identifier" && owner.name === name) {
    return [node.computed === true ? "[]" : String(childOf(node, "property")?.name)];
  }
  return partsOf(node).flatMap((part) => part === node.key ? [] : usesOf(part, name));
}
