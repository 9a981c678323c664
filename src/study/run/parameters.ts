import { hasTag, joined, type NotebookCell, type NotebookFile } from "./notebook_file.ts";

// A name with its value, up to the end of the line or statement: cells of parameters hold nothing more complex.
const DECLARATION = /(\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=\s*)[^;\n]+/g;

/**
 * Replaces values that the cells tagged `parameters` of a notebook declare.
 *
 * @param used Collects the names that the notebook declares
 */
export function withParameters(
  notebook: NotebookFile,
  parameters: Readonly<Record<string, unknown>>,
  used: Set<string>,
): NotebookFile {
  const replace = (source: string) =>
    source.replace(DECLARATION, (declaration, head: string, name: string) => {
      if (!Object.hasOwn(parameters, name)) return declaration;
      used.add(name);
      return `${head}${JSON.stringify(parameters[name])}`;
    });
  const cells = notebook.cells.map((cell): NotebookCell => {
    const isTagged = cell.cell_type === "code" && hasTag(cell, "parameters");
    return isTagged ? { ...cell, source: replace(joined(cell.source)) } : cell;
  });
  return { ...notebook, cells };
}

/**
 * Reads `name=value` of a command line; the value is JSON if it parses as such, otherwise text.
 *
 * @throws {RangeError} If it has another form
 */
export function parseParameter(text: string): readonly [string, unknown] {
  const [, name, value = ""] = /^([A-Za-z_$][\w$]*)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined) {
    throw new RangeError(
      `Cannot use -p "${text}": expected name=value, got no name with a =; write -p periods=21`,
    );
  }
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
}
