import { IntegrityError } from "../../../errors.ts";
import type { NotebookFile } from "../../run/notebook_file.ts";

/**
 * Reads a notebook for an export.
 *
 * @throws {IntegrityError} If the file has no cells
 */
export function readNotebook(path: string, bytes: Uint8Array): NotebookFile {
  try {
    const notebook: NotebookFile = JSON.parse(new TextDecoder().decode(bytes));
    if (Array.isArray(notebook.cells)) return notebook;
  } catch {
    // Reported below.
  }
  throw new IntegrityError(
    `Cannot export ${path}: expected a notebook, got a file without cells; repair or remove it`,
  );
}
