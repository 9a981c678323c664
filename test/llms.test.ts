import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { llmsText } from "../.ci/_llms_text.ts";
import { ROOT } from "./helpers/source_files.ts";

const MAX_BYTES = 42_000;
const read = (path: string) => readFile(join(ROOT, path), "utf8");
const [text, page, entries] = await Promise.all([
  read("docs/llms.txt"),
  read("docs/assistants.md"),
  read("src/client/help/entries.json"),
]);

describe("docs/llms.txt", () => {
  test("is what the help and the page of assistants say; `deno task generate help` writes it", () => {
    expect(text === llmsText(page, JSON.parse(entries))).toBe(true);
  });

  test("is small enough to paste", () => {
    expect(new TextEncoder().encode(text).length).toBeLessThan(MAX_BYTES);
  });

  test("has rules, a cell, and functions with options, defaults and columns", () => {
    expect(text).toMatch(/^## Rules$/m);
    expect(text).toMatch(/^## A cell$/m);
    expect(text).toMatch(/^## A study$/m);
    expect(text).toContain(
      '`asOf(scores, decisions, { decisionColumn? = "at", by?, maxAgeMs? })`: Joins',
    );
    expect(text).toMatch(/^- `informationSummary\(.*horizon, sessions, mean,/m);
    expect(text).toContain("...LOAD for signal, timeoutMs");
  });

  test("names functions in its rules that it lists", () => {
    const [rules = "", functions = ""] = text.split("\n## Functions\n");
    const named = [...rules.matchAll(/`(?:await )?(?:api\.|pl\.)?(\w+)\(/g)].map(([, name]) =>
      name!
    );
    const ofOthers = "col lit eq fillNull shift getColumn toRecords Datetime input save".split(" ");
    const missing = named.filter((name) =>
      !ofOthers.includes(name) && !new RegExp(`^- \`(api\\.)?${name}\\(`, "m").test(functions)
    );
    expect(named.length).toBeGreaterThan(15);
    expect(missing).toEqual([]);
  });
});
