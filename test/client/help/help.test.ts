import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readHelpEntries } from "../../../.ci/_help_entries.ts";
import { Help } from "../../../src/client/help/help.ts";
import { DISPLAY } from "../../../src/notebook/display.ts";

const COMMITTED = new URL("../../../src/client/help/entries.json", import.meta.url);

describe("help()", () => {
  test("is in step with the documentation of the code; deno task help writes it anew", async () => {
    const committed = JSON.parse(await readFile(COMMITTED, "utf8"));
    expect(committed).toEqual(readHelpEntries());
  });

  test("shows a verb with its options, their types and defaults, errors and an example", () => {
    const text = String(new Help("panel"));
    expect(text).toMatch(/^api\.panel\(factors, options\)\n\n/);
    expect(text).toContain('  every?: "set" | "check"\n');
    expect(text).toContain('      default: "set"\n');
    expect(text).toContain("  maxWaitMs?: number\n");
    expect(text).toContain("\n  WaitError: ");
    expect(text).toContain("\n  const api = await demo();");
  });

  test("finds a verb as it is written in a cell, and functions", () => {
    expect(String(new Help("api.scores"))).toMatch(/^api\.scores\(/);
    expect(String(new Help("show"))).toMatch(/^show\(value, options\?\)/);
  });

  test("lists every verb and function with a line", () => {
    const lines = String(new Help()).split("\n");
    for (
      const name of ["api.factors(", "api.scores(", "api.history(", "coverageChart(", "sleep("]
    ) {
      expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1);
    }
  });

  test("names the nearest verb of one that there is not", () => {
    expect(() => new Help("pannel")).toThrow(
      new RangeError(
        'Cannot show help: expected a verb or a function, got "pannel" (did you mean "panel"?); ' +
          "help() lists all",
      ),
    );
  });

  test("shows a table in a notebook, and no markup of the documentation", async () => {
    const bundle = await new Help("scores")[DISPLAY]();
    expect(bundle["text/html"]).toContain("<th");
    expect(bundle["text/html"]).not.toContain("{@link");
    expect(bundle["text/plain"]).toBe(String(new Help("scores")));
  });
});
