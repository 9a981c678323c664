import { type Instant, parseInstant } from "../../base/contract/instant.ts";
import type { LintedCell, LintFinding } from "./lint_finding.ts";
import { bare, childOf, childrenOf, lineOf, partsOf, type SyntaxNode } from "./syntax.ts";

/** Known facts about the study of a notebook. */
export interface StudyFacts {
  /** Its time; it contains nothing published later. */
  readonly asOf: Instant | null;
  /** True if its scores are from a service, false for an embedded world, `null` if unknown. */
  readonly isLive: boolean | null;
}

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

/** Finds dates after the time of the study, and a demo in a study of a service. */
export function lintStudyFacts(
  cells: readonly LintedCell[],
  { asOf, isLive }: StudyFacts,
): readonly LintFinding[] {
  return cells.flatMap(({ cell, statements }) => {
    const nodes = statements.flatMap(allNodes);
    // A cell that catches the refusal of a later date shows it on purpose.
    const tried = new Set(nodes.filter(({ type }) => type === "TryStatement").flatMap(allNodes));
    const meant = nodes.filter((node) => !tried.has(node));
    return [
      ...(asOf === null ? [] : meant.flatMap((node) => afterStudy(node, cell, asOf))),
      ...(isLive === true ? nodes.flatMap((node) => demoInLive(node, cell)) : []),
    ];
  });
}

/** A study that the code of a notebook opens; `null` for values from variables. */
export interface OpenedStudy {
  readonly folder: string | null;
  readonly asOf: Instant | null;
  readonly isDemo: boolean;
}

/** Folder and time with which a notebook opens a study, if its code has them as literals. */
export function openedStudy(
  cells: readonly LintedCell[],
): OpenedStudy | null {
  const calls = cells.flatMap(({ statements }) => statements.flatMap(allNodes))
    .filter((node) => calleeOf(node) === "openStudy");
  const [call] = calls;
  if (call === undefined) return null;
  const values = childrenOf(call, "arguments").map(bare);
  const options = values.find(({ type }) => type === "ObjectExpression");
  const folder = values.map(textOf).find((text) => text !== null) ?? null;
  return {
    folder,
    asOf: optionInstant(options, "asOf"),
    isDemo: optionNode(options, "demo") !== undefined,
  };
}

function afterStudy(node: SyntaxNode, cell: number, asOf: Instant): readonly LintFinding[] {
  const text = textOf(node);
  if (text === null || !DATE.test(text)) return [];
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms <= Date.parse(asOf)) return [];
  const says = `uses ${text}, which is after the study's time ${asOf}; ` +
    "use an earlier time, or move the study with study update";
  return [{ cell, line: lineOf(node), kind: "after_study", name: text, says }];
}

function demoInLive(node: SyntaxNode, cell: number): readonly LintFinding[] {
  const options = childrenOf(node, "arguments").map(bare)
    .find(({ type }) => type === "ObjectExpression");
  const isDemo = calleeOf(node) === "demo" ||
    (calleeOf(node) === "openStudy" && optionNode(options, "demo") !== undefined);
  if (!isDemo) return [];
  const says = "loads synthetic scores from a demo, but the study has scores of a service; " +
    "load with the study's verbs";
  return [{ cell, line: lineOf(node), kind: "demo_in_live", name: "demo", says }];
}

function calleeOf(node: SyntaxNode): string | null {
  if (node.type !== "CallExpression") return null;
  const callee = bare(childOf(node, "callee")!);
  return callee.type === "Identifier" ? callee.name as string : null;
}

function optionNode(options: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  if (options === undefined) return undefined;
  return childrenOf(options, "properties").find((part) => childOf(part, "key")?.name === name);
}

function optionInstant(options: SyntaxNode | undefined, name: string): Instant | null {
  const value = optionNode(options, name);
  const text = value === undefined ? null : textOf(bare(childOf(value, "value")!));
  try {
    return text === null ? null : parseInstant(text);
  } catch {
    return null;
  }
}

function textOf(node: SyntaxNode): string | null {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
}

function allNodes(node: SyntaxNode): readonly SyntaxNode[] {
  return [node, ...partsOf(node).flatMap(allNodes)];
}
