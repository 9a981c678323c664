import { IntegrityError } from "../../base/errors.ts";
import type { NotebookFile } from "./notebook_file.ts";

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
