import { isObject } from "../../base/contract/json_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { IntegrityError } from "../../base/errors.ts";

/** One output of a cell. */
export interface NotebookOutput {
  /** `stream`, `display_data`, `execute_result` or `error`. */
  readonly output_type: string;
  /** Content by media type. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Text of a stream. */
  readonly text?: string | readonly string[];
  /** Name of an error. */
  readonly ename?: string;
  /** Message of an error. */
  readonly evalue?: string;
}

/** One cell. */
export interface NotebookCell {
  /** `code`, `markdown` or `raw`. */
  readonly cell_type: string;
  /** Its id; missing in older notebooks. */
  readonly id?: string;
  /** Its text. */
  readonly source: string | readonly string[];
  /** Execution count; `null` if the cell was not run. */
  readonly execution_count?: number | null;
  /** Its saved outputs. */
  readonly outputs?: readonly NotebookOutput[];
  /** Its tags. */
  readonly metadata?: { readonly tags?: readonly string[] };
}

/** A notebook. */
export interface NotebookFile {
  /** Its cells. */
  readonly cells: readonly NotebookCell[];
  /** Its kernel and language, as it was saved last. */
  readonly metadata?: {
    readonly kernelspec?: { readonly name?: string; readonly language?: string };
    readonly language_info?: { readonly name?: string };
  };
}

/** Text that a notebook file holds as one string or as lines. */
export function joined(text: unknown): string {
  return Array.isArray(text) ? text.join("") : typeof text === "string" ? text : "";
}

/** The first line of a cell's code. */
export function firstLine(source: unknown): string {
  return joined(source).trim().split("\n")[0] ?? "";
}

/** Tests if a cell has a tag. */
export function hasTag(cell: NotebookCell, tag: string): boolean {
  return cell.metadata?.tags?.includes(tag) === true;
}

/**
 * Reads a notebook.
 *
 * @param action The action, worded to follow "Cannot"
 *
 * @throws {IntegrityError} If the file has no cells, or a cell is not in Jupyter's format
 */
export function readNotebook(action: string, text: string): NotebookFile {
  const refuse = (required: string, got: string): never => {
    throw new IntegrityError(
      `Cannot ${action}: expected ${required}, got ${got}; repair or remove it`,
    );
  };
  const notebook = parsed(text);
  if (!isObject(notebook) || !Array.isArray(notebook.cells)) {
    return refuse("a notebook", "a file without cells");
  }
  for (const [i, cell] of notebook.cells.entries()) {
    if (!isObject(cell)) refuse(`an object as cell ${i + 1}`, describe(cell));
    const wrong = FIELDS.find(([name, , holds]) => !holds(cell[name]));
    if (wrong === undefined) continue;
    const [name, is] = wrong;
    refuse(`${is} as ${name} of cell ${i + 1}`, describe(cell[name]));
  }
  return notebook as unknown as NotebookFile;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isText = (value: unknown) => typeof value === "string";
const isLines = (value: unknown) => isText(value) || Array.isArray(value) && value.every(isText);
const orNone = (holds: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || value === null || holds(value);
const isOutput = (value: unknown) =>
  isObject(value) && isText(value.output_type) && orNone(isLines)(value.text) &&
  orNone(isObject)(value.data);
const isMetadata = (value: unknown) =>
  isObject(value) && orNone((tags) => Array.isArray(tags) && tags.every(isText))(value.tags);

type FieldRule = readonly [name: string, is: string, holds: (value: unknown) => boolean];

const FIELDS: readonly FieldRule[] = [
  ["cell_type", "a text", isText],
  ["id", "a text", orNone(isText)],
  ["source", "a text or its lines", isLines],
  ["outputs", "a list of outputs", orNone((all) => Array.isArray(all) && all.every(isOutput))],
  ["metadata", "an object with a list of tags", orNone(isMetadata)],
];

/**
 * A notebook without outputs, execution counts and widget state, in Jupyter's format.
 *
 * @throws {IntegrityError} If the file is no notebook
 */
export function clearOutputs(action: string, bytes: Uint8Array): Uint8Array {
  const notebook: NotebookFile & { readonly metadata?: Readonly<Record<string, unknown>> } =
    readNotebook(action, new TextDecoder().decode(bytes));
  const { widgets: _, ...metadata } = notebook.metadata ?? {};
  const cleared = {
    ...notebook,
    cells: notebook.cells.map((cell) =>
      cell.cell_type === "code" ? { ...cell, execution_count: null, outputs: [] } : cell
    ),
    ...notebook.metadata && { metadata },
  };
  return new TextEncoder().encode(`${JSON.stringify(cleared, null, 1)}\n`);
}
