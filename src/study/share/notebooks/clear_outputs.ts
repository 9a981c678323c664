import type { NotebookCell, NotebookFile } from "../../run/notebook_file.ts";
import { readNotebook } from "../../run/read_notebook.ts";

/**
 * A notebook without outputs, execution counts and widget state, in Jupyter's format.
 *
 * @throws {IntegrityError} If the file has no cells
 */
export function clearOutputs(path: string, bytes: Uint8Array): Uint8Array {
  const notebook: NotebookFile & { readonly metadata?: Readonly<Record<string, unknown>> } =
    readNotebook(`export ${path}`, new TextDecoder().decode(bytes));
  const { widgets: _, ...metadata } = notebook.metadata ?? {};
  const cleared = {
    ...notebook,
    cells: notebook.cells.map(withoutOutputs),
    ...notebook.metadata && { metadata },
  };
  return new TextEncoder().encode(`${JSON.stringify(cleared, null, 1)}\n`);
}

function withoutOutputs(cell: NotebookCell): NotebookCell {
  if (cell?.cell_type !== "code") return cell;
  return { ...cell, ...{ execution_count: null }, outputs: [] };
}
