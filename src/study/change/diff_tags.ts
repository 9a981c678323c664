import { firstLine } from "../run/explain_cells.ts";
import type { NotebookFile } from "../run/notebook_file.ts";

/** Tag of a cell that only one of two studies has. */
export interface TagChange {
  /** Stands for the name of a list of the lock. */
  readonly list: "tags";
  /** Notebook, cell and tag before; `null` if it is new. */
  readonly before: string | null;
  /** The same after; `null` if it was removed. */
  readonly after: string | null;
}

// The tags that affect a comparison.
const TAGS: ReadonlySet<string> = new Set(["volatile", "parameters"]);

/** Differences between the notebooks of two studies in the tags of their cells, by path. */
export function diffTags(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly TagChange[] {
  const [gone, come] = [tagsOf(before), tagsOf(after)];
  return [...new Set([...gone, ...come])].sort().flatMap((line): TagChange[] =>
    gone.has(line) && come.has(line) ? [] : [{
      list: "tags",
      before: gone.has(line) ? line : null,
      after: come.has(line) ? line : null,
    }]
  );
}

function tagsOf(notebooks: ReadonlyMap<string, string>): ReadonlySet<string> {
  const lines = [...notebooks].flatMap(([path, text]) =>
    cellsOf(text).flatMap(({ source, metadata }, i) =>
      (metadata?.tags ?? []).filter((tag) => TAGS.has(tag))
        .map((tag) => `${path}, cell ${i + 1} (${firstLine(source)}): ${tag}`)
    )
  );
  return new Set(lines);
}

function cellsOf(text: string): NotebookFile["cells"] {
  try {
    const { cells }: Partial<NotebookFile> = JSON.parse(text);
    return Array.isArray(cells) ? cells : [];
  } catch {
    // A file that is not a notebook has no tags.
    return [];
  }
}
