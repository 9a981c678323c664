import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { compareSheets } from "../../../src/report/sheet/compare_sheets.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { makeMarket } from "../../helpers/market.ts";

const SESSIONS = 1400;
const MARKET = makeMarket(SESSIONS, (next, noise) => 0.5 + 2 * next + 0.3 * (noise - 0.5));
const OPTIONS = { entry: "same", progress: false, lags: [1, 2, 5] } as const;
const SPLIT = new Date("2013-07-01");

let all: FactorAnalysis;
let late: FactorAnalysis;
let early: FactorAnalysis;
let losing: FactorAnalysis;
beforeAll(async () => {
  const date = pl.col("date");
  const analyze = (scores: typeof MARKET.scores) => analyzeFactor(scores, MARKET.prices, OPTIONS);
  all = await analyze(MARKET.scores);
  late = await analyze(MARKET.scores.filter(date.gtEq(pl.lit(SPLIT))));
  early = await analyze(MARKET.scores.filter(date.lt(pl.lit(SPLIT))));
  losing = await analyze(MARKET.scores.withColumns(pl.col("score").mul(pl.lit(-1)).alias("score")));
});

function keyRow(sheet: ReturnType<typeof compareSheets>, label: string) {
  const rows = sheet.part("numbers").tables["Key numbers"]!.toRecords() as unknown as Record<
    string,
    string
  >[];
  return rows.find((row) => row["key number"] === label)!;
}

describe("compareSheets() of two periods", () => {
  test("compares the sessions that all have, and says so", () => {
    const sheet = compareSheets([all, late], { names: ["all", "late"] });
    expect(keyRow(sheet, "Mean rank IC")["all"]).toBe(keyRow(sheet, "Mean rank IC")["late"]);
    expect(sheet.part("differences").paragraphs.at(-1)).toContain(
      "All analyses cover the same sessions, 2013-07-01 to 2015-",
    );
    expect(sheet.part("first_judgement").paragraphs[0]).toContain("1,400 sessions");
    expect(sheet.part("second_judgement").paragraphs).toEqual([]);
  });

  test("compares whole periods on request", () => {
    const sheet = compareSheets([all, late], { names: ["all", "late"], period: "whole" });
    expect(sheet.text).toContain("The periods differ (2010-01-04 to ");
  });

  test("refuses periods without a common session, unless the whole ones are asked for", () => {
    expect(() => compareSheets([early, late])).toThrow(
      /expected sessions that all have, got 2010-01-04 to 2013-06-28 and 2013-07-01 to .*period: "whole"/,
    );
    expect(compareSheets([early, late], { period: "whole" }).text).toContain("The periods differ");
    expect(() => compareSheets([all, late], { period: "both" as never })).toThrow(
      /period to be "common" or "whole", got "both"/,
    );
  });
});

describe("compareSheets()", () => {
  test("has the key numbers of both, as their own sheets print them", () => {
    const both = compareSheets([all, losing], { names: ["kept", "turned"] });
    for (const { label, value, note } of tearSheet(all).part("summary").numbers) {
      expect(keyRow(both, label)["kept"]).toBe(`${value} (${note})`);
    }
    expect(keyRow(both, "Break-even cost")["turned"]).toMatch(/^no break-even \(/);
  });

  test("takes up to six, all in one picture", () => {
    const sheet = compareSheets([all, losing, late], { names: ["kept", "turned", "late"] });
    expect(sheet.part("numbers").tables["Key numbers"]!.columns)
      .toEqual(["key number", "kept", "turned", "late"]);
    const { charts, tables } = sheet.part("differences");
    expect(charts).toHaveLength(1);
    for (const name of ["kept", "turned", "late"]) {
      expect(JSON.stringify(charts[0]!.spec)).toContain(name);
    }
    const pairs = Object.values(tables)[0]!.getColumn("pair").unique().toArray();
    expect(pairs.toSorted()).toEqual(["late minus kept", "turned minus kept"]);
    expect(sheet.part("third_judgement").title).toBe("Judgement: late");
  });

  test("begins with the paired differences, whose mean is the difference of the means", () => {
    const [first] = compareSheets([all, losing], { names: ["kept", "turned"] }).parts;
    const rows = Object.values(first!.tables)[0]!.toRecords() as unknown as Record<
      string,
      number
    >[];
    const ic = (of: FactorAnalysis) => of.summary.table.toRecords()[0]!.mean!;
    expect(rows[0]).toMatchObject({ horizon: 1, n: all.summary.table.toRecords()[0]!.sessions });
    expect(rows[0]!["mean"]).toBeCloseTo(ic(losing) - ic(all), 10);
    expect(rows[0]!["high"]).toBeLessThan(0);
    expect(first!.paragraphs[0]).toMatch(
      /^turned minus kept: rank IC at 1 session −\d\.\d{3} \(95% CI /,
    );
  });

  test("says that two equal analyses do not differ", () => {
    const [first] = compareSheets([all, all]).parts;
    expect(first!.paragraphs[0]).toContain("rank IC at 1 session 0.000 (no confidence interval");
  });
});
