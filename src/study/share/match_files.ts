import { ScoreframeError } from "../../base/errors.ts";

/**
 * Finds files that match patterns: a path, a folder with its contents, `*` for part of a name and `**` for any path.
 *
 * @throws {ScoreframeError} If a pattern matches no file
 */
export function matchFiles(
  files: readonly string[],
  patterns: readonly string[],
): readonly string[] {
  const matched = new Set<string>();
  for (const pattern of patterns) {
    const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
    const found = files.filter((file) =>
      file === plain || file.startsWith(`${plain}/`) || matches(file.split("/"), plain.split("/"))
    );
    if (found.length === 0) {
      throw new ScoreframeError(
        `Cannot include ${JSON.stringify(pattern.slice(0, 100))}: expected a file in the folder ` +
          "of the study, got none; paths are relative to it, such as data/sectors.csv or " +
          `"scripts/*.py"`,
      );
    }
    for (const file of found) matched.add(file);
  }
  return [...matched].sort();
}

// Part by part and without a regular expression, so that matching always ends quickly.
function matches(parts: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return parts.length === 0;
  if (first === "**") {
    return parts.some((_, i) => matches(parts.slice(i), rest)) || rest.length === 0;
  }
  const [name, ...others] = parts;
  return name !== undefined && matchesName(name, first.split("*")) && matches(others, rest);
}

function matchesName(name: string, pieces: readonly string[]): boolean {
  if (pieces.length === 1) return name === pieces[0];
  const [start, end] = [pieces[0]!, pieces.at(-1)!];
  if (name.length < start.length + end.length) return false;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - end.length;
}
