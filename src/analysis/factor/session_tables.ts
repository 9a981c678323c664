import pl, { type DataFrame } from "nodejs-polars";
import type { HasDense } from "../dense/from_data_frame.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { quantileTable } from "../cross_section/buckets/quantile_returns.ts";
import { quantileSpread } from "../cross_section/buckets/quantile_spread.ts";
import {
  quantileTurnover,
  type TURNOVER_COLUMNS,
} from "../cross_section/buckets/quantile_turnover.ts";
import { quantize, type Quantized } from "../cross_section/buckets/quantize.ts";
import {
  type AUTOCORRELATION_COLUMNS,
  rankAutocorrelation,
} from "../cross_section/correlation/rank_autocorrelation.ts";
import { edgeTable } from "../description/score_distribution.ts";
import { type CoverageTables, coverageTables } from "../description/factor_coverage.ts";
import { moneyDays } from "../dense/days.ts";
import { marksOf } from "../dense/marks.ts";
import { carryBook } from "../portfolio/book/carry_book.ts";
import { type BOOK_COLUMNS, bookFrame } from "../portfolio/portfolio_returns.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { heldQuantiles, heldUniverse } from "../portfolio/book/equal_books.ts";
import { dayColumn, numberColumn } from "../../frames/frame/typed/make_columns.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { ColumnsOf } from "../../frames/frame/typed/columns.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { IC_COLUMNS, LagColumns } from "../cross_section/correlation/ic_frame.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import { type BatchSpan, inBatches, takeStep, takeSteps, type Walk } from "./walk.ts";
import type { InformationCoefficientOptions } from "../cross_section/correlation/ic_options.ts";

/**
 * Results of an analysis by session: the input of all its answers except the permutation test and the distribution of all
 * scores. Sessions ascend in every table, so the tables of consecutive spans can be stacked.
 */
export interface SessionTables {
  /** ICs by session and horizon. */
  readonly ic: TableFrame<typeof IC_COLUMNS>;
  /** One-session form: ICs of one-session returns with the mean rank over the last sessions of each horizon. */
  readonly oneSession: DataFrame;
  /** ICs by session and lag. */
  readonly decay: TypedFrame<LagColumns>;
  /** ICs by session, horizon and age; `null` if the age is unknown. */
  readonly icByAge: DataFrame | null;
  /** ICs by session, horizon and group; `null` without groups. */
  readonly icByGroup: DataFrame | null;
  /** Mean returns by session, horizon and quantile. */
  readonly quantiles: DataFrame;
  /** Returns of an account by date and quantile; stocks stay in their quantiles until there are new scores. */
  readonly heldQuantiles: DataFrame;
  /** Top minus bottom by session and horizon. */
  readonly spread: DataFrame;
  /** Turnover by session and quantile. */
  readonly turnover: TableFrame<typeof TURNOVER_COLUMNS>;
  /** Rank autocorrelation by session. */
  readonly rankAutocorrelation: TableFrame<typeof AUTOCORRELATION_COLUMNS>;
  /** The largest score by session and quantile. */
  readonly edges: DataFrame;
  /** Return and trades of the portfolio by date. */
  readonly portfolio: TableFrame<typeof BOOK_COLUMNS>;
  /** Return of the equal-weighted universe by date. */
  readonly market: DataFrame;
  /** Coverage by session. */
  readonly coverage: CoverageTables;
}

/** Context of {@link SessionTables}. */
export interface TableContext {
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Progress and cancellation. */
  readonly walk: Walk;
}

const ACTION = "carry a portfolio";

/** Computes the tables by session of an analysis, and the quantiles. */
export async function sessionTables(
  aligned: HasDense,
  context: TableContext,
): Promise<{ readonly tables: SessionTables; readonly quantized: Quantized }> {
  const { dense } = aligned;
  const { plan, walk } = context;
  const correlations = await correlate(aligned, context);
  const sort = () => quantize(aligned, { quantiles: plan.quantiles });
  const quantized = await takeStep(walk, "buckets", sort);
  const [quantiles, spread, turnover, autocorrelation, edges] = await takeSteps(walk, "buckets", [
    () => quantileTable(quantized),
    () => quantileSpread(quantized).data,
    () => quantileTurnover(quantized),
    () => rankAutocorrelation(quantized, { minNames: plan.minNames }),
    () => edgeTable(quantized),
  ]);
  const coverage = await takeStep(walk, "coverage", () => coverageTables(dense));
  const ofBuckets = { quantiles, spread, turnover, edges, rankAutocorrelation: autocorrelation };
  const held = await takeStep(walk, "portfolio", () => heldTables(quantized, plan));
  return { tables: { ...correlations, ...ofBuckets, coverage, ...held }, quantized };
}

/** Computes the tables of accounts over all sessions: portfolio, universe and quantiles. */
function heldTables(
  quantized: Quantized,
  plan: AnalysisPlan,
): Pick<SessionTables, "portfolio" | "market" | "heldQuantiles"> {
  const { dense } = quantized;
  const weights = factorWeights(quantized, { weighting: plan.weighting });
  const book = carryBook(weights, marksOf(ACTION, dense), plan.book);
  const { date, from } = moneyDays(dense, book);
  const market = pl.DataFrame([
    ...[dayColumn("date", date), dayColumn("from", from)],
    numberColumn("return", heldUniverse(ACTION, dense, book.span).slice(0, date.length)),
  ]);
  return {
    ...{ portfolio: bookFrame(book, dense), market },
    heldQuantiles: heldQuantiles(ACTION, quantized, book.span),
  };
}

async function correlate({ dense }: HasDense, { plan, walk }: TableContext) {
  const { minNames } = plan;
  const batches = (
    note: string,
    of: DenseScores,
    options: InformationCoefficientOptions,
    span: BatchSpan = {},
  ) =>
    inBatches(
      walk,
      of,
      note,
      (part) => informationCoefficient(part, { ...options, minNames }),
      span,
    );
  const before = Math.max(...plan.periods) - 1;
  const atLeast = 2 * Math.max(...plan.lags);
  const ic = await batches("correlations", dense, {});
  const oneSession = await batches("one-session form", dense, { form: "oneSession" }, { before });
  const decay = await batches("lags", dense, { lags: plan.lags }, { atLeast });
  return {
    ic: framed<ColumnsOf<typeof IC_COLUMNS>>(ic),
    oneSession,
    decay: framed<LagColumns>(decay),
    icByAge: dense.ages === null ? null : await batches("parts", dense, { by: "age" }),
    icByGroup: dense.groups === null ? null : await batches("parts", dense, { by: "group" }),
  };
}
