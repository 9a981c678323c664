import { parseSyntax, visitSyntax } from "../source_files.ts";

/** A place where an error is made. */
export interface ThrowSite {
  /** Path from the root of the repository. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** What stands behind `new`. */
  readonly className: string;
}

/** Every `new …Error(…)` and `new ContractViolation(…)` of a file, thrown there or given to a caller that throws it. */
export function parseThrows(path: string, text: string): readonly ThrowSite[] {
  const sites: ThrowSite[] = [];
  visitSyntax(parseSyntax(text), (node) => {
    if (node.type !== "NewExpression") return;
    const { name } = node["callee"] as { readonly name?: string };
    if (name === undefined || !/(?:Error|Violation)$/.test(name)) return;
    sites.push({ path, line: text.slice(0, node.start).split("\n").length, className: name });
  });
  return sites;
}
