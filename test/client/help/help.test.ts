import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readHelpEntries } from "../../../.ci/_help_entries.ts";
import * as main from "../../../mod.ts";
import * as analysis from "../../../src/analysis/mod.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import { Help, help } from "../../../src/client/help/help.ts";
import * as datasets from "../../../src/desk/dataset/mod.ts";
import * as servers from "../../../src/server/mod.ts";
import * as sheets from "../../../src/report/sheet/mod.ts";
import * as worlds from "../../../src/server/world/mod.ts";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";

const { analyzeFactor, FactorAnalysis, trialLog } = analysis;
const { tearSheet } = sheets;
const COMMITTED = new URL("../../../src/client/help/entries.json", import.meta.url);

describe("help()", () => {
  test("is in step with the documentation of the code; deno task generate help writes it anew", async () => {
    const committed = JSON.parse(await readFile(COMMITTED, "utf8"));
    expect(committed).toEqual(readHelpEntries());
  });

  test("shows a verb with its options, their types and defaults, errors and an example", () => {
    const text = String(new Help("panel"));
    expect(text).toMatch(/^api\.panel\(factors, options\)\na verb of a connection or a study\n\n/);
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

  test("finds a function of any entry point by itself, with the options that it takes over", () => {
    const text = String(help(analyzeFactor));
    expect(text).toMatch(
      /^analyzeFactor\(scores, prices, options\?\)\nimport \{ analyzeFactor \} from "scoreframe\/analysis"/,
    );
    // Its own, and one of align().
    expect(text).toContain("\n  quantiles?: number\n");
    expect(text).toContain("\n  maxAgeSessions?: number\n");
    expect(text).toContain('help("FactorAnalysis") has its members');
    expect(String(new Help("tearSheet"))).toContain('from "scoreframe/sheet"');
    expect(String(help(tearSheet))).toBe(String(help("tearSheet")));
  });

  test("shows an option once, with its words, also where overloads narrow it", () => {
    const names = (topic: string) =>
      String(help(topic)).match(/^ {2}\w+\??(?=: )/gm)!.map((line) => line.trim().replace("?", ""));
    for (
      const topic of ["informationCoefficient", "meanReturnByQuantile", "history", "famaMacBeth"]
    ) {
      expect(names(topic)).toEqual([...new Set(names(topic))]);
      expect(String(help(topic))).not.toMatch(/^ {2}\w+\??: (undefined|true|false)$/m);
    }
    expect(names("informationCoefficient")).toContain("by");
  });

  test("has every function that an entry point exports", () => {
    const modules = {
      ...main,
      ...analysis,
      ...charts,
      ...sheets,
      ...datasets,
      ...servers,
      ...worlds,
    };
    const functions = Object.entries(modules)
      .filter(([name, value]) => typeof value === "function" && /^[a-z]/.test(name));
    expect(functions.length).toBeGreaterThan(100);
    for (const [name] of functions) expect(String(help(name))).toContain(`import { ${name} }`);
  });

  test("names the members of what a function gives, by its name, its class or itself", () => {
    const text = String(help("FactorAnalysis"));
    expect(text).toContain("\n\nMembers\n");
    expect(text).toContain("\n  quantileReturns: DataFrame\n      ");
    expect(String(help(FactorAnalysis))).toBe(text);
    expect(String(help(trialLog()))).toContain("TrialLog");
  });

  test("says what each argument is: a frame with its columns, or the function that makes it", () => {
    expect(String(help("eventReturns"))).toContain(
      "Arguments\n  events: ticker, the score if quantiles are asked for, and session (a date) or at",
    );
    const silent = new Help().entries.filter(({ call, inputs }) =>
      inputs.length < call.replace(/^[^(]*\(|, options\??\)|options\??\)|\)$/g, "").split(", ")
        .filter((name) => name !== "").length
    );
    expect(silent.map(({ call }) => call)).toEqual([]);
  });

  test("says of every function of the analysis what it gives, and whose idea it is", () => {
    const functions = new Help().entries.filter(({ module }) => module === "scoreframe/analysis");
    expect(functions.length).toBeGreaterThan(45);
    const silent = functions.filter(({ returns }) => returns === null);
    expect(silent.map(({ name }) => name)).toEqual([]);
    // Arithmetic, and forms of this library or of another one.
    const own = ["changes", "fromArquero", "rollingMean", "toArquero"];
    const nameless = functions.filter(({ text, sources }) =>
      !/\b(1[89]|20)\d\d\b/.test([text, ...sources].join(" "))
    );
    expect(nameless.map(({ name }) => name).filter((name) => !own.includes(name))).toEqual([]);
  });

  test("refuses what has no name", () => {
    for (const topic of [5, null, {}, () => 1]) {
      expect(() => help(topic as never)).toThrow(
        'expected a function or a name, such as help(analyzeFactor) or help("panel")',
      );
    }
  });

  test("is one screen without a name, whose calls exist", () => {
    const lines = String(help()).split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
    expect(lines.flatMap((line) => /^\w+/.exec(line) ?? [])).toEqual(
      ["load", "keep", "prices", "judge", "relate", "serve", "cost", "stuck"],
    );
    const called = [...String(help()).matchAll(/(?<![\w."])([a-z]\w+)(?=\()/g)].map(([name]) =>
      name
    );
    for (const name of called) {
      if (name !== "help") expect(String(help(name)), name).toContain(name);
    }
  });

  test("lists every verb and function with a line", () => {
    const lines = String(new Help("all")).split("\n");
    for (
      const name of [
        "api.factors(",
        "api.scores(",
        "api.history(",
        "coverageMapChart(",
        "sleep(",
        "tearSheet(",
      ]
    ) {
      expect(lines.filter((line) => line.startsWith(name))).toHaveLength(1);
    }
  });

  test("names the nearest verb of one that there is not", () => {
    expect(() => new Help("pannel")).toThrow(
      new RangeError(
        'Cannot show help: expected a verb or a function, got "pannel" (did you mean "panel"?); ' +
          'help("all") lists all',
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
