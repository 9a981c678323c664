import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { IntegrityError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { findStudyFolder, readLockFile } from "../lock/lock_file.ts";
import { joined, type NotebookCell, type NotebookFile } from "../run/notebook_file.ts";
import { cellNames } from "./cell_names.ts";
import type { LintedCell, LintFinding } from "./lint_finding.ts";
import { lintNames } from "./lint_names.ts";
import { lintOrder } from "./lint_order.ts";
import { lintPromises } from "./lint_promises.ts";
import { lintStudyFacts, openedStudy, type StudyFacts } from "./lint_study_facts.ts";
import { parseCell } from "./syntax.ts";

// Names that the kernel adds to those of the runtime: the last value, the last error, and names of CommonJS.
const OF_THE_KERNEL = new Set(["_", "_error", "undefined", "NaN", "Infinity"]);
const UNREADABLE = {
  names: { definitions: [], uses: [], changes: [], assumed: [] },
  statements: [],
};
const MAGIC = /^\s*(%%?[a-z]\w*|![a-z]\w*)/i;

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
  if (foreign !== null) return [{ ...unreadable[0]!, line: null, says: foreignText(foreign) }];
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

function foreignText(language: string): string {
  return `is not TypeScript, and the notebook is one of ${language}; give notebooks of the Deno kernel`;
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
