import type { DataFrame } from "nodejs-polars";
import { nearTickersText } from "../../../analysis/aligned/sessions/assert_match.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { type NotedGrid, toPriceNotes } from "../../../analysis/aligned/prices/price_notes.ts";
import { constantText, countDelisted } from "../../../analysis/aligned/sessions/sample_ends.ts";
import type { Aligned } from "../../../analysis/aligned/align.ts";
import {
  type PriceMarketOptions,
  toPriceMarket,
} from "../../../analysis/aligned/prices/price_market.ts";
import type { WindowRules } from "../../../analysis/aligned/prices/window_returns.ts";
import { reportLosses } from "../../../analysis/aligned/loss_report.ts";
import type { DenseGroups, DenseScores, Marks } from "../../../analysis/dense/dense_scores.ts";
import { placesOfDays } from "../../../analysis/dense/days.ts";
import type { AnalysisPlan } from "../../../analysis/factor/analysis_options.ts";
import type { ScoresOrigin } from "../../../analysis/factor/scores_origin.ts";
import { planTests } from "../../../analysis/factor/analysis_sample.ts";
import { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { TrialLog } from "../../../analysis/trial_log.ts";
import { displayParts } from "../../../analysis/table/display_parts.ts";
import { readDayColumn, readNumbers, readTexts } from "../../../analysis/table/read_columns.ts";
import {
  type AccountGrids,
  accountMarks,
  heldTablesOf,
  layOutAccounts,
  type SampleAxes,
} from "./account_table.ts";
import type { DateNote } from "./compute/count_part.ts";
import { mergeLosses } from "./merge_losses.ts";
import { mergeTables, sessionsOfParts, stack } from "./merge_tables.ts";
import type { PartTables } from "./part_tables.ts";

/** Facts that a merged analysis needs beside the tables of its parts. */
export interface MergeContext {
  /** The questions of every part. */
  readonly plan: AnalysisPlan;
  /** Description of the scores. */
  readonly origin: ScoresOrigin;
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Treatment of a stock that has ended. */
  readonly ended: WindowRules["ended"];
  /**
   * The market of the prices.
   *
   * @default the US market
   */
  readonly market?: PriceMarketOptions | undefined;
  /** The groups; `null` if none were given. */
  readonly groups: Pick<DenseGroups, "names" | "areUndated"> | null;
  /** Trial log for the tests. */
  readonly trialLog: TrialLog;
  /** One-way costs in basis points. */
  readonly oneWayBps?: number | readonly number[] | undefined;
}

const ACTION = "merge parts";

/**
 * Answers the questions of an analysis from the tables of its parts, with the functions that an analysis of the whole sample
 * uses, on the same rows. Left out are results that need all rows at once: placebo shifts, the permutation test, the
 * distribution of scores, and the age of scores by session.
 *
 * @param parts Parts in order of their sessions; together they are the whole sample
 * @param accounts Rows of their accounts, in the same order
 * @throws {RangeError} If no row of any part is in a session
 */
export async function mergeParts(
  parts: readonly PartTables[],
  accounts: Iterable<DataFrame> | AsyncIterable<DataFrame>,
  context: MergeContext,
): Promise<FactorAnalysis> {
  const rows = mergeTables(parts);
  if (rows.coverage.bySession.height === 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected scores on sessions of the prices, got none; compare the dates and ` +
        "tickers of both",
    );
  }
  const axes = axesOf(parts);
  const grids = await layOutAccounts(accounts, axes);
  // Made twice: kept for the accounts while the losses are counted, they would not fit beside the closes.
  const marks = () => accountMarks(grids, axes.scored, context);
  const aligned = mergedAligned(parts, rows, { ...context, ...axes, grids, marks });
  const { plan, trialLog, origin, oneWayBps } = context;
  const { days, tickers, from, to } = aligned.dense;
  const tables = { ...rows, ...heldTablesOf(grids, { days, tickers, from, to, marks }, plan) };
  const rowless = { quantized: null, placebo: null, permutation: null, residualIc: null };
  return new FactorAnalysis(
    planTests({ origin, plan, trialLog, oneWayBps, aligned, tables, ...rowless, unexposed: 0 }),
  );
}

interface AlignedContext extends MergeContext, SampleAxes {
  readonly grids: AccountGrids;
  readonly marks: () => Marks;
}

function mergedAligned(
  parts: readonly PartTables[],
  tables: ReturnType<typeof mergeTables>,
  { plan, origin, entryLag, groups, market = {}, grids, marks, ...axes }: AlignedContext,
): Aligned {
  const { days, scored } = axes;
  const sessions = [...days].map(fromEpochDay);
  const lost = [...new Set(scored).difference(new Set(axes.priced))];
  const own = toPriceMarket(days, market);
  const counts = mergeLosses(parts, {
    sessions,
    unit: own.unit,
    entryLag,
    tickers: scored,
    neverPriced: lost.length,
    nearTickers: nearTickersText(lost, axes.priced),
    priceNotes: toPriceNotes({ ...grids.closes, ...dateNotes(stack(parts, "price_notes")!) }),
  });
  const loss = reportLosses(counts, null);
  const dense = withoutRows({ days, tickers: scored, groups }, tables.coverage.bySession, plan);
  const { from, to } = dense;
  return {
    ...displayParts(() => String(loss), () => ({ loss: loss.table })),
    get data(): Aligned["data"] {
      return refuseRows();
    },
    loss,
    constantScores: constantText({ days, tickers: scored, from, to, scores: grids.scores }),
    delisted: countDelisted({ days, tickers: scored, scores: grids.scores }, marks()),
    tickers: scored.length - lost.length,
    sessions,
    market: own,
    periods: plan.periods,
    score: origin.score,
    entry: plan.align.entry ?? "next",
    compat: null,
    dense,
  };
}

/** The sample as sessions × tickers: only its bounds, without any cell. */
function withoutRows(
  { days, tickers, groups }: Pick<DenseScores, "days" | "tickers"> & Pick<MergeContext, "groups">,
  coverage: DataFrame,
  { periods }: AnalysisPlan,
): DenseScores {
  const placeOf = placesOfDays(days);
  const scored = readDayColumn(ACTION, coverage, "session");
  return {
    days,
    tickers,
    from: placeOf(scored[0]!),
    to: placeOf(scored.at(-1)!) + 1,
    get present(): Uint8Array {
      return refuseRows();
    },
    get scores(): Float64Array {
      return refuseRows();
    },
    periods,
    get returns(): ReadonlyMap<number, Float64Array> {
      return refuseRows();
    },
    groups: groups === null ? null : {
      ...groups,
      get codes(): Int32Array {
        return refuseRows();
      },
    },
    ages: null,
  };
}

function refuseRows(): never {
  throw new RangeError(
    "Cannot read the rows of an analysis that was merged from parts: expected them in memory, got " +
      "tables by session; read them from the dataset",
  );
}

function dateNotes(
  notes: DataFrame,
): Pick<NotedGrid, "missingDays" | "strayDays" | "runningDay"> {
  const days = readDayColumn(ACTION, notes, "session");
  const { names, codes } = readTexts(ACTION, notes, "what");
  const daysOf = (what: DateNote) => [...days].filter((_, row) => names[codes[row]!] === what);
  return {
    missingDays: daysOf("missing_session"),
    strayDays: daysOf("stray_date"),
    runningDay: daysOf("running").at(-1) ?? null,
  };
}

function axesOf(parts: readonly PartTables[]): SampleAxes {
  const table = stack(parts, "tickers")!;
  const { names, codes } = readTexts(ACTION, table, "ticker");
  const marked = (name: string) => {
    const marks = readNumbers(ACTION, table, name);
    return [
      ...new Set(Array.from(codes).flatMap((code, row) => marks[row] === 1 ? [names[code]!] : [])),
    ].toSorted((a, b) => a < b ? -1 : 1);
  };
  return { days: sessionsOfParts(parts), scored: marked("scored"), priced: marked("priced") };
}
