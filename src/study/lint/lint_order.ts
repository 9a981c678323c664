import type { LintedCell, LintFinding } from "./lint_finding.ts";
import { neededNames } from "./lint_names.ts";

/** Finds cells that ran out of order, and outputs older than a run that they depend on. */
export function lintOrder(cells: readonly LintedCell[]): readonly LintFinding[] {
  // A notebook with cleared outputs, or that never ran, has no order.
  if (cells.every(({ count }) => count === null)) return [];
  return cells.flatMap((_, index) => olderOutput(cells, index) ?? outOfOrder(cells, index) ?? []);
}

function olderOutput(cells: readonly LintedCell[], index: number): LintFinding | null {
  const { cell, count, hasOutput } = cells[index]!;
  if (count === null || !hasOutput) return null;
  const above = sources(cells, index);
  const newer = above.find(({ from }) => from.count === null || from.count > count);
  if (newer === undefined) return null;
  const { name, from } = newer;
  const happened = from.count === null ? "was edited or never run" : "ran again";
  const says =
    `shows an output from before cell ${from.cell} ${happened}, which defines ${name}; ` +
    "run the notebook from the top";
  return { cell, line: null, kind: "older_output", name, says };
}

/** Earlier cells that a cell depends on, directly or through others. */
function sources(
  cells: readonly LintedCell[],
  index: number,
  seen: Set<number> = new Set(),
): readonly { readonly name: string; readonly from: LintedCell }[] {
  if (seen.has(index)) return [];
  seen.add(index);
  return neededNames(cells, index).flatMap(({ name }) => {
    const at = cells.slice(0, index)
      .findLastIndex(({ names }) => names.definitions.some((known) => known.name === name));
    return at === -1 ? [] : [{ name, from: cells[at]! }, ...sources(cells, at, seen)];
  });
}

function outOfOrder(cells: readonly LintedCell[], index: number): LintFinding | null {
  const { cell, count } = cells[index]!;
  if (count === null) return null;
  const later = cells.slice(0, index).find((above) => above.count !== null && above.count > count);
  if (later === undefined) return null;
  const says =
    `ran before cell ${later.cell}, which comes first in the notebook; run the notebook from the top`;
  return { cell, line: null, kind: "out_of_order", name: null, says };
}
