import { describe, expect, test } from "vitest";
import { parseSweep } from "../../../../src/desk/dataset/sweep/sweep.ts";

const read = (value: unknown) => parseSweep(JSON.stringify(value), "sweep.json");
const namesOf = (value: unknown) => read(value).variants.map(({ name }) => name);

describe("the file of a sweep", () => {
  test("means every factor and combination with every transform, lag and universe", () => {
    const sweep = {
      factors: ["ecpnd"],
      combinations: { both: { ecpnd: 0.5, ecqdi: -0.5 } },
      transforms: ["none", "rank"],
      lags: [0, 5],
      universes: { large: ["AAA", "BBB"] },
    };
    expect(namesOf(sweep)).toEqual([
      ...["ecpnd", "ecpnd--large", "ecpnd--lag5", "ecpnd--lag5--large"],
      ...["both", "both--large", "both--lag5", "both--lag5--large"],
      ...["both--rank", "both--rank--large", "both--rank--lag5", "both--rank--lag5--large"],
    ]);
    // Ranks of one factor are its ranks: one test.
    expect(read(sweep).variants.slice(0, 2).map(({ also }) => also))
      .toEqual([["ecpnd--rank"], ["ecpnd--rank--large"]]);
    expect(read(sweep).variants.at(-1)!.also).toEqual([]);
    const [large] = read(sweep).variants.filter(({ name }) => name === "both--rank--lag5--large");
    expect(large).toMatchObject({
      weights: { ecpnd: 0.5, ecqdi: -0.5 },
      transform: "rank",
      lag: 5,
      universe: [{ ticker: "AAA" }, { ticker: "BBB" }],
    });
  });

  test("tells one factor from its opposite, and universes by their tickers and days", () => {
    const once = (value: object) => read(value).variants.length;
    expect(once({ combinations: { a: { x: 1 }, b: { x: 2 }, c: { x: -1 } } })).toBe(2);
    const from = (day: string) => [{ ticker: "AAA", from: day }];
    const universes = { u: ["AAA", "BBB"], v: ["BBB", "AAA"], w: from("2024-01-02") };
    expect(once({ combinations: { a: { x: 1 } }, universes })).toBe(3);
  });

  test("asks for one, five and twenty-one sessions, unless it says otherwise", () => {
    expect(read({ factors: ["a"] }).question).toMatchObject({ periods: [1, 5, 21], entry: "next" });
    expect(read({ factors: ["a"], horizons: [3] }).question.periods).toEqual([3]);
    const own = { factors: ["a"], minNames: 5, calendar: "own" };
    expect(read(own).question).toMatchObject({ minNames: 5, calendar: "own" });
  });

  test.each([
    [{ factors: [] }, "expected factors to be a list of names, each once, got []"],
    [{ factors: ["a", "a"] }, 'each once, got ["a","a"]'],
    [{ factors: ["../a"] }, 'got ["../a"]'],
    [
      { factors: ["a"], lags: [-1] },
      "expected lags to be a list of whole numbers of sessions, at least 0",
    ],
    [{ factors: ["a"], lags: 5 }, "got 5"],
    [
      { factors: ["a"], transforms: ["log"] },
      "expected transforms to be a list of none, rank, zscore",
    ],
    [{ factors: ["a"], universes: { all: ["x"] } }, "by the name of a universe other than all"],
    [
      { factors: ["a"], combinations: { b: { a: 0 } } },
      "expected combinations to be weights of factors",
    ],
    [{ factor: ["a"] }, "expected the fields factors, combinations,"],
    [
      { factors: ["a"], minNames: 1 },
      "expected minNames to be a whole number of at least 2, got 1",
    ],
    [{ factors: ["a"], calendar: "xnys" }, 'expected calendar to be "us" or "own", got "xnys"'],
    [{ factors: ["a"], rebalance: "weekly" }, "has no portfolio; use analyse --rebalance"],
    [{ factors: ["a"], quantiles: 5 }, "a sweep measures ICs, which have no quantiles"],
    [{ factors: ["a"], universes: { u: [{ ticker: "A", from: "2024" }] } }, "with days"],
    [{ factors: ["a"], universes: { u: [{ ticker: "A", until: "2024-01-02" }] } }, "with days"],
    [{ lags: [1] }, "expected factors or combinations, got neither"],
    [{ factors: ["a"], combinations: { a: { a: 1 } } }, "got a twice; rename the combination"],
    [["a"], 'expected an object, got ["a"]'],
  ])("is refused where it says %j", (value, message) => {
    expect(() => read(value)).toThrow(TypeError);
    expect(() => read(value)).toThrow(message);
    expect(() => read(value)).toThrow("Cannot read the sweep sweep.json");
  });

  test("is refused where it is no JSON", () => {
    expect(() => parseSweep("{", "my.json")).toThrow(
      "Cannot read the sweep my.json: expected JSON",
    );
  });
});
