import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import type { Aligned } from "../aligned/aligned.ts";
import { reportLosses } from "../aligned/loss_report.ts";
import type { DenseGroups, DenseScores } from "../dense/dense_scores.ts";
import { placesOfDays } from "../dense/days.ts";
import type { AnalysisPlan, ScoresOrigin } from "../factor/analysis_options.ts";
import { answerQuestions } from "../factor/answer_questions.ts";
import { FactorAnalysis } from "../factor/factor_analysis.ts";
import type { SessionTables } from "../factor/session_tables.ts";
import type { Walk } from "../factor/take_steps.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { displayParts } from "../table/display_parts.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { readDays, readNumbers, readTexts } from "../table/read_columns.ts";
import { mergeLosses } from "./merge_losses.ts";
import { mergeTables, stack } from "./merge_tables.ts";
import type { PartTables } from "./part_tables.ts";

/** What the answers of a merged analysis need beside the tables of its parts. */
export interface MergeContext {
  /** What was asked of every part. */
  readonly plan: AnalysisPlan;
  /** What the scores are. */
  readonly origin: ScoresOrigin;
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** The groups; `null` if none were given. */
  readonly groups: Pick<DenseGroups, "names" | "areUndated"> | null;
  /** Where tests are entered. */
  readonly ledger: Ledger;
  /** Who is told how far it is, and who may stop it. */
  readonly walk: Walk;
  /** Costs of one way, in basis points. */
  readonly oneWayBps?: readonly number[] | undefined;
}

const ACTION = "merge parts";

/**
 * Answers the questions of an analysis from the tables of its parts, as one of the whole sample does: the same functions
 * read the same rows. Left out are the noise control and the distribution of scores, which need all rows at once, and the
 * age of scores by session.
 *
 * @param parts In the order of their sessions; together they are the whole sample
 * @throws {RangeError} If no row of any part is in a session
 */
export async function mergeParts(
  parts: readonly PartTables[],
  context: MergeContext,
): Promise<FactorAnalysis> {
  const tables = mergeTables(parts);
  if (tables.coverage.bySession.height === 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected scores on sessions of the prices, got none; compare the dates and ` +
        "tickers of both",
    );
  }
  const aligned = mergedAligned(parts, tables, context);
  const frames = await answerQuestions({
    ...context,
    of: context.origin.what,
    aligned,
    tables,
    distribution: noDistribution(),
    noise: null,
  });
  const { plan, ledger, origin } = context;
  return new FactorAnalysis(frames, { origin, plan, ledger });
}

function mergedAligned(
  parts: readonly PartTables[],
  tables: SessionTables,
  { plan, origin, entryLag, groups }: MergeContext,
): Aligned {
  const days = readDays(ACTION, tables.sessions, "session");
  const sessions = [...days].map(fromEpochDay);
  const { scored, priced } = tickersOf(stack(parts, "tickers")!);
  const neverPriced = scored.filter((ticker) => !priced.has(ticker)).length;
  const counts = mergeLosses(parts, { sessions, entryLag, tickers: scored, neverPriced });
  const loss = reportLosses(counts);
  return {
    ...displayParts(() => String(loss), () => ({ loss: loss.table })),
    get data(): DataFrame {
      return refuseRows();
    },
    loss,
    sessions,
    periods: plan.periods,
    score: origin.score,
    entry: plan.align.entry ?? "next",
    compat: null,
    dense: withoutRows({ days, tickers: scored, groups }, tables.coverage.bySession, plan),
  };
}

/** What is known of the sample as sessions × tickers: its bounds, and no cell of it. */
function withoutRows(
  { days, tickers, groups }: Pick<DenseScores, "days" | "tickers"> & Pick<MergeContext, "groups">,
  coverage: DataFrame,
  { periods }: AnalysisPlan,
): DenseScores {
  const placeOf = placesOfDays(days);
  const scored = readDays(ACTION, coverage, "session");
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

function tickersOf(table: DataFrame) {
  const { names, codes } = readTexts(ACTION, table, "ticker");
  const marked = (name: string) => {
    const marks = readNumbers(ACTION, table, name);
    return new Set(
      Array.from(codes).flatMap((code, row) => marks[row] === 1 ? [names[code]!] : []),
    );
  };
  const scored = marked("scored");
  return { scored: names.filter((ticker) => scored.has(ticker)), priced: marked("priced") };
}

function noDistribution(): DataFrame {
  return frameOfRows([] as { readonly n: number }[], [
    { name: "kind", type: "text", read: () => null },
    { name: "low", type: "number", read: () => null },
    { name: "high", type: "number", read: () => null },
    { name: "rows", type: "count", read: ({ n }) => n },
  ]);
}
