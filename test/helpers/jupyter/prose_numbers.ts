import { joined } from "../../../src/study/run/notebook_file.ts";
import { type Notebook, type NotebookCell, outputText } from "./jupyter.ts";

/** A number in digits that the text beside it does not explain. */
export interface StrayNumber {
  /** The number as it is written. */
  readonly written: string;
  /** The words around it. */
  readonly context: string;
}

// What a paragraph speaks of stands in the cells before it, or in the two that it introduces.
const CELLS_BEFORE = 4;
const CELLS_AFTER = 2;
const NUMBER = /(?<![\w.,])[−-]?\d[\d,]*(?:\.\d+)?(?![\w])/g;
const SHOWN = /[−-]?\d[\d,]*(?:\.\d+)?(?:e[−-]?\d+)?/g;

/**
 * The numbers in the prose of a notebook that neither an output near by shows nor its code names, as they are rounded there. A
 * share may be told in percent, and a return in basis points. The opening is left out: it states costs, which are measured.
 */
export function strayNumbers(notebook: Notebook): readonly StrayNumber[] {
  const { cells } = notebook;
  return cells.flatMap((cell, place) => {
    if (cell.cell_type !== "markdown" || place === 0) return [];
    const shown = [...before(cells, place), ...after(cells, place)].flatMap(numbersOf);
    return sentencesOf(joined(cell.source)).flatMap((sentence) => {
      const scales = [
        1,
        ...(sentence.includes("%") ? [100] : []),
        ...(/bps/.test(sentence) ? [1e4] : []),
      ];
      return [...sentence.matchAll(NUMBER)].filter(([written]) =>
        !shown.some((value) => scales.some((scale) => isRounded(written, value * scale)))
      ).map(([written]) => ({ written, context: sentence.trim() }));
    });
  });
}

function before(cells: readonly NotebookCell[], place: number): readonly NotebookCell[] {
  return cells.slice(0, place).filter(isCode).slice(-CELLS_BEFORE);
}

function after(cells: readonly NotebookCell[], place: number): readonly NotebookCell[] {
  return cells.slice(place).filter(isCode).slice(0, CELLS_AFTER);
}

function isCode(cell: NotebookCell): boolean {
  return cell.cell_type === "code";
}

function sentencesOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/`[^`]*`|\]\([^)]*\)/g, " ").replaceAll("\n", " ");
  return prose.split(/(?<=[.:?!]) /);
}

function numbersOf(cell: NotebookCell): readonly number[] {
  const html = outputText(cell, "text/html").replaceAll(/<[^>]*>/g, " ");
  const text = [joined(cell.source), outputText(cell, "text/plain"), html].join(" ");
  return [...text.matchAll(SHOWN)].map(([written]) => toNumber(written));
}

function toNumber(written: string): number {
  return Number(written.replaceAll(",", "").replaceAll("−", "-"));
}

/** Whether a written number is the value with so many decimals; a sign may be told in words. */
function isRounded(written: string, value: number): boolean {
  const decimals = written.split(".")[1]?.length ?? 0;
  const half = 0.5 * 10 ** -decimals;
  return Math.abs(Math.abs(toNumber(written)) - Math.abs(value)) <= 1.01 * half;
}
