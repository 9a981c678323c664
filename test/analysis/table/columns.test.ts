import { expect, test } from "vitest";
import { COLUMNS, kindsOf } from "../../../src/analysis/table/columns.ts";
import { sourceFiles } from "../../helpers/source_files.ts";

const files = (await sourceFiles()).filter(({ path }) => path.startsWith("src/analysis/"));

test("the kind of a column stands in the dictionary alone", () => {
  const own = /^ *"?\w+"?: "(number|count|text|date|instant|flag|category)",?$/gm;
  const found = files.filter(({ path }) => path !== "src/analysis/table/columns.ts")
    .flatMap(({ path, text }) => [...text.matchAll(own)].map(([line]) => `${path}: ${line}`));
  expect(found).toEqual([]);
});

test("each column of a table is in the dictionary, and each of the dictionary in a table", () => {
  const named = /const [A-Z_]*(?:COLUMNS|SUMMARY) =\s+["`]([^"`]+)["`]/g;
  const lists = files.flatMap(({ text }) => [...text.matchAll(named)].map(([, list]) => list!));
  expect(lists.length).toBeGreaterThan(70);
  const unknown = lists.flatMap((list) => Object.entries(kindsOf(list)))
    .filter(([, kind]) => kind === undefined).map(([name]) => name);
  expect(unknown).toEqual([]);
  const words = new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/(["`])([^"`]+)\1/g)].flatMap(([, , list]) => list!.split(/\s+/))
    ),
  );
  expect(Object.keys(COLUMNS).filter((name) => !words.has(name))).toEqual([]);
});

test("a table is its names in their order, with those that stand together and without a second kind's word", () => {
  expect(Object.entries(kindsOf("spread:label ...tested"))).toEqual([
    ["spread", "text"],
    ["mean", "number"],
    ["standard_error", "number"],
    ["t", "number"],
    ["df", "count"],
    ["p", "number"],
    ["low", "number"],
    ["high", "number"],
    ["sessions", "count"],
    ["reason", "text"],
  ]);
});
