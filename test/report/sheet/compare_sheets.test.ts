import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import type { Chart } from "../../../src/report/chart/chart.ts";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
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

/** Sessions of the ranges of a chart. */
function rangeSessions({ spec }: Chart): readonly number[] {
  const found = JSON.stringify(spec).matchAll(/"sessions":(\d+)/g);
  return [...found].map(([, sessions]) => Number(sessions));
}

/** Ends of the axis of time. */
function timeDomains({ spec }: Chart): readonly string[] {
  const found = JSON.stringify(spec).matchAll(/"type":"utc","padding":6,"domain":(\[[^\]]*\])/g);
  return [...new Set([...found].map(([, domain]) => domain!))];
}

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
    const { tables, paragraphs } = sheet.part("numbers");
    // 252, 252 and 250 sessions of three years and 124 of half a year come before.
    const [sessions] = tables["All numbers"]!.toRecords();
    expect(sessions).toEqual({ number: "sessions", all: 522, late: 522 });
    expect(keyRow(sheet, "Mean rank IC")["all"]).toBe(keyRow(sheet, "Mean rank IC")["late"]);
    expect(paragraphs.join(" ")).toContain(
      "All analyses cover the same sessions, 2013-07-01 to 2015-",
    );
    expect(sheet.part("first_judgement").paragraphs[0]).toContain("1,400 sessions");
    expect(sheet.part("second_judgement").paragraphs).toEqual([]);
  });

  test("compares whole periods on request, on one axis of time and in equal blocks", () => {
    const sheet = compareSheets([all, late], { names: ["all", "late"], period: "whole" });
    const { tables, paragraphs } = sheet.part("numbers");
    expect(tables["All numbers"]!.toRecords()[0]).toMatchObject({ all: 1400, late: 522 });
    expect(paragraphs.join(" ")).toContain("The periods differ (2010-01-04 to ");
    const [one, other] = sheet.part("information").charts;
    expect(Math.max(...rangeSessions(one!))).toBeGreaterThan(1);
    expect(Math.max(...rangeSessions(other!))).toBe(Math.max(...rangeSessions(one!)));
    expect(timeDomains(one!)).toHaveLength(1);
    expect(timeDomains(other!)).toEqual(timeDomains(one!));
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
  test("begins with the key numbers of both, as their own sheets print them", () => {
    const both = compareSheets([all, losing], { names: ["kept", "turned"] });
    for (const { label, value, note } of tearSheet(all).part("summary").numbers) {
      expect(keyRow(both, label)["kept"]).toBe(`${value} (${note})`);
    }
    expect(keyRow(both, "Break-even cost")["turned"]).toMatch(/^no break-even \(/);
    expect(both.part("numbers").text.indexOf("Mean rank IC")).toBeLessThan(
      both.part("numbers").text.indexOf("All numbers"),
    );
  });

  test("takes up to six, each picture on the axes of all", () => {
    const sheet = compareSheets([all, losing, late], { names: ["kept", "turned", "late"] });
    expect(sheet.part("numbers").tables["All numbers"]!.columns)
      .toEqual(["number", "kept", "turned", "late"]);
    const domains = sheet.part("spread").charts.map((chart) => timeDomains(chart));
    expect(domains).toHaveLength(3);
    expect(new Set(domains.flat()).size).toBe(1);
    expect(sheet.part("third_judgement").title).toBe("Judgement: late");
  });

  test("has two pictures beside each other from the width of a tablet on", async () => {
    const sheet = compareSheets([all, losing]);
    expect(sheet.parts.filter(({ isPair }) => isPair)).toHaveLength(9);
    const html = String((await sheet.part("decay")[DISPLAY]())["text/html"]);
    expect(html).toContain('<div class="items pair">');
  });
});
