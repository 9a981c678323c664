import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { DISPLAY } from "../../../src/notebook/display.ts";
import { makeMarket, type Market } from "../../helpers/market.ts";

const quick = { entry: "same", progress: false, lags: [1, 2, 5], noise: { draws: 20 } } as const;
const noise = (_: number, number: number) => number;

async function judge({ scores, prices }: Market, options = {}) {
  return judgement(await analyzeFactor(scores, prices, { ...quick, ...options }));
}

function topicsOf(facts: pl.DataFrame): readonly unknown[] {
  return [...new Set(facts.getColumn("topic").toArray())];
}

describe("judgement", () => {
  test("puts what was left out first and what it is not last, each with its number", async () => {
    const { text, facts } = await judge(makeMarket(120, (next, u) => next + 0.04 * (u - 0.5)));
    expect(topicsOf(facts)).toEqual([
      "What was left out",
      "Assumed",
      "Is there a relation",
      "How sure",
      "Tried",
      "How it fades",
      "Who carries it",
      "What it costs",
      "What it is not",
    ]);
    expect(text).toMatch(/^score, 2010-01-04 to 2010-06-18, 120 sessions, 12 tickers\.\n\n/);
    expect(text).toMatch(/\nIs there a relation Mean rank IC 0\.\d{3} at 1 session \(95 %: /);
    const relation = facts.filter(pl.col("topic").eq(pl.lit("Is there a relation"))).toRecords();
    expect(relation).toHaveLength(3);
    expect(relation[0]).toMatchObject({ n: 120, source: "summary.table" });
    expect(relation[0]!["low"]).toBeLessThan(Number(relation[0]!["value"]));
  });

  test("shows in a notebook a paragraph a topic below its name, and no line that a terminal broke", async () => {
    const judged = await judge(makeMarket(120, (next, u) => next + 0.04 * (u - 0.5)));
    const html = String((await judged[DISPLAY]())["text/html"]);
    expect(html).toContain("<p>score, 2010-01-04 to 2010-06-18, 120 sessions, 12 tickers.</p>");
    const paragraphs = [...html.matchAll(/<p><b>([^<]*)<\/b><br>([^<]+)<\/p>/g)];
    expect(paragraphs.map(([, topic]) => topic)).toEqual(topicsOf(judged.facts));
    expect(html.match(/<p>/g)).toHaveLength(1 + paragraphs.length);
    for (const [, topic, text] of paragraphs) {
      const of = pl.col("topic").eq(pl.lit(topic!));
      const last = String(judged.facts.filter(of).getColumn("statement").toArray().at(-1));
      expect(text!.endsWith(last.split(" ").slice(-3).join(" "))).toBe(true);
    }
  });

  test("has in every sentence about numbers its observations, and no grades", async () => {
    const { text, facts } = await judge(makeMarket(300, noise));
    for (const row of facts.toRecords()) {
      if (row["value"] !== null) expect(row["n"], String(row["statement"])).not.toBeNull();
    }
    expect(text).not.toMatch(
      /\bsignificant\b|strong|predictive|\*\*\*|NaN|Infinity|undefined|null/,
    );
    expect(text.split("\n").every((line) => line.length <= 120)).toBe(true);
  });

  test.each([0, 1, 12, 60, 500, 2_500])("reads right for %i sessions", async (sessions) => {
    const market = makeMarket(Math.max(1, sessions), sessions === 0 ? () => null : noise);
    const { text, facts } = await judge(market);
    expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
    expect(text).toMatch(/rows\./);
    const [one, , long] = facts.filter(pl.col("topic").eq(pl.lit("Is there a relation")))
      .toRecords();
    if (sessions === 0) expect(one!["statement"]).toBe("No IC at 1 session: 0 sessions have one.");
    if (sessions === 1) {
      expect(one!["statement"]).toMatch(/over 1 session; .*no significance is stated\.$/);
    }
    if (sessions === 12) {
      expect(one!["statement"]).toMatch(/12\.0 windows are too few for a test, no significance/);
      expect(text).not.toContain("four times in five");
      expect(text).not.toContain("What it costs");
    }
    if (sessions === 60) {
      expect(one!["statement"]).toMatch(/60 sessions; t = .* with 4 degrees of freedom/);
      expect(long!["statement"]).toMatch(/no significance is stated/);
    }
    if (sessions === 500) expect(long!["statement"]).toMatch(/with 9 degrees of freedom/);
    if (sessions === 2_500) expect(long!["statement"]).toMatch(/with 36 degrees of freedom/);
  });

  test("says of a perfect factor that it is one, and of its mirror the opposite", async () => {
    const perfect = await judge(makeMarket(60, (next) => next), { periods: [1] });
    expect(perfect.text).toContain(
      "Mean rank IC 1.000 at 1 session, over 60 sessions; it does not vary",
    );
    const mirrored = await judge(makeMarket(60, (next, u) => -next + 0.01 * u), { periods: [1] });
    expect(mirrored.text).toMatch(/Mean rank IC −0\.\d{3} at 1 session \(95 %: −/);
    expect(mirrored.text.replace(/\s+/g, " ")).toContain("not above zero, so no rate breaks even");
    expect(mirrored.text).toContain("Half of it is gone within a session");
  });

  test("says of scores that are all null, or all equal, that there is no IC", async () => {
    for (const scoreOf of [() => null, () => 0.5]) {
      const { text } = await judge(makeMarket(60, scoreOf), { periods: [1] });
      expect(text).toContain("No IC at 1 session: 0 sessions have one.");
      expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
    }
  });

  test("names a horizon once where several sentences about its losses follow each other", async () => {
    const { scores, prices } = makeMarket(60, noise);
    const gap = pl.col("ticker").eq(pl.lit("T3")).and(pl.col("close").gt(pl.lit(0)));
    const late = prices.filter(gap.not().or(pl.col("date").lt(pl.lit(new Date("2010-03-01")))));
    const { text, facts } = await judge({ scores, prices: late });
    expect(text.replace(/\s+/g, " ")).toMatch(
      /At 21 sessions \d+ need prices after 2010-03-29; \d+ have no price at entry or exit; \d+ windows end with a name's last close and are counted to there\./,
    );
    const own = facts.getColumn("statement").toArray().filter((line) =>
      String(line).startsWith("At 21 sessions")
    );
    expect(own.length).toBeGreaterThanOrEqual(3);
  });

  test("says whether the calendar years agree, where each has a test", async () => {
    const { text, facts } = await judge(makeMarket(300, noise), { periods: [1] });
    expect(text.replace(/\s+/g, " ")).toMatch(
      /By year at 1 session: −?0\.\d{3} in 2010 \(260\), −?0\.\d{3} in 2011 \(40\); that all are equal has p/,
    );
    expect(facts.getColumn("source").toArray()).toContain("stability.joint");
    expect((await judge(makeMarket(60, noise), { periods: [1] })).text).not.toContain("By year");
  });

  test("names what is assumed: the entry, the closes, groups without dates, synthetic data", async () => {
    const market = makeMarket(60, noise);
    const groups = pl.DataFrame({
      ticker: Array.from({ length: 12 }, (_, i) => `T${i}`),
      group: Array.from({ length: 12 }, (_, i) => i % 2 === 0 ? "a" : "b"),
    });
    const scores = market.scores.withColumns(
      pl.lit("ecpnd").alias("factor"),
      pl.lit("58080ada11").alias("download_sha256"),
      pl.lit("service, synthetic").alias("source"),
    );
    const next = await judge({ ...market, scores }, { entry: "next", groups, score: "score" });
    expect(next.text).toMatch(/^ecpnd, release 58080ada…, .* Synthetic\.\n/);
    expect(next.text.replace(/\s+/g, " ")).toContain(
      "Entered at the first close after a score was known",
    );
    expect(next.text.replace(/\s+/g, " ")).toContain("Groups are as of today.");
    expect(next.text.replace(/\s+/g, " ")).toContain(
      "history of one universe, reconstructed; names",
    );
    expect((await judge(market)).text).not.toContain("reconstructed");
    expect((await judge(market)).text.replace(/\s+/g, " ")).toContain(
      "Entered at the very close of the decision session",
    );
  });

  test("refuses what is no analysis, such as one that was not awaited", () => {
    expect(() => judgement(Promise.resolve() as never)).toThrow(/await it/);
  });
});
