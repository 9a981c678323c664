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

/** Tests if a cell has a tag. */
export function hasTag(cell: NotebookCell, tag: string): boolean {
  return cell.metadata?.tags?.includes(tag) === true;
}

/**
 * Reads a notebook.
 *
 * @param action The action, worded to follow "Cannot"
 *
 * @throws {IntegrityError} If the file has no cells
 */
export function readNotebook(action: string, text: string): NotebookFile {
  try {
    const notebook: NotebookFile = JSON.parse(text);
    if (Array.isArray(notebook.cells)) return notebook;
  } catch {
    // Reported below.
  }
  throw new IntegrityError(
    `Cannot ${action}: expected a notebook, got a file without cells; repair or remove it`,
  );
}
