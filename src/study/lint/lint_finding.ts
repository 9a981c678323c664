import type { CellNames } from "./cell_names.ts";
import type { SyntaxNode } from "./syntax.ts";

/** Kind of a finding in a notebook. */
export type LintKind =
  | "unreadable"
  | "used_early"
  | "undefined_name"
  | "defined_twice"
  | "changed_again"
  | "older_output"
  | "out_of_order"
  | "not_awaited"
  | "demo_in_live"
  | "after_study";

/** A state of a notebook that its reader does not see, and that a run from the top may not have. */
export interface LintFinding {
  /** Number of the cell among all cells, from 1. */
  readonly cell: number;
  /** Line in the cell, from 1; `null` if the whole cell is meant. */
  readonly line: number | null;
  readonly kind: LintKind;
  /** The name or value that it is about; `null` if there is none. */
  readonly name: string | null;
  /** One sentence that says what is there, and another that says what to do. */
  readonly says: string;
}

/** A code cell, read. */
export interface LintedCell {
  /** Number among all cells, from 1. */
  readonly cell: number;
  /** Execution count; `null` if the cell was not run, or edited since. */
  readonly count: number | null;
  readonly hasOutput: boolean;
  readonly names: CellNames;
  readonly statements: readonly SyntaxNode[];
}

/** A finding as a line that stands behind the path of its notebook. */
export function findingText({ cell, line, says }: LintFinding): string {
  return `cell ${cell}${line === null ? "" : `, line ${line}`}: ${says}`;
}
