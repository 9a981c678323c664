import pl from "nodejs-polars";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { ascending, type RowOf, rowsOf } from "../../../src/report/chart/grammar/values.ts";
import { has, mark } from "../../../src/report/chart/mark.ts";

describe("mark()", () => {
  const x = { field: "lag", type: "quantitative" };
  const y = { field: "low", type: "quantitative" };

  test("tells channels, which are objects, from looks, and names the column of an end", () => {
    expect(mark("rule", { rows: [{ lag: 1 }], color: "red", strokeDash: [4, 3], x, y, y2: "high" }))
      .toEqual({
        data: { values: [{ lag: 1 }] },
        mark: { type: "rule", color: "red", strokeDash: [4, 3] },
        encoding: { x, y, y2: { field: "high" } },
      });
  });

  test("takes a point of a line and its tooltip's lines for what they are, and leaves out what is not given", () => {
    const tooltip = [{ field: "lag", title: "lag" }];
    expect(mark("line", { point: { size: 10 }, x: 4, tooltip, shape: undefined })).toEqual({
      mark: { type: "line", point: { size: 10 }, x: 4 },
      encoding: { tooltip },
    });
  });

  test("filters rows before their other steps, and draws rows that pictures share by their name", () => {
    const calculate = { calculate: "1", as: "one" };
    expect(mark("bar", { rows: "wealth", where: has("low"), transform: [calculate] })).toEqual({
      data: { name: "wealth" },
      transform: [{ filter: 'isValid(datum["low"])' }, calculate],
      mark: { type: "bar" },
    });
  });
});

describe("rows of a frame whose columns are known", () => {
  test("have the types of their columns, dates as text", () => {
    type Session = RowOf<FactorAnalysis["ic"]>;
    expectTypeOf<Session["session"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Session["ic"]>().toEqualTypeOf<number | null>();
  });

  test("are numbers in ascending order, without those that have none", () => {
    const rows = rowsOf(pl.DataFrame({ ic: [0.2, null, -0.1], n: [1, 2, 3] }));
    expect(ascending(rows, "ic").map(({ ic }) => ic)).toEqual([-0.1, 0.2]);
  });
});
