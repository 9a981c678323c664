import pl, { type DataFrame } from "nodejs-polars";
import type { AnalyzeFactorOptions } from "../../../../src/analysis/factor/analysis_options.ts";
import { planAnalysis } from "../../../../src/analysis/factor/analysis_options.ts";
import { readScoreRows } from "../../../../src/analysis/aligned/score_rows.ts";
import { originOf } from "../../../../src/analysis/factor/scores_origin.ts";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import { readSessionRules } from "../../../../src/analysis/aligned/prices/price_market.ts";
import { trialLog } from "../../../../src/analysis/trial_log.ts";
import { computePart } from "../../../../src/desk/dataset/part/compute/compute_part.ts";
import { bookMargin, bookOfSample } from "../../../../src/desk/dataset/part/compute/part_book.ts";
import { mergeParts } from "../../../../src/desk/dataset/part/merge_parts.ts";
import { marginOf } from "../../../../src/desk/dataset/part/compute/part_window.ts";
import type { DaySpan, PartTables } from "../../../../src/desk/dataset/part/part_tables.ts";
import {
  cropDates,
  cropSets,
  windowOf,
} from "../../../../src/desk/dataset/part/compute/part_window.ts";
import { placeSample } from "../../../../src/desk/dataset/part/compute/sample.ts";
import { readDayColumn } from "../../../../src/analysis/table/read_columns.ts";
import { datesToSessions } from "../../../../src/frames/prices/dates/dates_to_sessions.ts";

/** What parts lack, for pictures alone: they know the turnover of neighbouring signals, and no quantiles within groups. */
export const NOT_IN_PARTS = ["turnoverByPeriod", "quantilesByGroup", "leadLag"];

export const WALK = { signal: new AbortController().signal, update: () => {} };

/** Analyses a sample in parts that each see their own rows and a margin, and merges them. */
export async function analyzeInParts(
  scores: DataFrame,
  prices: DataFrame,
  { options, cuts }: {
    readonly options: AnalyzeFactorOptions;
    /** First days of the parts after the first one, ascending. */
    readonly cuts: readonly number[];
  },
): Promise<FactorAnalysis> {
  const plan = planAnalysis({ ...options, placebo: false });
  const { calendar } = options;
  const market = calendar === "own" || calendar === "us" ? { calendar } : {};
  const returns = { ...options.returns, ...market };
  const dates = Int32Array.from(new Set(readDayColumn("test", prices, "date"))).sort();
  const rules = { ...readSessionRules("test", returns), maxMissing: 1 };
  const { sessions } = datesToSessions("test", dates, rules);
  const placed = placeSample(scores, sessions, { plan, returns });
  const book = bookOfSample(placed, sessions, plan);
  const isLive = ["at", "calculated_at"].some((name) => scores.columns.includes(name));
  const parts: PartTables[] = [];
  for (const own of spansOf(cuts)) {
    const { before, after } = marginOf(plan, returns);
    const margin = { before: Math.max(before, bookMargin(sessions, own, book)), after };
    const window = windowOf(sessions, own, { margin, plan });
    parts.push(
      await computePart({
        scores: isLive
          ? cropSets(scores, window, plan).rows
          : await cropDates(scores.lazy(), window.scores).collect(),
        prices: await cropDates(prices.lazy(), window.prices).collect(),
        own,
        placed,
        book,
        listed: listedIn(prices),
      }, { plan, returns, walk: WALK }),
    );
  }
  const groups = options.groups === undefined ? null : {
    names: (options.groups.getColumn("group").cast(pl.Utf8).unique().toArray() as string[])
      .toSorted(),
    areUndated: !options.groups.columns.includes("from") && !options.groups.columns.includes("to"),
  };
  const accounts = parts.map((tables) => tables.get("account")!);
  return await mergeParts(parts, accounts, {
    plan,
    origin: originOf(
      scores,
      readScoreRows(scores, { score: plan.align.score ?? "score" }),
      {},
      null,
    ),
    entryLag: returns.entryLag ?? 0,
    ended: returns.ended ?? "last",
    market,
    groups,
    trialLog: options.trialLog ?? trialLog(),
    oneWayBps: options.oneWayBps,
  });
}

function spansOf(cuts: readonly number[]): readonly DaySpan[] {
  const bounds = [-1_000_000, ...cuts, 1_000_000];
  return bounds.slice(1).map((end, i) => ({ from: bounds[i]!, to: end - 1 }));
}

function listedIn(prices: DataFrame): ReadonlyMap<string, number | null> {
  const days = readDayColumn("test", prices, "date");
  const tickers = prices.getColumn("ticker").cast(pl.Utf8).toArray() as string[];
  const closes = prices.getColumn("close").toArray() as (number | null)[];
  const listed = new Map<string, number | null>();
  for (const [row, ticker] of tickers.entries()) {
    const known = listed.get(ticker) ?? null;
    listed.set(ticker, closes[row] === null ? known : Math.max(known ?? -Infinity, days[row]!));
  }
  return listed;
}

/** All tables and texts of an analysis that can be computed in parts, to the last bit, as one text. */
export function bitsOf(analysis: FactorAnalysis): Readonly<Record<string, string>> {
  const { aligned } = analysis;
  const { loss } = aligned;
  const { trialLog: _, plan: __, sample: ___, detail, aligned: ____, ...tables } = membersOf(
    analysis,
  );
  const { distribution, coverage, placebo: _____, sample: ______, ...others } = membersOf(
    detail as object,
  ) as {
    distribution: { edges: DataFrame };
    coverage: { bySession: DataFrame };
    placebo: unknown;
    sample: unknown;
  };
  const all = {
    ...tables,
    ...others,
    edges: distribution.edges,
    coverage: { ...coverage, bySession: coverage.bySession.drop("median_age") },
    loss: [loss.table, String(loss), loss.rows, loss.carriedRows, loss.neverPriced],
    lossSplits: [loss.bySession(), loss.byTicker(), loss.byStatus()],
    sample: [aligned.sessions, aligned.dense.from, aligned.dense.to, aligned.dense.tickers],
    text: analysis.text,
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, textOf(value)]));
}

/** Members of an object, those that its class computes when they are read among them. */
function membersOf(whole: object): Record<string, unknown> {
  const computed = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(whole)))
    .filter(([, { get }]) => get !== undefined)
    .map(([name]) => [name, whole[name as keyof typeof whole]]);
  return { ...whole, ...Object.fromEntries(computed) };
}

// -0 and NaN have texts of their own, so that nothing that differs looks the same.
function textOf(value: unknown): string {
  return JSON.stringify(plain(value), (_, part) => {
    if (typeof part === "bigint") return `${part}n`;
    if (typeof part !== "number") return part;
    return Object.is(part, -0) ? "-0" : Number.isFinite(part) ? part : String(part);
  });
}

function plain(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 6) return value;
  if ((value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === "DataFrame") {
    const frame = value as DataFrame;
    return { columns: frame.columns, types: frame.dtypes.map(String), rows: frame.toRecords() };
  }
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if (value instanceof Date) return value.toISOString();
  return Object.fromEntries(
    Object.entries(value).filter(([, item]) => typeof item !== "function")
      .map(([name, item]) => [name, plain(item, depth + 1)]),
  );
}
