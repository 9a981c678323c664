import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { IntegrityError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { findStudyFolder, readLockFile } from "../lock/lock_file.ts";
import { joined, type NotebookCell, type NotebookFile } from "../run/notebook_file.ts";
import { cellNames } from "./cell_names.ts";
import type { LintedCell, LintFinding } from "./lint_finding.ts";
import { lintNames, lintOrder } from "./lint_names.ts";
import { lintPromises } from "./lint_promises.ts";
import {
  bare,
  childOf,
  childrenOf,
  lineOf,
  parseCell,
  partsOf,
  type SyntaxNode,
} from "./syntax.ts";
import { type Instant, parseInstant } from "../../base/contract/instant.ts";

// Names that the kernel adds to those of the runtime: the last value, the last error, and names of CommonJS.
const OF_THE_KERNEL = new Set(["_", "_error", "undefined", "NaN", "Infinity"]);
const UNREADABLE = {
  names: { definitions: [], uses: [], changes: [], assumed: [] },
  statements: [],
};
const MAGIC = /^\s*(%%?[a-z]\w*|![a-z]\w*)/i;

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

/**
 * Finds the hidden state of a notebook in its code: cells that need definitions of later cells, names with two definitions,
 * outputs older than their inputs, promises that are not awaited. Runs nothing.
 *
 * @param path Path of the notebook
 * @throws {StorageError} If the file cannot be read
 * @throws {IntegrityError} If it is not a notebook
 */
export async function lintNotebook(path: string): Promise<readonly LintFinding[]> {
  const notebook = parseNotebook(await onDisk(`read ${path}`, () => readFile(path, "utf8")), path);
  const cells = notebook.cells.flatMap((cell, i) => readCell(cell, i + 1) ?? []);
  const facts = await studyFacts(path, cells);
  return lintCells(notebook, facts);
}

/** Finds the hidden state of a parsed notebook. */
export function lintCells(
  notebook: NotebookFile,
  facts: StudyFacts = { asOf: null, isLive: null },
): readonly LintFinding[] {
  const read = notebook.cells.map((cell, i) => readCell(cell, i + 1));
  const cells = read.flatMap((cell) => cell ?? []);
  const unreadable = cells.flatMap(({ problem }) => problem ?? []);
  const foreign = unreadable.length === 0 ? null : foreignLanguage(notebook);
  if (foreign !== null) {
    const says =
      `is not TypeScript, and the notebook is one of ${foreign}; give notebooks of the Deno kernel`;
    return [{ ...unreadable[0]!, line: null, says }];
  }
  const assumed = new Set(cells.flatMap(({ names }) => names.assumed));
  const isGlobal = (name: string) =>
    OF_THE_KERNEL.has(name) || name in globalThis || assumed.has(name);
  // A cell that cannot be read may define any name.
  const names = unreadable.length > 0 ? [] : lintNames(cells, isGlobal);
  return [
    ...unreadable,
    ...names,
    ...lintOrder(cells),
    ...lintPromises(cells),
    ...lintStudyFacts(cells, facts),
  ].toSorted((a, b) => a.cell - b.cell || (a.line ?? 0) - (b.line ?? 0));
}

interface ReadCell extends LintedCell {
  readonly problem: LintFinding | null;
}

function readCell(source: NotebookCell, cell: number): ReadCell | null {
  // A file that was merged or edited by hand can hold anything.
  if (source?.cell_type !== "code") return null;
  const code = joined(source.source);
  const count = typeof source.execution_count === "number" ? source.execution_count : null;
  const base = { cell, count, hasOutput: (source.outputs ?? []).length > 0 };
  try {
    const statements = parseCell(code);
    return { ...base, statements, names: cellNames(statements, code), problem: null };
  } catch (error) {
    const line = (error as { readonly loc?: { readonly line: number } }).loc?.line ?? null;
    const says = problemText(error as Error, code.split("\n")[(line ?? 1) - 1] ?? "");
    const problem: LintFinding = { cell, line, kind: "unreadable", name: null, says };
    return { ...base, ...UNREADABLE, problem };
  }
}

function problemText({ message }: Error, line: string): string {
  const magic = MAGIC.exec(line)?.[1];
  if (magic !== undefined) {
    return `has ${magic} of another kernel, which Deno does not know; use TypeScript instead`;
  }
  if (/stack|too deeply/.test(message)) {
    return "is nested too deeply to be read; use several shorter expressions";
  }
  const reason = message.replace(
    / \((\d+):(\d+)\)$/,
    (_, _line, column) => ` (column ${Number(column) + 1})`,
  );
  return `is not valid TypeScript: ${reason}; correct it, or make it a text cell`;
}

/** Language of a notebook of another kernel; `null` for one of Deno, or where it is not stated. */
function foreignLanguage({ metadata }: NotebookFile): string | null {
  const language = metadata?.kernelspec?.language ?? metadata?.language_info?.name;
  return typeof language !== "string" || /^(type|java)script$/i.test(language) ? null : language;
}

function parseNotebook(text: string, path: string): NotebookFile {
  // Some editors on Windows write a byte order mark, which JSON does not have.
  const json = text.replace(/^\uFEFF/, "");
  let found = "another file; give an .ipynb file";
  try {
    const notebook = JSON.parse(json) as NotebookFile & { readonly worksheets?: unknown } | null;
    if (Array.isArray(notebook?.cells)) return notebook;
    if (Array.isArray(notebook?.worksheets)) {
      found = "one of format 3; open and save it in Jupyter";
    }
  } catch {
    if (/^<{7} /m.test(json)) {
      found = "one with marks of a merge conflict; resolve the conflict";
    } else if (json.trim() === "") found = "an empty file; restore it";
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected a Jupyter notebook of format 4, got ${found}`,
  );
}

/** Facts about the study of a notebook: the one that its code opens, otherwise the one in its folder. */
async function studyFacts(path: string, cells: readonly LintedCell[]): Promise<StudyFacts> {
  const opened = openedStudy(cells);
  const beside = dirname(resolve(process.cwd(), path));
  const named = opened?.folder ?? null;
  const folder = named === null ? await findStudyFolder(beside) : join(beside, named);
  const lock = folder === null
    ? null
    : await readLockFile(folder).then((read) => read?.lock ?? null, () => null);
  if (lock === null) {
    const isLive = opened === null ? null : !opened.isDemo;
    return { asOf: opened?.asOf ?? null, isLive };
  }
  return { asOf: lock.asOf, isLive: lock.synthetic === null ? null : !lock.synthetic };
}

/** Known facts about the study of a notebook. */
interface StudyFacts {
  /** Its time; it contains nothing published later. */
  readonly asOf: Instant | null;
  /** True if its scores are from a service, false for an embedded world, `null` if unknown. */
  readonly isLive: boolean | null;
}

/** Finds dates after the time of the study, and a demo in a study of a service. */
function lintStudyFacts(
  cells: readonly LintedCell[],
  { asOf, isLive }: StudyFacts,
): readonly LintFinding[] {
  return cells.flatMap(({ cell, statements }) => {
    const nodes = statements.flatMap(allNodes);
    // A cell that catches the refusal of a later date shows it on purpose.
    const tried = new Set(nodes.filter(({ type }) => type === "TryStatement").flatMap(allNodes));
    const meant = nodes.filter((node) => !tried.has(node));
    return [
      ...(asOf === null ? [] : meant.flatMap((node) => afterStudy(node, cell, asOf))),
      ...(isLive === true ? nodes.flatMap((node) => demoInLive(node, cell)) : []),
    ];
  });
}

/** A study that the code of a notebook opens; `null` for values from variables. */
interface OpenedStudy {
  readonly folder: string | null;
  readonly asOf: Instant | null;
  readonly isDemo: boolean;
}

/** Folder and time with which a notebook opens a study, if its code has them as literals. */
function openedStudy(
  cells: readonly LintedCell[],
): OpenedStudy | null {
  const calls = cells.flatMap(({ statements }) => statements.flatMap(allNodes))
    .filter((node) => calleeOf(node) === "openStudy");
  const [call] = calls;
  if (call === undefined) return null;
  const values = childrenOf(call, "arguments").map(bare);
  const options = values.find(({ type }) => type === "ObjectExpression");
  const folder = values.map(textOf).find((text) => text !== null) ?? null;
  return {
    folder,
    asOf: optionInstant(options, "asOf"),
    isDemo: optionNode(options, "demo") !== undefined,
  };
}

function afterStudy(node: SyntaxNode, cell: number, asOf: Instant): readonly LintFinding[] {
  const text = textOf(node);
  if (text === null || !DATE.test(text)) return [];
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms <= Date.parse(asOf)) return [];
  const says = `uses ${text}, which is after the study's time ${asOf}; ` +
    "use an earlier time, or move the study with study update";
  return [{ cell, line: lineOf(node), kind: "after_study", name: text, says }];
}

function demoInLive(node: SyntaxNode, cell: number): readonly LintFinding[] {
  const options = childrenOf(node, "arguments").map(bare)
    .find(({ type }) => type === "ObjectExpression");
  const isDemo = calleeOf(node) === "demo" ||
    (calleeOf(node) === "openStudy" && optionNode(options, "demo") !== undefined);
  if (!isDemo) return [];
  const says = "loads synthetic scores from a demo, but the study has scores of a service; " +
    "load with the study's verbs";
  return [{ cell, line: lineOf(node), kind: "demo_in_live", name: "demo", says }];
}

function calleeOf(node: SyntaxNode): string | null {
  if (node.type !== "CallExpression") return null;
  const callee = bare(childOf(node, "callee")!);
  return callee.type === "Identifier" ? callee.name as string : null;
}

function optionNode(options: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  if (options === undefined) return undefined;
  return childrenOf(options, "properties").find((part) => childOf(part, "key")?.name === name);
}

function optionInstant(options: SyntaxNode | undefined, name: string): Instant | null {
  const value = optionNode(options, name);
  const text = value === undefined ? null : textOf(bare(childOf(value, "value")!));
  try {
    return text === null ? null : parseInstant(text);
  } catch {
    return null;
  }
}

function textOf(node: SyntaxNode): string | null {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

function allNodes(node: SyntaxNode): readonly SyntaxNode[] {
  return [node, ...partsOf(node).flatMap(allNodes)];
}
