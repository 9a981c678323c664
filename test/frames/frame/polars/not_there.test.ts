import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../helpers/source_files.ts";

const PAGE = await readFile(join(ROOT, "docs/polars-cookbook.md"), "utf8");
const FRAME = pl.DataFrame([
  pl.Series("ticker", ["BARL", "XQA"], pl.Utf8),
  pl.Series("date", [new Date(0), new Date(86_400_000)], pl.Date),
  pl.Series("x", [1, 4], pl.Float64),
  pl.Series("a", [1, 2], pl.Float64),
  pl.Series("b", [2, 1], pl.Float64),
]);
const HOLDERS: Readonly<Record<string, object>> = { x: pl.col("x"), frame: FRAME, pl };

/** The list of what is not there: what users type first, and what to write. */
const rows = PAGE.slice(PAGE.indexOf("### Missing functions")).replaceAll("\n  ", " ")
  .split("\n").filter((line) => line.startsWith("- `"))
  .map((line) => /^(.*?`): (.*)$/.exec(line)!.slice(1) as [string, string]);
const codesOf = (cell: string) => [...cell.matchAll(/`([^`]*)`/g)].map(([, code]) => code!);

describe("the page of nodejs-polars", () => {
  test("lists as missing only members that nodejs-polars lacks", () => {
    const members = rows.flatMap(([typed]) => codesOf(typed))
      .map((code) => /^(x|frame|pl)\.(\w+)/.exec(code)?.slice(1) ?? []);
    expect(members.length).toBeGreaterThan(45);
    const there = members.filter(([holder, name]) =>
      (HOLDERS[holder!] as Record<string, unknown>)[name!] !== undefined
    );
    expect(there).toEqual([]);
  });

  test("offers as replacements only members that nodejs-polars has", () => {
    const written = rows.flatMap(([, cell]) => codesOf(cell))
      .flatMap((code) => [...code.matchAll(/\b(x|frame|pl)\.(\w+)/g)].map(([, ...found]) => found));
    const absent = written.filter(([holder, name]) =>
      (HOLDERS[holder!] as Record<string, unknown>)[name!] === undefined
    );
    expect(written.length).toBeGreaterThan(45);
    expect(absent).toEqual([]);
  });

  test("gives the numbers that pandas gives", () => {
    const x = pl.col("x");
    const value = (expression: pl.Expr) =>
      FRAME.select(expression.alias("v")).getColumn("v").toArray();
    expect(value(x.pow(0.5))).toEqual([1, 2]);
    const sign = pl.when(x.gt(2)).then(pl.lit(1)).when(x.lt(2)).then(pl.lit(-1)).otherwise(
      pl.lit(0),
    );
    expect(value(sign)).toEqual([-1, 1]);
    expect(value(x.sub(x.div(pl.lit(3)).floor().mul(pl.lit(3))))).toEqual([1, 1]);
    expect(value(x.log(10))[1]).toBeCloseTo(0.6020599913279624, 15);
    expect(value(x.log())[1]).toBeCloseTo(1.3862943611198906, 15);
    expect(value(x.gtEq(1).and(x.ltEq(2)))).toEqual([true, false]);
    // (1 - 2.5) / sqrt(4.5)
    expect(value(x.sub(x.mean()).div(x.std()))[0]).toBeCloseTo(-0.7071067811865475, 15);
    expect(value(pl.pearsonCorr("a", "b"))).toEqual([-1]);
    expect(value(x.rollingMean({ windowSize: 2 }))).toEqual([null, 2.5]);
    expect(value(pl.sumHorizontal([pl.col("a"), pl.col("b")]).div(pl.lit(2)))).toEqual([1.5, 1.5]);
  });
});
