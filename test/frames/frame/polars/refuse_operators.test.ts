import { inspect } from "node:util";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import "../../../../src/frames/frame/polars/refuse_operators.ts";

const FRAME = pl.DataFrame([
  pl.Series("ticker", ["BARL", "XQA"], pl.Utf8),
  pl.Series("x", [1, 2], pl.Float64),
]);
// JavaScript allows what the compiler of a notebook, of which there is none, would refuse.
const x = pl.col("x") as unknown as number;
const column = FRAME.getColumn("x") as unknown as number;
const frame = FRAME as unknown as number;
const lazy = FRAME.lazy() as unknown as number;

const EXPRESSION = 'Cannot apply an operator to the expression col("x"): expected a method, got ';
const OTHER = "one of > >= < <= - * / % ** & | or a function of Math, ";

const messageOf = (message: string): Error => expect.objectContaining({ message });

describe("an expression beside an operator of JavaScript", () => {
  test.each<[string, () => unknown]>([
    ["x > 0.5", () => x > 0.5],
    ["0.5 <= x", () => 0.5 <= x],
    ["x - 0.5", () => x - 0.5],
    ["2 * x", () => 2 * x],
    ["x / x", () => x / x],
    ["x % 2", () => x % 2],
    ["x ** 2", () => x ** 2],
    ["-x", () => -x],
    ["x & x", () => x & x],
    ["Math.sqrt(x)", () => Math.sqrt(x)],
    ["Number.parseFloat through isNaN(x)", () => isNaN(x)],
    ["a comparison inside a filter", () => FRAME.filter((x > 0.5) as never)],
    ["a comparison of a date", () => x > (new Date(0) as unknown as number)],
  ])("throws, and names the method: %s", (_typed, run) => {
    expect(run).toThrow(`${EXPRESSION}${OTHER}`);
    expect(run).toThrow("use .gt, .gtEq, .lt, .ltEq, .sub, .mul, .div, .pow, .abs, .and or .or");
    expect(run).toThrow('such as pl.col("x").gt(0.5)');
  });

  test.each<[string, () => unknown]>([
    ["x + 1", () => x + 1],
    ["1 + x", () => 1 + x],
    ["a text + x", () => "x is " + x],
    // deno-lint-ignore eqeqeq
    ["x == 1", () => x == 1],
    // deno-lint-ignore eqeqeq
    ['x != "BARL"', () => (x as unknown as string) != "BARL"],
  ])("throws where it is added or compared for equality: %s", (_typed, run) => {
    expect(run).toThrow(`${EXPRESSION}+ or ==, which JavaScript would apply to the object`);
    expect(run).toThrow('use .add, .eq or .neq, such as pl.col("x").add(1) or pl.col("x").eq(');
  });

  test.each([
    ["of two columns", () => pl.col("a").add(pl.col("b"))],
    [
      "of when and otherwise",
      () => pl.when(pl.col("x").gt(0)).then(pl.lit(1)).otherwise(pl.lit(0)),
    ],
    ["of a list", () => pl.col("x").list.first()],
    ["of a text", () => pl.col("x").str.toUpperCase()],
    ["of a date", () => pl.col("x").dt.year()],
    ["of rows", () => pl.col("x").sum().over("ticker")],
    ["of a lazy frame", () => pl.col(["x", "ticker"])],
    ["of a literal", () => pl.lit(3)],
    ["of a correlation", () => pl.pearsonCorr("a", "b")],
  ])("throws whatever made it: %s", (_name, make) => {
    const made = make() as unknown as number;
    expect(() => made > 1).toThrow("Cannot apply an operator to the expression ");
  });

  test("is quoted in at most sixty characters", () => {
    const long = pl.col("x".repeat(5000)) as unknown as number;
    expect(() => long > 1).toThrow(/^Cannot apply an operator to the expression col\("x{55}…: /);
    expect(() => long > 1).toThrow('such as pl.col("x").gt(0.5)');
  });

  test("is a text wherever a text is asked for, and works as before", () => {
    expect(String(x)).toBe('col("x")');
    expect(`${x}`).toBe('col("x")');
    expect(inspect(x)).toBe('col("x")');
    expect(JSON.stringify(x)).toBe('{"Column":"x"}');
    expect(Object.keys(x)).not.toContain("Symbol(Symbol.toPrimitive)");
    expect(FRAME.filter(pl.col("x").gt(1)).getColumn("ticker").toArray()).toEqual(["XQA"]);
    expect(pl.Expr.isExpr(x)).toBe(true);
  });

  test("cannot be caught where JavaScript asks nothing of it", () => {
    expect((x as unknown) === 1).toBe(false);
    expect(!x).toBe(false);
    expect(x && 1).toBe(1);
  });
});

describe("a column, a frame, and a lazy frame beside an operator", () => {
  test.each<[string, () => unknown, string]>([
    ["column > 1", () => column > 1, 'the column "x": expected a method'],
    [
      "column of a frame by its name",
      () => (FRAME as unknown as Record<string, number>)["x"]! - 1,
      'such as frame.filter(pl.col("x").gt(0.5))',
    ],
    ["column + 1", () => column + 1, 'use an expression, such as frame.filter(pl.col("x").eq(1))'],
    ["frame * 2", () => frame * 2, "Cannot apply an operator to a frame: expected a method"],
    ["frame + frame", () => frame + frame, 'such as frame.select(pl.col("x").add(1))'],
    ["lazy > 2", () => lazy > 2, "Cannot apply an operator to a lazy frame: expected a method"],
    [
      "head() > 2",
      () => FRAME.head() as unknown as number > 2,
      "Cannot apply an operator to a frame",
    ],
  ])("throws: %s", (_typed, run, says) => {
    expect(run).toThrow(says);
  });

  test("are a text wherever a text is asked for, and work as before", () => {
    expect(String(FRAME)).toContain("shape: (2, 2)");
    expect(`${column}`).toContain("Series: 'x'");
    expect(String(lazy)).toBe("[object LazyDataFrame]");
    expect([...FRAME.getColumn("x")]).toEqual([1, 2]);
    expect(FRAME.columns).toEqual(["ticker", "x"]);
    expect(FRAME.getColumn("x").sum()).toBe(3);
    expect(pl.Series.isSeries(column)).toBe(true);
  });
});

describe("a query of a column that is not there", () => {
  const MISSING =
    'Cannot find the column "BARL": expected one of ticker, x; a string is the name of a column; the string itself ' +
    'is pl.lit("BARL"), such as pl.col("ticker").eq(pl.lit("BARL"))';
  const query = () => pl.col("ticker").eq("BARL");

  test("says how a date is written", () => {
    expect(() => FRAME.filter(pl.col("x").gtEq("2026-04-01"))).toThrow(
      'a date is pl.lit(new Date("2026-04-01"))',
    );
  });

  test("names the columns, and what a text is, in one line", async () => {
    expect(() => FRAME.filter(query())).toThrow(messageOf(MISSING));
    expect(() => FRAME.withColumn(query())).toThrow(messageOf(MISSING));
    expect(() => FRAME.lazy().filter(query()).collectSync()).toThrow(messageOf(MISSING));
    await expect(FRAME.lazy().filter(query()).collect()).rejects.toThrow(messageOf(MISSING));
    expect(() => FRAME.groupBy("BARL").agg(pl.col("x").sum())).toThrow(messageOf(MISSING));
  });

  test("names the columns where Polars looks a name up itself, those of the frame that lacks it", () => {
    const told = (name: string, columns: string, advice: string) =>
      messageOf(`Cannot find the column "${name}": expected one of ${columns}; ${advice}`);
    const scores: DataFrame = pl.DataFrame({ ticker: ["A"], ecpnd_score: [0.5] });
    const [sectors, prices]: DataFrame[] = [pl.DataFrame({ sector: ["a"] }), FRAME];
    expect(() => scores.getColumn("ecpnd_scor")).toThrow(
      told("ecpnd_scor", "ticker, ecpnd_score", 'did you mean "ecpnd_score"?'),
    );
    const none = told("sector", "ticker, x", "take one of them");
    for (
      const run of [
        () => FRAME.select("sector"),
        () => FRAME.sort("sector"),
        () => FRAME.drop("sector"),
        () => FRAME.unique({ subset: "sector" }),
        () => sectors!.join(prices!, { on: "sector" }),
      ]
    ) expect(run).toThrow(none);
    expect(() => scores.join(prices!, { on: "sector" })).toThrow(/ticker, ecpnd_score; take one/);
    expect(scores.getColumn("ecpnd_score").toArray()).toEqual([0.5]);
  });

  test("names a dozen of many columns, and the cause is what Polars said", () => {
    const wide = pl.DataFrame(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, [1]])),
    );
    const error = errorOf(() => wide.filter(pl.col("none").gt(1)));
    expect(error.message).toContain("of c0, c1, c2,");
    expect(error.message).toContain("c11, … 28 more; ");
    expect((error.cause as Error).message).toContain("Resolved plan until failure");
  });

  test("and other errors of a query lose its plan", () => {
    // One line of Polars' own, whose words change with its version.
    expect(errorOf(() => FRAME.select(pl.col("ticker").sub(1))).message).toMatch(
      /^arithmetic on [^\n]+$/,
    );
  });
});

function errorOf(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("an error is required");
}

describe("a filter that was given what JavaScript made of its condition", () => {
  const text = pl.col("ticker") as unknown as string;
  test.each<[string, () => unknown, string]>([
    ["!==", () => FRAME.filter((text !== "BARL") as never), "got true, which keeps every row"],
    ["===", () => FRAME.filter((text === "BARL") as never), "got false, which keeps none"],
    ["!", () => FRAME.filter(!pl.col("x").gt(1) as never), "got false, which keeps none"],
    ["=== and ||", () => FRAME.filter((text === "A" || text === "B") as never), "got false"],
    ["!== of a lazy frame", () => FRAME.lazy().filter((text !== "A") as never), "got true"],
    ["!== in where()", () => FRAME.where((text !== "A") as never), "got true"],
    ["!== within a group", () => pl.col("x").filter((text !== "A") as never), "got true"],
    [
      "a frame after a join",
      () => FRAME.join(FRAME, { on: "x" }).filter(true as never),
      "got true",
    ],
  ])("throws: %s", (_typed, run, says) => {
    expect(run).toThrow(says);
    expect(run).toThrow('pl.col("x").neq(pl.lit("A"))');
  });

  test("keeps its rows where it is a condition", () => {
    expect(FRAME.filter(pl.col("x").gt(1)).height).toBe(1);
    expect(FRAME.where(pl.col("ticker").neq(pl.lit("BARL"))).height).toBe(1);
    expect(FRAME.getColumn("x").filter(FRAME.getColumn("x").gt(1)).len()).toBe(1);
    expect(FRAME.select(pl.col("x").filter(pl.col("x").gt(1)).sum()).height).toBe(1);
  });
});
