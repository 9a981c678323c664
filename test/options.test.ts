import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import pl from "nodejs-polars";
import * as main from "../mod.ts";
import * as analysis from "../src/analysis/mod.ts";
import type { HelpEntry } from "../src/client/help/help.ts";
import * as datasets from "../src/desk/dataset/mod.ts";
import * as charts from "../src/report/chart/mod.ts";
import * as sheets from "../src/report/sheet/mod.ts";
import * as worlds from "../src/server/world/mod.ts";
import { SAMPLE_SCORES, sampleAnalysis } from "./helpers/sample_analysis.ts";

type Called = (...given: unknown[]) => unknown;

const FILE = new URL("../src/client/help/entries.json", import.meta.url);
const entries: readonly HelpEntry[] = JSON.parse(await readFile(FILE, "utf8"));
const functions = {
  ...main,
  ...analysis,
  ...charts,
  ...sheets,
  ...datasets,
  ...worlds,
} as unknown as Readonly<Record<string, Called>>;
const sample = await sampleAnalysis();
// What stands before the options in calls that read it first.
const GIVEN: Readonly<Record<string, unknown>> = {
  analysis: sample,
  first: sample,
  second: sample,
  release: SAMPLE_SCORES,
  scores: SAMPLE_SCORES,
  decisions: SAMPLE_SCORES,
  before: SAMPLE_SCORES,
  after: SAMPLE_SCORES,
  frame: SAMPLE_SCORES,
  folder: "no such folder",
  analyses: [sample, sample],
  meansOf: () => new Map([[1, 0]]),
  data: sample.aligned,
  sorted: { cells: pl.DataFrame({ horizon: [1] }) },
};

/** The options that an error of a call lists. */
async function listed(call: () => unknown): Promise<readonly string[]> {
  const error = await (async () => await call())().then(() => null, (error: Error) => error);
  const [, names] = /expected (?:one of the options|the option) (.*?), got "no such option"/
    .exec(error?.message ?? "no error") ?? [];
  return names === undefined ? [error?.message ?? "no error"] : names.split(", ").toSorted();
}

function parametersOf(call: string): readonly string[] {
  return /\((.*)\)/.exec(call)![1]!.split(", ").map((name) => name.replace("?", ""));
}

function namesOf(options: HelpEntry["options"]): readonly string[] {
  return [...new Set(options.map(({ name }) => name.replace("?", "")))].toSorted();
}

describe("help() and errors", () => {
  test("show no tag and no marks of code outside of examples", () => {
    const shown = entries.flatMap(({ example: _, ...entry }) => JSON.stringify(entry));
    expect(shown.filter((text) => text.includes("@default") || text.includes("`"))).toEqual([]);
  });

  test.each(
    entries.filter(({ kind, options, name }) =>
      kind === "function" && options.length > 0 && Object.hasOwn(functions, name)
    ),
  )("name the same options of $name()", async ({ name, call, options }) => {
    const given = parametersOf(call).map((parameter) =>
      parameter === "options" ? { "no such option": 1 } : GIVEN[parameter]
    );
    expect(await listed(() => functions[name]!(...given))).toEqual(namesOf(options));
  });
});
