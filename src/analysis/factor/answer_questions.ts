import type { DataFrame } from "nodejs-polars";
import type { Aligned } from "../aligned/aligned.ts";
import type { NoiseControl } from "../series/noise_control.ts";
import { describeDetail } from "./analysis_detail.ts";
import { askBuckets } from "./ask_buckets.ts";
import { askPortfolio } from "./ask_portfolio.ts";
import { type AskContext, askRelation } from "./ask_relation.ts";
import type { AnalysisFrames } from "./factor_analysis.ts";
import type { SessionTables } from "./session_tables.ts";
import { takeSteps } from "./take_steps.ts";

/** What the answers of an analysis are made of. */
export interface Questions extends AskContext {
  /** What was aligned, and lost. */
  readonly aligned: Aligned;
  /** All that was computed session by session. */
  readonly tables: SessionTables;
  /** The distribution of all scores. */
  readonly distribution: DataFrame;
  /** The means of shifted scores; `null` if none were made. */
  readonly noise: NoiseControl | null;
  /** Costs of one way, in basis points. */
  readonly oneWayBps?: readonly number[] | undefined;
}

/** Answers the questions of an analysis from its tables by session, whether they were computed at once or in parts. */
export async function answerQuestions(questions: Questions): Promise<AnalysisFrames> {
  const { aligned, tables, walk } = questions;
  const relation = await askRelation(tables, questions);
  const buckets = await askBuckets(tables, questions);
  const money = await askPortfolio(tables, questions);
  const [detail] = await takeSteps(walk, "detail", [() => describeDetail(questions)]);
  return { aligned, ...relation, ...buckets, ...money, detail };
}
