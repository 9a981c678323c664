import { createHash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import {
  givenOptions,
  MARKET_RULES,
  type PriceMarketOptions,
} from "../../../analysis/aligned/prices/price_market.ts";
import { RETURN_RULES } from "../../../analysis/aligned/prices/forward_returns.ts";
import {
  ANALYSIS_RULES,
  type AnalysisPlan,
  type AnalyzeFactorOptions,
  planAnalysis,
} from "../../../analysis/factor/analysis_options.ts";
import { type ScoresOrigin, whatOfScores } from "../../../analysis/factor/scores_origin.ts";
import {
  checkOptions,
  oneOf,
  type OptionRules,
  ruleBy,
} from "../../../base/arguments/check_options.ts";
import type { Maker } from "../maker.ts";
import { heldOutOfFiles, type Partition } from "../state.ts";
import type { SampleQuestion } from "./compute/sample.ts";

/** Facts that identify a part. Parts can be merged if they agree in all facts but partition and span. */
export interface PartFacts {
  /** Version of the layout of parts. */
  readonly format: number;
  /** The program that computed it. */
  readonly maker: Maker;
  /** The table of the scores. */
  readonly table: string;
  /** The factor. */
  readonly factor: string;
  /** The partition: `year=2024`. */
  readonly partition: string;
  /** Days of the partition. */
  readonly span: { readonly from: string; readonly to: string };
  /** Days of the whole sample. */
  readonly whole: { readonly from: string; readonly to: string };
  /** Hash of the dataset's paths and numbers of scores and prices. */
  readonly dataset: string;
  /** Checksums of the releases of the scores. */
  readonly releases: readonly string[];
  /** Description of the scores. */
  readonly origin: ScoresOrigin;
  /** The questions. */
  readonly question: PartQuestion;
}

/** Options of the analysis of a partition, with all defaults filled in. */
export interface PartQuestion {
  /** Horizons in sessions. */
  readonly periods: readonly number[];
  /** Number of quantiles. */
  readonly quantiles: number;
  /** Number of stocks below which a session has no IC. */
  readonly minNames: number;
  /** Lags of the decay, in sessions. */
  readonly lags: readonly number[];
  /** Options of aligning scores with sessions. */
  readonly align: Readonly<Record<string, unknown>>;
  /** Options of forward returns. */
  readonly returns: Readonly<Record<string, unknown>>;
  /** Trading of the portfolio, and its weights in between. */
  readonly book: AnalysisPlan["book"];
  /** Weights of the portfolio. @default "factor" */
  readonly weighting?: AnalysisPlan["weighting"];
  /** The groups; `null` if none were given. */
  readonly groups: {
    readonly names: readonly string[];
    readonly areUndated: boolean;
    readonly sha256: string;
  } | null;
}

/** Version of the layout of parts and of the numbers by session. */
export const PART_FORMAT = 6;

/** Options of {@link analyzeFactor} that need neither the whole sample nor the calendar. */
export type PartOptions =
  & Pick<
    AnalyzeFactorOptions,
    | "periods"
    | "returns"
    | "quantiles"
    | "minNames"
    | "lags"
    | "entry"
    | "delayMs"
    | "groups"
    | "statuses"
    | "maxAgeSessions"
    | "rebalance"
    | "between"
    | "weighting"
    | "periodsPerYear"
    | "strays"
    | "maxMissing"
  >
  & {
    /** The option of {@link analyzeFactor}, without frames: the sessions of the prices or of the US market. */
    readonly calendar?: "us" | "own";
  };

const { entryLag, ended, price } = RETURN_RULES;
const { periods, quantiles, minNames, lags, entry, delayMs, groups, statuses, ...REST } =
  ANALYSIS_RULES;
const { maxAgeSessions, rebalance, between, weighting, periodsPerYear, strays, maxMissing } = REST;
/** Accepted options of the analysis of a partition. */
export const PART_RULES: OptionRules<PartOptions> = {
  ...{ periods, quantiles, minNames, lags, entry, delayMs, groups, statuses },
  ...{ maxAgeSessions, rebalance, between, weighting, periodsPerYear, strays, maxMissing },
  calendar: oneOf("us", "own"),
  returns: ruleBy(
    "an object",
    (_, given) =>
      checkOptions("analyse a partition with returns", given, { entryLag, ended, price }),
  ),
};

/** Reads the options of a partition's analysis, once they were checked. */
export function readPartOptions(options: PartOptions): SampleQuestion {
  const plan = planAnalysis({ ...options, placebo: false });
  return {
    plan,
    returns: {
      ...options.returns,
      ...givenOptions<PriceMarketOptions>(options, MARKET_RULES),
    },
  };
}

/** The options in the form that the file of a part has. */
export function toPartQuestion({ plan, returns }: SampleQuestion): PartQuestion {
  const { groups, ...align } = plan.align;
  return {
    periods: plan.periods,
    quantiles: plan.quantiles,
    minNames: plan.minNames,
    lags: plan.lags,
    align: { entry: "next", delayMs: 0, ...align },
    returns: { entryLag: 0, ended: "last", price: "close", ...returns },
    book: plan.book,
    // A part with the default weights keeps the bytes that it had before the option existed.
    ...(plan.weighting === "factor" ? {} : { weighting: plan.weighting }),
    groups: groups === undefined ? null : describeGroups(groups),
  };
}

/** The plan of the analysis; groups have only their names, because their frame is not stored. */
export function fromPartQuestion(question: PartQuestion): AnalysisPlan {
  const { periods, quantiles, minNames, lags, align, book, weighting = "factor" } = question;
  return { periods, quantiles, minNames, lags, placebo: null, align, book, weighting };
}

/** Description of the scores in some files. */
export function describeScores(factor: string, files: readonly Partition[]): ScoresOrigin {
  const releases = distinct(files.flatMap((file) => file.releases));
  const sets = distinct(files.flatMap((file) => file.sets));
  const heldOut = heldOutOfFiles(files);
  return {
    score: "score",
    what: whatOfScores(factor, { releases, sets }),
    isReconstructed: releases.length > 0,
    isSynthetic: files.some(({ synthetic }) => synthetic),
    ...(heldOut === null ? {} : { heldOut }),
  };
}

/** Distinct texts, sorted. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

function describeGroups(groups: DataFrame): PartQuestion["groups"] {
  const columns = groups.columns.filter((name) => ["ticker", "group", "from", "to"].includes(name));
  const texts = groups.select(...columns.map((name) => pl.col(name).cast(pl.Utf8)));
  const rows = texts.rows().map((row) => JSON.stringify(row)).toSorted();
  const names = groups.getColumn("group").cast(pl.Utf8).dropNulls().unique().toArray() as string[];
  return {
    names: distinct(names),
    areUndated: !columns.includes("from") && !columns.includes("to"),
    sha256: createHash("sha256").update(rows.join("\n")).digest("hex"),
  };
}
