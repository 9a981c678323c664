import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { neutralize, orthogonalize } from "../../../src/analysis/mod.ts";

const N = 14;
const at = (read: (i: number) => number) => Array.from({ length: N }, (_, i) => read(i));
const section = (date: string) =>
  pl.DataFrame({
    date: Array(N).fill(date),
    ticker: at((i) => i).map((i) => `T${i}`),
    score: at((i) => Math.sin(i * i) + 0.3 * i),
    beta: at((i) => Math.cos(3 * i)),
    size: at((i) => Math.log(1 + i)),
    sector: [..."aabbbccccaabbc"],
  });
const DAY = section("2026-10-30");

// numpy.linalg.lstsq on dummies of the sectors, beta and size; on an intercept, beta and size; pandas groupby().transform("mean").
const BOTH = [
  ...[0.703726871374, 0.509329758978, -0.856898382202, -0.114978142676, -0.549597936348],
  ...[-0.254667726249, -0.803720034057, -0.859176469888, 1.303861915398, -0.785874767201],
  ...[-0.427181863151, 1.423285791383, 0.098188669843, 0.613702314795],
];
const COLUMNS = [
  ...[0.767499696284, 0.623237835147, -0.853703253119, -0.110899969233, -0.48371923157],
  ...[-0.565244308872, -1.067646377289, -1.129163007144, 1.067364362118, -0.454185938035],
  ...[-0.074875627586, 1.584056152857, 0.266942547016, 0.430337119425],
];
const GROUPS = [
  ...[-1.426304337356, -0.284833352548, -2.051843756127, -0.582922775577, -0.982944577484],
  ...[-0.620380332942, -1.179807436287, -0.841781235603, 1.331997455353, 0.64380766837],
  ...[1.067330021534, 2.403773963905, 1.213937145283, 1.309971549479],
];

const scoresOf = (frame: pl.DataFrame) => frame.getColumn("score").toArray() as number[];

function expectNear(found: readonly (number | null)[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 10);
}

describe("neutralize()", () => {
  test("leaves the residuals of numpy: by group, on columns, and on both at once, and says what it removed", () => {
    const both = neutralize(DAY, { group: "sector", on: ["beta", "size"] });
    expectNear(scoresOf(both.data), BOTH);
    const [row] = both.removed.toRecords();
    expect(row).toMatchObject({ n: 14, left_out: 0, groups: 3, reason: null });
    expect(row?.["r_squared"]).toBeCloseTo(0.6479341479565353, 12);
    expect(row?.["slope_beta"]).toBeCloseTo(-0.16507447, 8);
    expect(row?.["slope_size"]).toBeCloseTo(1.45332936, 8);
    const columns = neutralize(DAY, { on: ["beta", "size"] });
    expectNear(scoresOf(columns.data), COLUMNS);
    expect(columns.removed.getColumn("r_squared").get(0)).toBeCloseTo(0.6204068499539834, 12);
    const groups = neutralize(DAY, { group: "sector" });
    expectNear(scoresOf(groups.data), GROUPS);
    expect(groups.removed.getColumn("r_squared").get(0)).toBeCloseTo(0.033634756356786144, 12);
    expect(String(groups)).toContain(
      "Groups and exposures explain 3.4% of the variance of the score, on average over 1 cross-section.",
    );
  });

  test("is orthogonalize() where only columns are given", () => {
    const aligned = DAY.rename({ date: "session" }).withColumns(pl.lit(0.01).alias("return_1"));
    const [ours, theirs] = [
      neutralize(aligned, { on: ["beta", "size"] }).data.sort("ticker"),
      orthogonalize(aligned, ["beta", "size"]).sort("ticker"),
    ];
    expectNear(scoresOf(ours), scoresOf(theirs));
  });

  test("treats each time by itself, keeps the order of rows and the other columns, and null stays null", () => {
    const missing = DAY.withColumns(
      pl.when(pl.col("ticker").eq(pl.lit("T3"))).then(pl.lit(null)).otherwise(pl.col("sector"))
        .alias("sector"),
      pl.when(pl.col("ticker").eq(pl.lit("T4"))).then(pl.lit(null)).otherwise(pl.col("score"))
        .alias("score"),
    );
    const two = pl.concat([section("2026-10-29"), missing]).sort(["ticker", "date"]);
    const { data, removed, toString } = neutralize(two, { group: "sector", on: ["beta", "size"] });
    expect(data.columns).toEqual(two.columns);
    expect(data.getColumn("ticker").toArray()).toEqual(two.getColumn("ticker").toArray());
    const first = data.filter(pl.col("date").eq(pl.lit("2026-10-29")));
    const byTicker = new Map(first.toRecords().map((row) => [row["ticker"], row["score"]]));
    expectNear(at((i) => i).map((i) => byTicker.get(`T${i}`) as number), BOTH);
    const second = data.filter(pl.col("date").eq(pl.lit("2026-10-30")));
    const lost = second.filter(pl.col("score").isNull()).getColumn("ticker").toArray();
    expect(lost).toEqual(["T3", "T4"]);
    expect(removed.toRecords().map((row) => [row["n"], row["left_out"]])).toEqual([[14, 0], [
      12,
      1,
    ]]);
    expect(toString()).toContain("1 scored row without a group or an exposure left out.");
  });

  test.each<[string, pl.DataFrame, object, string]>([
    ["few stocks", DAY.head(6), { group: "sector", on: ["beta", "size"] }, "too_few_names"],
    [
      "a column that the groups explain",
      DAY.withColumns(
        pl.col("sector").eq(pl.lit("a")).cast(pl.Float64).mul(pl.lit(0.1)).alias("beta"),
      ),
      { group: "sector", on: ["beta"] },
      "rank_deficient",
    ],
    [
      "one column twice",
      DAY.withColumns(pl.col("beta").mul(pl.lit(3)).alias("size")),
      { on: ["beta", "size"] },
      "rank_deficient",
    ],
    [
      "equal scores",
      DAY.withColumns(pl.lit(0.3).alias("score")),
      { group: "sector" },
      "constant_scores",
    ],
  ])("has no residuals with %s, and says why", (_name, frame, options, reason) => {
    const { data, removed } = neutralize(frame, options);
    expect(new Set(scoresOf(data))).toEqual(new Set([null]));
    expect(removed.getColumn("reason").toArray()).toEqual([reason]);
  });

  test("counts rows for which a condition holds, as if the others were not there", () => {
    const more = pl.concat([
      DAY,
      DAY.withColumns(pl.col("ticker").str.replace("T", "X").alias("ticker")),
    ])
      .withColumns(
        pl.col("ticker").str.contains("T").cast(pl.Int32).mul(pl.lit(10)).alias("raw"),
      );
    const where = pl.col("raw").gtEq(5);
    const { data, removed } = neutralize(more, { group: "sector", on: ["beta", "size"], where });
    expectNear(scoresOf(data).slice(0, N), BOTH);
    expect(new Set(scoresOf(data).slice(N))).toEqual(new Set([null]));
    expect(removed.toRecords()[0]).toMatchObject({ n: 14, left_out: 0 });
  });

  test("takes instants, and refuses neither groups nor columns", () => {
    const panel = DAY.drop("date").withColumns(pl.lit("2026-10-30T20:00:00Z").alias("at"));
    const { removed } = neutralize(panel, { group: "sector" });
    expect(removed.getColumn("at").toArray()).toEqual([new Date("2026-10-30T20:00:00Z")]);
    expect(() => neutralize(DAY, {})).toThrow(/on .* got an empty array/);
    expect(() => neutralize(DAY, { group: "sectors" })).toThrow(/column sectors, got date/);
    expect(() => neutralize(DAY, { by: "sector" } as never)).toThrow(/ on, group, where, score/);
  });
});

describe.each([
  ["1e-11, as illiquidity has", 1e-11],
  ["1e12, as market values have", 1e12],
])("scores of a size of %s", (_, unit) => {
  const of = (frame: ReturnType<typeof section>) =>
    (frame.getColumn("score").toArray() as number[]).map((value) => value / unit);
  const scaled = DAY.withColumns(pl.col("score").mul(pl.lit(unit)).alias("score"));

  test("have the residuals of scores of size 1, tied where those are", () => {
    const near = (found: number[], expected: readonly number[]) => {
      for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 9);
    };
    near(of(neutralize(scaled, { group: "sector", on: ["beta", "size"] }).data), BOTH);
    near(of(neutralize(scaled, { on: ["beta", "size"] }).data), COLUMNS);
    const rows = scaled.rename({ date: "session" });
    const left = orthogonalize(rows, ["beta", "size"]);
    const tickers = left.getColumn("ticker").toArray() as string[];
    near(of(left), tickers.map((ticker) => COLUMNS[Number(ticker.slice(1))]!));
    // What a column explains wholly leaves ties at zero, and no noise to rank.
    const copy = scaled.withColumns(pl.col("size").mul(pl.lit(3 * unit)).alias("score"));
    expect(new Set(of(neutralize(copy, { on: ["beta", "size"] }).data))).toEqual(new Set([0]));
  });
});
