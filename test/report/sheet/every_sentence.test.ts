import pl, { type DataFrame } from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { cutSample } from "../../../src/analysis/factor/analysis_sample.ts";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { periodText } from "../../../src/base/wording/period_text.ts";
import { pPhrase } from "../../../src/base/wording/number_text.ts";
import { calendarReturnChart, groupChart } from "../../../src/report/chart/mod.ts";
import { type ReasonCode, reasonText } from "../../../src/base/wording/sentences/reason_text.ts";
import {
  findContradictions,
  findRelation,
} from "../../../src/analysis/judgement/contrary_evidence.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { makeMarket, type Market } from "../../helpers/market.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES, sampleAnalysis } from "../../helpers/sample_analysis.ts";

const QUICK = { entry: "same", progress: false, lags: [1, 2, 5] } as const;
const noise = (_: number, random: number) => random;

function analyze(
  { scores, prices }: Market,
  options: Parameters<typeof analyzeFactor>[2] = {},
): Promise<FactorAnalysis> {
  return analyzeFactor(scores, prices, { ...QUICK, ...options });
}

/** A column of the test's own beside the scores of the sample. */
function joined(name: string): DataFrame {
  return SAMPLE_SCORES.withColumns(
    pl.col("score").alias("ecpnd_score"),
    pl.lit(1).minus(pl.col("score")).alias(name),
  ).drop("score");
}

/** Closes of which only every fifth session has an own one; the others repeat it. */
function weekly({ scores, prices }: Market): Market {
  const days = daysOf(prices);
  const last = new Map(days.map((day, i) => [Number(day), Number(days[i - i % 5])]));
  const rows = prices.toRecords() as unknown as { date: Date; ticker: string; close: number }[];
  const closes = new Map(rows.map((row) => [`${Number(row.date)} ${row.ticker}`, row.close]));
  const filled = rows.map(({ date, ticker }) => closes.get(`${last.get(Number(date))} ${ticker}`)!);
  return { scores, prices: prices.withColumns(pl.Series("close", filled, pl.Float64)) };
}

/** Prices of which one stock has none for half a year and another ends. */
function gappy({ scores, prices }: Market): Market {
  const [ticker, date] = [pl.col("ticker"), pl.col("date")];
  const from = (day: string) => date.gtEq(pl.lit(new Date(day)));
  const gap = ticker.eq(pl.lit("T3")).and(from("2010-05-03")).and(from("2010-07-08").not());
  const reuse = ticker.eq(pl.lit("T7")).and(from("2010-03-01")).and(from("2010-07-09").not());
  const end = ticker.eq(pl.lit("T5")).and(from("2010-06-01"));
  return { scores, prices: prices.filter(gap.or(end).or(reuse).not()) };
}

/** Prices of which one stock is worth a thousand times as much from a day on. */
function ruinous({ scores, prices }: Market): Market {
  const jumps = pl.col("ticker").eq(pl.lit("T0"))
    .and(pl.col("date").gtEq(pl.lit(new Date("2010-03-01"))));
  const close = pl.when(jumps).then(pl.col("close").mul(pl.lit(1000))).otherwise(pl.col("close"));
  const short = pl.when(pl.col("ticker").eq(pl.lit("T0"))).then(pl.lit(0))
    .otherwise(pl.col("score"));
  return {
    scores: scores.withColumns(short.alias("score")),
    prices: prices.withColumns(close.alias("close")),
  };
}

/** Prices of which one stock has no close on the last day alone. */
function endless({ scores, prices }: Market): Market {
  const last = pl.col("date").eq(pl.col("date").max());
  return { scores, prices: prices.filter(last.and(pl.col("ticker").eq(pl.lit("T2"))).not()) };
}

/** The last session of each month. */
function monthly({ scores, prices }: Market): Market {
  const days = daysOf(prices);
  const lasts = days.filter((day, i) => days[i + 1]?.getUTCMonth() !== day.getUTCMonth());
  const isLast = pl.col("date").isIn(pl.Series("date", lasts, pl.Date));
  return { scores: scores.filter(isLast), prices: prices.filter(isLast) };
}

function daysOf(prices: DataFrame): readonly Date[] {
  return (prices.getColumn("date").unique().toArray() as unknown as Date[])
    .toSorted((a, b) => Number(a) - Number(b));
}

const WORLDS: Readonly<Record<string, () => Promise<FactorAnalysis>>> = {
  "12 sessions": () => analyze(makeMarket(12, noise, { seed: 14 }), { periods: [1, 5] }),
  "60 sessions and 63 lags": () =>
    analyze(makeMarket(60, (next, random) => next + 0.02 * random, { seed: 15 }), {
      lags: Array.from({ length: 63 }, (_, i) => i + 1),
    }),
  "eight stocks": () =>
    analyze(makeMarket(120, (next, random) => next + 0.02 * random, { names: 8 })),
  "a close that is missing on the last day": () =>
    analyze(endless(makeMarket(100, noise, { seed: 16 })), {}),
  "closes of months": () =>
    analyze(monthly(makeMarket(1000, noise, { seed: 17 })), { ...{ frequency: "monthly" } }),
  "no groups": () => analyze(makeMarket(130, noise), {}),
  groups: sampleAnalysis,
  "one horizon of 10": () => analyze(makeMarket(240, noise, { seed: 5 }), { periods: 10 }),
  "half of a sample": async () => {
    const { sample } = await sampleAnalysis();
    return new FactorAnalysis(cutSample(sample, { first: "2010-01-04", last: "2010-04-14" }));
  },
  where: () =>
    analyze(SAMPLE_MARKET, { where: pl.col("ticker").str.contains("^T[0-4]$"), minNames: 3 }),
  "two factors in one frame": () =>
    analyzeFactor(joined("ecqdi_score"), SAMPLE_MARKET.prices, { ...QUICK, score: "ecqdi_score" }),
  "an own signal": () =>
    analyzeFactor(joined("mom"), SAMPLE_MARKET.prices, { ...QUICK, score: "mom" }),
  "all scores equal": () => analyze(makeMarket(90, () => 0.5, { seed: 7 })),
  "half of the scores zero": () =>
    analyze(makeMarket(150, (_, random) => Math.max(0, random - 0.5), { seed: 8 })),
  "a total loss": () => analyze(ruinous(makeMarket(120, noise, { seed: 9 }))),
  "60 sessions": () => analyze(makeMarket(60, noise, { seed: 10 })),
  "2,500 sessions": () => analyze(makeMarket(2500, noise, { seed: 11 }), {}),
  "closes of weeks": () => analyze(weekly(makeMarket(160, noise, { seed: 12 })), { still: true }),
  "gaps in the prices": () => analyze(gappy(makeMarket(180, noise, { seed: 13 }))),
};

interface Said {
  readonly analysis: FactorAnalysis;
  /** Sentences of the judgement and the head. */
  readonly judged: string;
  /** Those of the sheet, its methods, and the descriptions of its charts, as well. */
  readonly all: string;
}

const said = new Map<string, Said>();
beforeAll(async () => {
  for (const [name, make] of Object.entries(WORLDS)) {
    const analysis = await make();
    const { text, facts } = judgement(analysis);
    const judged = [text.split("\n")[0], ...facts.getColumn("statement").toArray()].join(" ");
    const parts = tearSheet(analysis).parts.flatMap((part) => [
      ...part.paragraphs,
      ...part.topics.map(({ text }) => text),
      ...part.numbers.map(({ label, value, note }) => `${label} ${value} ${note}`),
      ...[...part.small, ...part.charts].map(({ description }) => description),
    ]);
    said.set(name, { analysis, judged, all: [judged, ...parts].join("\n") });
  }
});

const of = (name: string) => said.get(name)!;
const names = Object.keys(WORLDS);

describe("a sentence", () => {
  test.each(names)("of %s speaks of nothing that is not there", (name) => {
    const { analysis, all } = of(name);
    expect(all).not.toMatch(/NaN|Infinity|undefined|null(?! hypothesis)|\[object/);
    if (analysis.detail.groups === null) {
      // Quantiles within groups, neutral scores and the like are options that this analysis does not have.
      expect(all).not.toMatch(/\bgroups?\b/i);
    }
    if (!analysis.plan.periods.includes(1)) {
      expect(all).not.toMatch(/mean (rank )?IC at 1 session|spread at 1 session/);
    }
    if (!analysis.aligned.loss.table.getColumn("reason").toArray().includes("ended")) {
      expect(all).not.toMatch(/end early/);
    }
    if (analysis.stability.tables.joint.getColumn("p").dropNulls().len() === 0) {
      expect(all).not.toMatch(/means of years/);
    }
  });

  test("has no measured number that two samples share", () => {
    // Levels, powers and exposures are parameters and no measurements.
    const parameters = new Set(["95%", "80%", "100%", "200%", "5%"]);
    const numbers = names.map((name) =>
      new Set(of(name).judged.match(/\d+\.\d+%?|\d+%/g)?.filter((one) => !parameters.has(one)))
    );
    const shared = [...numbers[0]!].filter((one) =>
      numbers.every((own) => own.size === 0 || own.has(one))
    );
    expect(shared).toEqual([]);
    expect(numbers.filter((own) => own.size > 10).length).toBeGreaterThanOrEqual(12);
  });

  test.each(names)("of %s gives each reason of a null", (name) => {
    const { analysis, judged } = of(name);
    const { aligned, ic, summary, halfLife, performance, permutation } = analysis;
    const frames = [
      ...[
        aligned.loss.table,
        ic.filter(pl.col("n").gt(pl.lit(0))),
        summary.table,
        summary.tables.checks,
      ],
      ...[halfLife, performance, ...permutation === null ? [] : [permutation]],
    ] as DataFrame[];
    const reasons = new Set(
      frames.flatMap((frame) => frame.getColumn("reason").dropNulls().toArray() as string[]),
    );
    expect([...reasons].filter((reason) => !Object.hasOwn(SENTENCES, reason))).toEqual([]);
    expect([...reasons].filter((reason) => !SENTENCES[reason as ReasonCode].test(judged)))
      .toEqual([]);
  });

  test.each(names)("of %s counts what its frames count", (name) => {
    const { analysis, judged, all } = of(name);
    const { aligned, trialLog, origin } = analysis;
    const rows = aligned.data.filter(
      pl.col("session").ltEq(pl.lit(new Date(aligned.sessions[aligned.dense.to - 1]!))),
    );
    const count = (number: number) => number.toLocaleString("en-US");
    const tickers = rows.getColumn("ticker").unique().len();
    expect(judged.startsWith(`${origin.what}, `)).toBe(true);
    expect(judged).toContain(`, ${count(tickers)} tickers.`);
    expect(judged).toContain(`${count(aligned.loss.rows)} score rows.`);
    for (const row of aligned.loss.table.toRecords()) {
      if (row.horizon === null) expect(judged).toContain(`${count(row.rows!)} `);
    }
    const tests = trialLog.table();
    const known = tests.getColumn("p").dropNulls().len();
    expect(judged).toContain(` has ${tests.height} tests`);
    if (known > 0 && known < tests.height) expect(judged).toContain(`, ${known} with a p `);
    for (const { horizon, mean, low, high } of analysis.summary.table.toRecords()) {
      const at = periodText(
        `at ${horizon} session${horizon === 1 ? "" : "s"}`,
        analysis.aligned.market.unit,
      );
      const isOpen = low !== null && low <= 0 && high! >= 0;
      const power = `The minimum detectable mean IC at 80% power is `;
      const stated = new RegExp(`(${power}|; )[\\d.]+ ${at} \\(\\d`).test(judged);
      expect(stated, at).toBe(isOpen);
      if (mean === null) expect(judged).toContain(` no IC ${at}: `);
    }
    expect(all).not.toMatch(/error rate|true null hypothesis/);
  });
});

/** A sentence of each reason, wherever in the judgement it stands. */
const SENTENCES: Readonly<Record<ReasonCode, RegExp>> = {
  used: /score rows?\./,
  refused_status: /set status that was not requested/,
  excluded: /(is|are) excluded by where/,
  not_a_session: /not a session of the prices/,
  superseded: /superseded before/,
  expired: /older than maxAgeSessions/,
  no_score: /ha(s|ve) no score/,
  no_entry_price: /no price at entry/,
  beyond_prices: /needs? (later prices|prices after)/,
  no_exit_price: /no price at (entry or )?exit/,
  no_group: /no group and count/,
  ended: /ends? early, at (its|their) stock's last close/,
  too_few_names:
    /fewer than \d+ stocks have both|no session has (a stock|more than)|top or the bottom quantile/,
  constant_scores: /all scores are equal/,
  constant_returns: /all returns are equal/,
  rank_deficient: /linearly dependent/,
  too_few_windows: /a test requires \d+|a fit requires/,
  no_variance: /the values do not vary|holds nothing/,
  total_loss: /loses all of its capital/,
  no_relation: /includes zero \(/,
  no_decay: /does not decay/,
  shorter_than_grid: /the shortest that is fitted/,
};

test("a code of the closed list of reasons is shown in words, in tables too", () => {
  const codes = Object.keys(SENTENCES);
  expect(codes.filter((code) => code !== "used" && reasonText(code) === code)).toEqual([]);
});

describe("a number that rests on intervals", () => {
  test.each(names)("of %s counts those that there are", (name) => {
    const { analysis, all } = of(name);
    const hasSteps = analysis.monotonicity.table.getColumn("mr_p").head(1).dropNulls().len() > 0;
    expect(/significantly \(95% CI (above|below) zero/.test(all)).toBe(hasSteps);
    if (analysis.summary.table.getColumn("low").dropNulls().len() === 0) {
      expect(all).not.toMatch(/other stands out/);
      expect(all).toMatch(/Not tested\. The(re is no| mean rank) IC/);
    }
  });

  test.each(names)(
    "of %s states the half-life once on the first screen, as the judgement does",
    (name) => {
      const { numbers, small } = tearSheet(of(name).analysis).part("summary");
      expect(small.map(({ description }) => description).join()).not.toContain("half-life");
      expect(numbers.filter(({ label }) => label === "Half-life of the IC")).toHaveLength(1);
    },
  );
});

describe("a reason for an empty picture", () => {
  test("of a Sharpe ratio, or of groups, is not the number of stocks that an IC requires", () => {
    const { analysis, all } = of("eight stocks");
    expect(groupChart(analysis).description).toContain("has no groups.");
    expect(all).toMatch(/Too few stocks .* rank autocorrelation\./);
    expect(all).toContain("than 8 stocks");
  });
});

describe("a stock", () => {
  test("without a close on the last day is not said to be delisted", () => {
    const { judged, all } = of("a close that is missing on the last day");
    expect(judged).toContain(" 1 scored stock end ");
    expect(all).not.toMatch(/delisted/);
  });
});

describe("months as periods", () => {
  test("are whole with one IC, and returns stand in those in which they end", () => {
    const { analysis, all } = of("closes of months");
    const months = analysis.summary.table.toRecords()[0]!.sessions!;
    expect(all).toMatch(new RegExp(`Mean IC above zero in \\d+ of ${months} months with an IC`));
    expect(all).not.toMatch(/means of 1 |months of a |of fewer than/);
    expect(JSON.stringify(calendarReturnChart(analysis).spec["title"]).replaceAll('","', " "))
      .toMatch(/ month .* ends/);
  });
});

describe("the first screen", () => {
  test("says which horizons have no test, found or not, and what the power is of", () => {
    const [relation] = tearSheet(of("60 sessions").analysis).part("summary").topics;
    expect(relation!.text).toMatch(/; not tested at 21 sessions\.$/);
    expect(relation!.text).not.toContain(" alone ");
  });

  test("says on how many sessions its numbers rest", () => {
    const { analysis } = of("12 sessions");
    const [, ic, five] = tearSheet(analysis, { horizon: 5 }).part("summary").numbers;
    expect([ic!.note, five!.note]).toEqual(
      Array(2).fill("no confidence interval, 5 sessions ahead, n = 8"),
    );
    const { numbers, topics, small } = tearSheet(analysis).part("summary");
    const note = (label: string) => numbers.find((one) => one.label === label)!.note;
    expect(note("Quantile spread")).toBe("no confidence interval, 1 session ahead");
    expect(note("Mean rank IC")).toBe("no confidence interval, 1 session ahead");
    expect(note("Traded value per session")).toContain("first purchase included");
    expect(note("Sharpe ratio, before costs")).toBe("no confidence interval");
    const [, , , , sharpe] = tearSheet(of("groups").analysis).part("summary").numbers;
    expect(sharpe!.note).toMatch(/^95% CI .* if returns are independent$/);
    expect(small[1]!.description).toMatch(/\(no confidence interval\), 12 sessions/);
    expect(small[2]!.description).toContain("too few sessions to compare");
    expect(topics[0]!.text).toMatch(/^Not tested\. .* a test requires 20\)\.$/);
  });
});

describe("halves of a sample", () => {
  test("are compared by a test, which their signs alone are not", () => {
    const { analysis } = of("groups");
    const { halves } = analysis.detail;
    const p = halves.tables.joint.toRecords().find(({ horizon }) => horizon === 1)!.p!;
    const checks = findContradictions(analysis, findRelation(analysis));
    const { text } = checks.find(({ name }) => name === "halves")!;
    expect(text).toContain(`not differ significantly (${pPhrase(p)})`);
    expect(text).not.toContain("agree");
  });
});

describe("the caption", () => {
  test("names the column that is analysed, and the release only where it is the column's own", () => {
    expect(of("groups").judged).toMatch(/^ecpnd, release 58080ada…, 140 sessions/);
    expect(of("an own signal").judged)
      .toMatch(/^mom, joined to ecpnd, release 58080ada…, 140 sessions/);
    expect(of("two factors in one frame").judged)
      .toMatch(/^ecqdi_score, .* release 58080ada…, 140 sessions/);
    expect(of("an own signal").judged).not.toContain("reconstructed history");
    const { spec } = tearSheet(of("an own signal").analysis).part("information").charts[0]!;
    expect(JSON.stringify(spec)).toContain(of("an own signal").analysis.origin.what);
  });

  test("counts the tickers that a condition leaves, and no row that it excludes as lost", () => {
    const { judged, all, analysis } = of("where");
    expect(judged).toMatch(/140 sessions, 2010-01-04 to 2010-07-23, 5 tickers\./);
    expect(analysis.aligned.loss.rows).toBe(1680);
    expect(all).toContain("Rows used");
    expect(all).toMatch(/of 700, 1 session ahead/);
    expect(all).not.toMatch(/not be used/);
  });
});

describe("what contradicts a result", () => {
  test("names the checks that were looked at, shape and one-session form among them", () => {
    const [, , contrary] = tearSheet(of("groups").analysis).part("summary").topics;
    expect(contrary!.text).toMatch(/a Sharpe ratio .* implausible/);
    expect(contrary!.text).toMatch(/Checked without contradiction: .*shape/);
    const [, , long] = tearSheet(of("one horizon of 10").analysis).part("summary").topics;
    expect(long!.text).toMatch(/one-session form/);
  });
});

describe("a portfolio", () => {
  test("that holds nothing has no exposure in any sentence", () => {
    const { judged, all } = of("all scores equal");
    expect(judged).toContain("portfolio holds nothing");
    expect(all).not.toMatch(/gross exposure of 100%(?!.*quantile)/);
  });
});

describe("prices", () => {
  test("with a gap are said to have one, of its length", () => {
    expect(of("gaps in the prices").judged).toMatch(
      /1 close follows .* \d+ sessions \(2010-07-08 T3\)\./,
    );
    expect(of("gaps in the prices").judged).toMatch(/ 1 scored stock end /);
  });

  test("with a gap after which a ticker is another stock say so, and what maps one that is not", () => {
    expect(of("gaps in the prices").judged).toMatch(
      /1 ticker comes back .* maxGap, .* readPrices\(\{ tickers \}\) \(2010-07-09 T7\)\./,
    );
  });
});
