import { sha256Hex } from "../../base/store/layout.ts";
import { hasTag, joined, type NotebookCell, type NotebookFile } from "./notebook_file.ts";

/** Hashes of the code and outputs of a cell at an earlier time. */
export interface CellRecord {
  /** Id of the cell; in a notebook without ids its number among the code cells, counted from 1. */
  readonly id: string;
  /** Hash of its code. */
  readonly code: string;
  /** Hash of its outputs; empty for a cell without outputs and for one tagged `volatile`, whose outputs may vary. */
  readonly outputs: string;
}

/** Name of the file of cell records in an archive: one line per code cell. */
export const CELLS_FILE = "cells-sha256.txt";

const DIGITS = 16;
const LINE = /^([0-9a-f]{16}) ([0-9a-f]{16}|-{16}) (\S+) (.+)$/;

/** Records of the code cells of a notebook, in order. */
export function recordCells({ cells }: NotebookFile): readonly CellRecord[] {
  return cells.filter(({ cell_type: type }) => type === "code").map((cell, i) => ({
    id: cell.id ?? String(i + 1),
    code: hashOf(codeOf(cell)),
    outputs: hasTag(cell, "volatile") ? "" : hashOutputs(cell),
  }));
}

/** Hash of the outputs of a cell, whatever its tags; empty for a cell without outputs. */
export function hashOutputs(cell: NotebookCell): string {
  return cell.outputs?.length ? hashOf(outputsOf(cell)) : "";
}

/** The lines of {@link CELLS_FILE} for one notebook. */
export function encodeCells(path: string, records: readonly CellRecord[]): string {
  return records.map(({ id, code, outputs }) =>
    `${code} ${outputs || "-".repeat(DIGITS)} ${encodeURIComponent(id)} ${path}\n`
  ).join("");
}

/** Records of one notebook in {@link CELLS_FILE}; malformed lines are ignored. */
export function parseCells(text: string, path: string): readonly CellRecord[] {
  return text.split(/\r?\n/).flatMap((line): CellRecord[] => {
    const [, code = "", outputs = "", id = "", notebook] = LINE.exec(line) ?? [];
    if (notebook !== path) return [];
    return [{ id: decodedId(id), code, outputs: outputs.replace(/^-+$/, "") }];
  });
}

function decodedId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Line endings and trailing white space are ignored.
function codeOf(cell: NotebookCell): string {
  return joined(cell.source).replaceAll("\r\n", "\n").trimEnd();
}

// Jupyter writes a text as one string or as lines, and renumbers cells in each run.
function outputsOf({ outputs = [] }: NotebookCell): string {
  return JSON.stringify(outputs.map(({ output_type: type, data = {}, text, ename, evalue }) => {
    const contents = Object.entries(data)
      .map(([name, value]) => [name, typeof value === "string" ? value : joined(value) || value])
      .sort(([a], [b]) => String(a) < String(b) ? -1 : 1);
    return [type, contents, joined(text), ename ?? "", evalue ?? ""];
  }));
}

function hashOf(text: string): string {
  return sha256Hex(text).slice(0, DIGITS);
}
