import { describe, expect, test } from "vitest";
import * as errors from "../../src/base/errors.ts";
import { parseThrows, type ThrowSite } from "../helpers/source/throw_sites.ts";
import { ROOT, sourceFiles } from "../helpers/source_files.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

// Folders whose bare errors no class of errors.ts describes.
const PROGRAMS = [
  "src/analysis/",
  "src/app/cli/",
  "src/base/runtime/",
  "src/server/",
  "src/server/world/",
];

/** Where an error class may be made; the classes that any folder may use are not listed. */
const PLACES: Readonly<Record<string, readonly RegExp[]>> = {
  ContractError: [/^src\/client\/transport\/call\//, /^src\/client\/verb\/read_answer\.ts$/],
  ContractViolation: [
    /^src\/(base\/contract|frames\/frame|base\/store|client)\//,
    /^src\/server\/config_files\.ts$/,
    /^src\/study\/lock\//,
    /^src\/desk\/dataset\/(delta_log|versions)\.ts$/,
  ],
  AccessError: [/^src\/client\/transport\/call\//],
  ApiError: [/^src\/client\/transport\/call\//],
  NotFoundError: [/^src\/client\/transport\/call\//, /^src\/client\//],
  // A panel adds how many of its sets are safe.
  WaitError: [/^src\/client\/transport\//, /^src\/client\/scores\/load_panel\.ts$/],
  TransportError: [/^src\/client\/transport\//, /^src\/client\//, /^src\/base\/gzip\//],
  StorageError: [
    /^src\/(app\/cli|client|desk\/dataset|desk\/variants|app\/demo|base\/disk|base\/gzip|frames\/prices|server\/account|base\/store|study|frames\/vintage|server\/world)\//,
    /^src\/client\/transport\/allowance\/ledger\.ts$/,
    // A state folder that cannot be used or that another relay uses, and a key file that cannot be read.
    /^src\/desk\/relay\/(relay|relay_lock|user\/user_file)\.ts$/,
    // A package that is not in its folder.
    /^src\/report\/chart\/render\/render_(html|pdf)\.ts$/,
    // A folder that a chart or a sheet is saved to.
    /^src\/report\/chart\/save_file\.ts$/,
  ],
  // The data are whole, and break a rule that the caller set: a status, an age, a download, a decision time.
  ScoreframeError: [
    /^src\/client\/scores\/scores_options\.ts$/,
    /^src\/client\/release\/release_errors\.ts$/,
    /^src\/frames\/vintage\/as_of\.ts$/,
    // A study refuses what it does not hold, what looks ahead, and a notebook that cannot be run.
    /^src\/study\//,
    /^src\/app\/cli\/study\//,
    // A program that failed.
    /^src\/app\/cli\/lab\.ts$/,
    // A dataset is made of what a study holds.
    /^src\/desk\/dataset\/table\/study_rows\.ts$/,
    // A port is no folder.
    /^src\/server\/http\/http_server\.ts$/,
    // A permission that Deno was not given.
    /^src\/client\/open_connection\.ts$/,
    /^src\/client\/transport\/call\/call_failure\.ts$/,
  ],
  // An inner cause, which never reaches a caller by itself.
  Error: [
    // Vega is told that a specification may load nothing.
    /^src\/report\/chart\/render\/render_chart\.ts$/,
    // An error of Polars in other words.
    /^src\/frames\/frame\/polars\/(refuse_operators|mend_calls)\.ts$/,
    /^src\/client\/transport\/call\/(call_failure|account_exchange)\.ts$/,
    ...PROGRAMS.map((folder) => new RegExp(`^${folder}`)),
  ],
};

const files = await sourceFiles();
const sites: readonly ThrowSite[] = files.flatMap(({ path, text }) => parseThrows(path, text));

describe("an error class", () => {
  test.each(Object.entries(PLACES))("%s is made only where its row says", (name, places) => {
    const made = sites.filter((site) => site.className === name);
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter(({ path }) => !places.some((place) => place.test(path)))).toEqual([]);
  });

  test("of errors.ts is made somewhere, or is the base of others", () => {
    const made = new Set(sites.map(({ className }) => className));
    expect(Object.keys(errors).filter((name) => !made.has(name))).toEqual([]);
  });

  test.each(Object.keys(errors))("%s stands in the table of docs/connecting.md", async (name) => {
    expect(await readFile(join(ROOT, "docs/connecting.md"), "utf8")).toContain(`\`${name}\``);
  });
});

test("parseThrows() finds an error that is thrown, returned or given on", () => {
  const text = 'function a() { throw new TypeError("x"); }\nconst b = () => new RangeError("y");';
  expect(parseThrows("a.ts", text)).toEqual([
    { path: "a.ts", line: 1, className: "TypeError" },
    { path: "a.ts", line: 2, className: "RangeError" },
  ]);
});
