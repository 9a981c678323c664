import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { shownBundle } from "../../helpers/shown_bundle.ts";
import { judged } from "../../helpers/judged.ts";
import { makeMarket, type Market } from "../../helpers/market.ts";

const quick = { entry: "same", progress: false, lags: [1, 2, 5] } as const;
const noise = (_: number, number: number) => number;

/** The judgement, and all its sentences with those that its text leaves out. */
async function judge({ scores, prices }: Market, options = {}) {
  const analysis = await analyzeFactor(scores, prices, { ...quick, ...options });
  const found = judgement(analysis);
  return { found, facts: found.facts, text: found.text, all: judged(analysis) };
}

function topicsOf(facts: pl.DataFrame): readonly unknown[] {
  return [...new Set(facts.getColumn("topic").toArray())];
}

describe("judgement", () => {
  test("begins with the answer and ends with the limitations, each with its number", async () => {
    const { text, facts } = await judge(makeMarket(120, (next, u) => next + 0.04 * (u - 0.5)));
    expect(topicsOf(facts)).toEqual([
      "IC",
      "Costs",
      "Contrary evidence",
      "Sample and losses",
      "Assumptions",
      "Information coefficient",
      "Robustness",
      "Multiple testing",
      "Decay",
      "Quantile returns",
      "Turnover and costs",
      "Limitations",
    ]);
    expect(text).toMatch(/^score, 120 sessions, 2010-01-04 to 2010-06-24, 12 tickers\.\n\n/);
    expect(text).toMatch(/\nIC +The mean rank IC differs from zero at 1 .*\(0\.\d{3}, 95% CI /);
    const relation = facts.filter(pl.col("topic").eq(pl.lit("Information coefficient")))
      .toRecords();
    expect(relation).toHaveLength(3);
    expect(relation[0]).toMatchObject({ n: 120, source: "summary.table" });
    expect(relation[0]!["low"]).toBeLessThan(Number(relation[0]!["value"]));
  });

  test("says the share of stocks with one score where it is more than a quantile has", async () => {
    const { scores, prices } = makeMarket(40, noise);
    const tiesBelow = async (least: number) => {
      const high = pl.col("score").gtEq(pl.lit(least));
      const tied = pl.when(high).then(pl.col("score")).otherwise(pl.lit(0)).alias("score");
      const { facts } = await judge({ scores: scores.withColumns(tied), prices });
      return facts.toRecords().filter(({ statement }) =>
        String(statement).includes("the same score")
      ).map(({ value, n }) => [Number(value), n]);
    };
    expect(await tiesBelow(-Infinity)).toEqual([]);
    const few = await judge(makeMarket(40, noise, { names: 3 }));
    expect(few.text).not.toContain("the same score");
    const [first, ...more] = await tiesBelow(0.75);
    expect(first![0]).toBeCloseTo(0.75, 1);
    expect([first![1], more]).toEqual([40, []]);
  });

  test("says what is known of the closes' adjustment, and refuses a level of which nothing says that it was known", async () => {
    const { scores, prices } = makeMarket(40, noise);
    const priced = { scores: scores.withColumns(pl.lit(20).alias("close")), prices };
    const marked = (isAdjusted: boolean) =>
      prices.withColumns(pl.lit(isAdjusted).alias("adjusted"));
    const textOf = async (market: Market, options = {}) =>
      (await judge(market, options)).text.replaceAll(/\s+/g, " ");
    expect(await textOf(priced)).toContain("own, assumed ");
    const split = prices.withColumns(pl.lit("splits").alias("adjusted"));
    expect(await textOf({ scores, prices: split })).toContain("returns lack dividends");
    expect(await textOf({ scores, prices: marked(true) })).toContain("own, marked as adjusted");
    const named = { returns: { columns: { close: "close" } } };
    expect(await textOf({ scores, prices: marked(false) }, named)).toContain("own, marked as raw");
    const level = textOf(priced, { where: pl.col("close").gtEq(5) });
    await expect(level).rejects.toThrow("got close, of which nothing says");
  });

  test("shows in a notebook a paragraph a topic below its name, and no line that a terminal broke", async () => {
    const { found } = await judge(makeMarket(120, (next, u) => next + 0.04 * (u - 0.5)));
    const html = String((await shownBundle(found))["text/html"]);
    expect(html).toContain("<p>score, 120 sessions, 2010-01-04 to 2010-06-24, 12 tickers.</p>");
    const paragraphs = [...html.matchAll(/<p><b>([^<]*)<\/b><br>([^<]+)<\/p>/g)];
    expect(paragraphs.map(([, topic]) => topic)).toEqual(found.topics.map(({ topic }) => topic));
    expect(html.match(/<p>/g)).toHaveLength(1 + paragraphs.length);
    for (const [i, [, , text]] of paragraphs.entries()) {
      expect(text!.replaceAll("&#39;", "'").replaceAll("&lt;", "<")).toBe(found.topics[i]!.text);
    }
  });

  test("has in every sentence about numbers its observations, and no grades", async () => {
    const { text, facts } = await judge(makeMarket(300, noise));
    for (const row of facts.toRecords()) {
      if (row["value"] !== null) expect(row["n"], String(row["statement"])).not.toBeNull();
    }
    expect(text).not.toMatch(
      /\bsignificant\b|strong|predictive|\*\*\*|NaN|Infinity|undefined|null(?!\s+hypothesis)/,
    );
    expect(text.split("\n").every((line) => line.length <= 120)).toBe(true);
  });

  test.each([0, 1, 12, 60, 500, 2_500])("reads right for %i sessions", async (sessions) => {
    const market = makeMarket(Math.max(1, sessions), sessions === 0 ? () => null : noise);
    const { all: text, facts } = await judge(market);
    expect(text).not.toMatch(/NaN|Infinity|undefined|null(?!\s+hypothesis)/);
    expect(text).toMatch(/score rows\./);
    const [one, , long] = facts.filter(pl.col("topic").eq(pl.lit("Information coefficient")))
      .toRecords();
    if (sessions === 0) {
      expect(one!["statement"]).toBe("There is no IC at 1 session: no row has a score.");
    }
    if (sessions === 1) {
      expect(one!["statement"]).toMatch(/\(1 session; a test requires 20\)\.$/);
    }
    if (sessions === 12) {
      expect(one!["statement"]).toMatch(/\(12 sessions; a test requires 20\)\.$/);
      expect(text).not.toContain("80% power");
      expect(text).not.toContain("Turnover and costs");
    }
    if (sessions === 60) {
      expect(one!["statement"]).toMatch(/t = .* with 4 degrees .* p .*; 60 sessions\)/);
      expect(long!["statement"]).toMatch(/non-overlapping windows; a test requires 10\)\.$/);
    }
    if (sessions === 500) expect(long!["statement"]).toMatch(/with 9 degrees of freedom/);
    if (sessions === 2_500) expect(long!["statement"]).toMatch(/with 36 degrees of freedom/);
  });

  test("states the permutation test of scores made of prices", async () => {
    const { prices } = makeMarket(300, noise, { seed: 3 });
    const scores = prices.select("date", "ticker", pl.col("close").mul(pl.lit(-1)).alias("score"));
    const { facts } = await judge({ scores, prices });
    const sure = facts.filter(pl.col("topic").eq(pl.lit("Robustness")));
    const [permutation] = sure.filter(pl.col("source").eq(pl.lit("permutation"))).toRecords();
    expect(permutation!["statement"]).toMatch(
      /^The permutation test at 1 session permutes residual returns within each session; it gives p = 0\.\d+ for a mean IC of −?0\.0\d\d with residual returns \(z = −?\d\.\d\d; 299 sessions\)\.$/,
    );
    expect(permutation!["value"]).toBeGreaterThan(0.05);
  });

  test("says of a perfect factor that it is one, and of its mirror the opposite", async () => {
    const perfect = await judge(makeMarket(60, (next) => next), { periods: [1] });
    expect(perfect.all).toContain("at 1 session is 1.000 (60 sessions; no test, ");
    const mirrored = await judge(makeMarket(60, (next, u) => -next + 0.01 * u), { periods: [1] });
    expect(mirrored.all).toMatch(/at 1 session is −0\.\d{3} \(95% CI −/);
    expect(mirrored.all).toContain("no break-even cost");
    expect(mirrored.all).toMatch(/ is below 0\.25 sessions, .* \(lags 1 to 5, 60 sessions\)\./);
    expect(mirrored.all).toMatch(/ falls significantly .* at 4 of 4 steps .* \(60 sessions\)\. /);
  });

  test("says of scores that are all null, or all equal, that there is no IC", async () => {
    const said = [
      [() => null, "no row has a score."],
      [() => 0.5, "in every session all scores are equal."],
    ] as const;
    for (const [scoreOf, why] of said) {
      const { text } = await judge(makeMarket(60, scoreOf), { periods: [1] });
      expect(text.replace(/\s+/g, " ")).toContain(`no IC at 1 session: ${why}`);
      expect(text).toContain("Quantile returns         There are no returns by quantile: ");
      expect(text).toContain("Decay                    No half-life ");
      expect(text).not.toMatch(/NaN|Infinity|undefined|null(?!\s+hypothesis)/);
    }
  });

  test("says that eight stocks are too few for an IC, and what option says otherwise", async () => {
    const market = makeMarket(60, (next) => next, { names: 8 });
    const { text } = await judge(market, { periods: [1] });
    expect(text.replace(/\s+/g, " ")).toMatch(
      /no session has more than 8 stocks .*, and 10 are required \(minNames\)\./,
    );
    const { text: enough } = await judge(market, { periods: [1], minNames: 8 });
    expect(enough).toContain("at 1 session is 1.000 (60 sessions");
  });

  test("counts the sessions with too few stocks among those that have enough", async () => {
    const { scores, prices } = makeMarket(60, noise);
    const early = pl.col("date").lt(pl.lit(new Date("2010-01-11")));
    const few = pl.col("ticker").isIn(["T0", "T1", "T2"]);
    const { all: text } = await judge({ prices, scores: scores.filter(early.not().or(few)) }, {
      periods: [1],
    });
    expect(text.replace(/\s+/g, " ")).toContain(
      "At 1 session, 5 of 60 sessions have no IC, because fewer than 10 stocks ",
    );
  });

  test("says that there are more quantiles than stocks", async () => {
    const { text } = await judge(makeMarket(60, noise), { periods: [1], quantiles: 200 });
    expect(text.replace(/\s+/g, " ")).toContain(
      "Quantile returns There are no returns by quantile: 200 quantiles need as many scored stocks in a session, and no session " +
        "has more than 12.",
    );
  });

  test("names the lags that the data reaches, and not those beyond its end", async () => {
    const lags = Array.from({ length: 63 }, (_, i) => i + 1);
    const { text } = await judge(makeMarket(30, noise), { periods: [1], lags });
    expect(text).not.toContain("63");
    expect(text.replace(/\s+/g, " ")).toMatch(/lags 1 to \d\d, the longest in the data/);
  });

  test("has a text of at most 350 words that opens with the answer, in every world", async () => {
    const worlds = [makeMarket(60, noise), makeMarket(500, noise), makeMarket(120, (next) => next)];
    for (const market of [...worlds, makeMarket(120, () => 0.5), makeMarket(1, noise)]) {
      const { found, facts } = await judge(market, { lags: [1, 2, 3, 5, 8] });
      expect(found.text.trim().split(/\s+/).length).toBeLessThanOrEqual(350);
      expect(found.topics.slice(0, 3).map(({ topic }) => topic)).toEqual(
        topicsOf(facts).slice(0, 3),
      );
      const sentences = found.topics.flatMap(({ text }) => text.split(/(?<=[.)]) (?=[A-Z])/));
      expect(new Set(sentences).size).toBe(sentences.length);
    }
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
    expect(next.text).toMatch(/^ecpnd, release 58080ada…, .* Synthetic rows\.\n/);
    expect(next.text.replace(/\s+/g, " ")).toContain(
      "Positions are entered at the first close after a score is known",
    );
    expect(next.text.replace(/\s+/g, " ")).toContain(
      "Groups have no dates: they are the same in all sessions and not point in time.",
    );
    expect(next.text.replace(/\s+/g, " ")).toContain(
      "a single, reconstructed history of one universe; stocks",
    );
    expect((await judge(market)).text).not.toContain("reconstructed");
    expect((await judge(market)).text.replace(/\s+/g, " ")).toContain(
      "Positions are entered at the close of the decision session itself",
    );
  });

  test("counts every scored stock whose closes end early, also long after its last score", async () => {
    const { scores, prices } = makeMarket(120, noise);
    const isEnd = (ticker: string, day: number, of: string) =>
      pl.col("ticker").eq(pl.lit(ticker)).and(
        pl.col(of).gt(pl.lit(new Date(Date.UTC(2010, 0, day)))),
      );
    const { text } = await judge({
      scores: scores.filter(isEnd("T3", 60, "date").not()),
      prices: prices.filter(isEnd("T3", 130, "date").not()),
    });
    expect(text.replace(/\s+/g, " ")).toContain(
      "those of 1 scored stock end before the last session",
    );
  });

  test("takes a gap between closes for no delisting, and a stock without closes for a possible one", async () => {
    const { scores, prices } = makeMarket(60, noise);
    const day = pl.lit(new Date(Date.UTC(2010, 0, 20)));
    const gap = pl.col("date").eq(day).and(pl.col("ticker").eq(pl.lit("T1")));
    const said = async (kept: pl.Expr) =>
      (await judge({ scores, prices: prices.filter(kept) })).text.replace(/\s+/g, " ");
    expect(await said(gap.not())).toContain("so they may hold survivors only");
    expect(await said(pl.col("ticker").neq(pl.lit("T1")))).toContain("is not known");
  });

  test("states what an account in prices with gaps earned over them", async () => {
    const { scores, prices } = makeMarket(60, (next) => next);
    const day = new Date(Date.UTC(2010, 0, 20));
    const gap = pl.col("date").eq(pl.lit(day)).and(pl.col("ticker").str.contains("T[1-4]$"));
    const { text } = await judge({ scores, prices: prices.filter(gap.not()) });
    expect(text.replace(/\s+/g, " ")).toMatch(
      /returns after such gaps sum to −?\d+\.\d% of capital in 1 session\./,
    );
  });

  test("refuses what is no analysis, such as one that was not awaited", () => {
    expect(() => judgement(Promise.resolve() as never)).toThrow(/await it/);
  });
});
