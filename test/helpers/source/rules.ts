import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAst } from "vitest/node";
import { ROOT } from "../source_files.ts";

/** A rule of the API document, as the tag above the test that proves it says it. */
export interface Rule {
  /** Whether the document says it, or leaves it open and this server decided. */
  readonly kind: "rule" | "silent";
  /** Section of the API document. */
  readonly section: string;
  /** The file that keeps the rule, from `src` on. */
  readonly where: string;
  readonly rule: string;
  /** The file of the test, from the root of the repository. */
  readonly test: string;
  readonly title: string;
}

/** The tables made of the tags: every rule with its file and test, then the cases that the API leaves open. */
export const RULES_DOCUMENT = "test/server/rules.md";

const TAG = /^[ \t]*\/\/ @(rule|silent) (.*)$/gm;
/** Tables of a document: rows of cells. */
type Tables = readonly (readonly (readonly string[])[])[];

const TAG_TEXT = /^(\d+(?:\.\d+)*) (\S+\.\w+): (.+)$/;
const COLUMNS = ["No.", "Section", "Rule", "Where", "Test"];
const TABLE = /^\| *No\. *\|.*\n(?:\|.*\n)+/gm;

/** Every rule that a test is tagged with: those of the document first, each kind by section. */
export async function taggedRules(): Promise<readonly Rule[]> {
  const below = await readdir(join(ROOT, "test"), { recursive: true });
  const paths = below.filter((path) => path.endsWith(".test.ts")).toSorted();
  const rules = await Promise.all(paths.map(async (path) => {
    const text = await readFile(join(ROOT, "test", path), "utf8");
    return text.match(TAG) === null ? [] : rulesIn(join("test", path), text);
  }));
  return rules.flat().toSorted((a, b) =>
    a.kind.localeCompare(b.kind) || compareSections(a.section, b.section)
  );
}

/**
 * The rules of one test file: a tag belongs to the call that follows it.
 *
 * @throws {Error} If a tag is not `// @rule <section> <file>: <text>` (or `@silent`), or no test follows it
 */
export function rulesIn(path: string, text: string): readonly Rule[] {
  const calls = titledCalls(parseAst(text, { lang: "ts" }));
  return [...text.matchAll(TAG)].map(({ index, 1: kind, 2: tag = "" }) => {
    const [, section, where, rule] = TAG_TEXT.exec(tag) ?? [];
    const call = calls.find(({ start }) => start > index);
    if (section === undefined || where === undefined || rule === undefined || !call) {
      throw new Error(
        `Cannot read a tag of ${path}: expected "// @rule <section> <file>: <text>" above a test, got "${tag}"`,
      );
    }
    return {
      kind: kind === "silent" ? "silent" : "rule",
      section,
      where,
      rule,
      test: path,
      title: call.title,
    };
  });
}

/** The cells of the tables, one table for each kind of rule, one row for each rule. */
export function tableCells(rules: readonly Rule[]): Tables {
  const cells = rules.map(({ section, where, rule, test, title }, i) => {
    const file = test.replace(/^test\/(?:server\/)?/, "").replace(/\.test\.ts$/, "");
    return [String(i + 1), section, escapeCell(rule), where, escapeCell(`${file}: ${title}`)];
  });
  const said = rules.filter(({ kind }) => kind === "rule").length;
  return [cells.slice(0, said), cells.slice(said)];
}

/** The cells of the tables in the text of the document. */
export function tablesIn(document: string): Tables {
  return [...document.matchAll(TABLE)].map(([table]) =>
    table.trim().split("\n").slice(2)
      .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()))
  );
}

/** The document with the tables that cells make. */
export function withTables(document: string, made: Tables): string {
  const tables = made.map((rows) =>
    [COLUMNS, COLUMNS.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`)
  );
  return document.replace(TABLE, (old) => tables.shift()?.join("") ?? old);
}

function escapeCell(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("|", "\\|");
}

function compareSections(a: string, b: string): number {
  const [first, second] = [a, b].map((section) => section.split(".").map(Number));
  const at = first!.findIndex((part, i) => part !== second![i]);
  return at < 0 ? first!.length - second!.length : first![at]! - (second![at] ?? -1);
}

interface TitledCall {
  readonly start: number;
  readonly title: string;
}

// Statements such as `test("title", …)` and `test.each(rows)("title", …)`, in the order of the file.
function titledCalls(program: unknown): readonly TitledCall[] {
  const calls: TitledCall[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, start, expression } = node as {
      type?: string;
      start?: number;
      expression?: { type?: string; arguments?: readonly { value?: unknown }[] };
    };
    const title = expression?.arguments?.[0]?.value;
    if (type === "ExpressionStatement" && typeof title === "string" && start !== undefined) {
      calls.push({ start, title });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return calls.toSorted((a, b) => a.start - b.start);
}
