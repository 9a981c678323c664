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

/** A state of a notebook that its text does not show, and that a run from the top may not have. */
export interface LintFinding {
  /** Number of the cell among all cells, from 1. */
  readonly cell: number;
  /** Line in the cell, from 1; `null` for the whole cell. */
  readonly line: number | null;
  readonly kind: LintKind;
  /** Name or value concerned; `null` if there is none. */
  readonly name: string | null;
  /** The finding, and the remedy. */
  readonly says: string;
}

/** A parsed code cell. */
export interface LintedCell {
  /** Number among all cells, from 1. */
  readonly cell: number;
  /** Execution count; `null` if the cell was not run, or was edited since. */
  readonly count: number | null;
  readonly hasOutput: boolean;
  readonly names: CellNames;
  readonly statements: readonly SyntaxNode[];
}

/** Text of a finding, to follow the path of its notebook. */
export function findingText({ cell, line, says }: LintFinding): string {
  return `cell ${cell}${line === null ? "" : `, line ${line}`}: ${says}`;
}
