import type { CellNames, Definition } from "./cell_names.ts";
import type { LintedCell, LintFinding } from "./lint_finding.ts";

/** A name of another cell that a use needs, with the function that uses it. */
interface Need {
  readonly name: string;
  readonly line: number;
  readonly via: string | null;
}

/**
 * Finds names whose value depends on the order in which cells ran: used before they are defined, defined by two cells, or
 * updated in another cell.
 *
 * @param cells Code cells in the order of the notebook
 * @param isGlobal Tests if the kernel has a name that no cell defines
 */
export function lintNames(
  cells: readonly LintedCell[],
  isGlobal: (name: string) => boolean,
): readonly LintFinding[] {
  return [
    ...cells.flatMap((_, i) => lintUses(cells, i, isGlobal)),
    ...definedTwice(cells),
    ...changedAgain(cells),
  ];
}

/** Cells that define each name, in order. */
function definingCells(cells: readonly LintedCell[]): ReadonlyMap<string, LintedCell[]> {
  const defining = new Map<string, LintedCell[]>();
  for (const cell of cells) {
    for (const name of new Set(cell.names.definitions.map((known) => known.name))) {
      const known = defining.get(name) ?? [];
      defining.set(name, [...known, cell]);
    }
  }
  return defining;
}

/** Names that a cell needs when it runs, including those of the functions that it calls. */
function neededNames(cells: readonly LintedCell[], index: number): readonly Need[] {
  const needs = new Map<string, Need>();
  const add = (names: CellNames, inside: string | null, from: Need | null) => {
    for (const use of names.uses) {
      if (use.inside !== inside || needs.has(use.name)) continue;
      const need = {
        name: use.name,
        line: from?.line ?? use.line,
        via: inside === null ? null : from?.via ?? inside,
      };
      needs.set(use.name, need);
      const owner = cells.slice(0, index + 1)
        .findLast(({ names }) => names.uses.some(({ inside }) => inside === use.name));
      if (owner !== undefined) add(owner.names, use.name, need);
    }
  };
  const { names } = cells[index]!;
  add(names, null, null);
  return [...needs.values()];
}

function lintUses(
  cells: readonly LintedCell[],
  index: number,
  isGlobal: (name: string) => boolean,
): readonly LintFinding[] {
  const { cell } = cells[index]!;
  const defining = definingCells(cells);
  return neededNames(cells, index).flatMap(({ name, line, via }): readonly LintFinding[] => {
    const definers = defining.get(name) ?? [];
    if (definers.some((known) => known.cell <= cell)) return [];
    const uses = via === null ? `uses ${name}` : `calls ${via}, which uses ${name}`;
    const [later] = definers;
    if (later !== undefined) {
      const says = `${uses}, which only cell ${later.cell} defines; move that cell above this one`;
      return [{ cell, line, kind: "used_early", name, says }];
    }
    if (isGlobal(name)) return [];
    const says = `${uses}, which no cell defines; restore the cell that defined it`;
    return [{ cell, line, kind: "undefined_name", name, says }];
  });
}

function definedTwice(cells: readonly LintedCell[]): readonly LintFinding[] {
  const first = new Map<string, { readonly cell: number; readonly definition: Definition }>();
  const findings: LintFinding[] = [];
  for (const { cell, names } of cells) {
    for (const definition of names.definitions) {
      const { name, line, sameIf } = definition;
      const known = first.get(name);
      if (known === undefined) first.set(name, { cell, definition });
      if (known === undefined || known.cell === cell) continue;
      if (sameIf !== null && sameIf === known.definition.sameIf) continue;
      const says =
        `defines ${name}, as cell ${known.cell} does, so that cells that use it depend on ` +
        "which ran last; rename one of them";
      findings.push({ cell, line, kind: "defined_twice", name, says });
    }
  }
  return findings;
}

function changedAgain(cells: readonly LintedCell[]): readonly LintFinding[] {
  const defining = definingCells(cells);
  return cells.flatMap(({ cell, names }) =>
    names.changes.flatMap(({ name, line }): readonly LintFinding[] => {
      const definer = defining.get(name)?.[0];
      if (definer === undefined || definer.cell === cell) return [];
      const says = `updates ${name} of cell ${definer.cell}, so that each further run changes it ` +
        "again; give the result a new name";
      return [{ cell, line, kind: "changed_again", name, says }];
    })
  );
}

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
