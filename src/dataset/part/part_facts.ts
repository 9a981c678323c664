import { createHash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import type { ForwardReturnsOptions } from "../../analysis/aligned/prices/forward_returns.ts";
import {
  type AnalysisPlan,
  type AnalyzeFactorOptions,
  planAnalysis,
  type ScoresOrigin,
} from "../../analysis/factor/analysis_options.ts";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import type { Partition } from "../manifest.ts";
import type { SampleQuestion } from "./sample.ts";

/** What a part is a part of: parts are merged if they agree in all of it but their partition. */
export interface PartFacts {
  /** Version of the layout of parts. */
  readonly format: number;
  /** Version of scoreframe that computed it. */
  readonly scoreframe: string;
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
  /** Hash of what the dataset says of its scores and prices. */
  readonly dataset: string;
  /** Checksums of the releases of the scores. */
  readonly releases: readonly string[];
  /** What the scores are. */
  readonly origin: ScoresOrigin;
  /** What was asked. */
  readonly question: PartQuestion;
}

/** What is asked of a partition, with every default stated. */
export interface PartQuestion {
  /** Horizons in sessions. */
  readonly periods: readonly number[];
  /** Number of buckets. */
  readonly quantiles: number;
  /** Lags of the decay, in sessions. */
  readonly lags: readonly number[];
  /** How scores enter sessions. */
  readonly align: Readonly<Record<string, unknown>>;
  /** How returns are computed. */
  readonly returns: Readonly<Record<string, unknown>>;
  /** The groups; `null` if none were given. */
  readonly groups: {
    readonly names: readonly string[];
    readonly areUndated: boolean;
    readonly sha256: string;
  } | null;
}

/** Version of the layout of parts, and of what is computed by session. */
export const PART_FORMAT = 1;

/** What an analysis of a partition can be asked: as of {@link analyzeFactor}, but for what needs the whole sample or the calendar. */
export type PartOptions = Pick<
  AnalyzeFactorOptions,
  | "periods"
  | "returns"
  | "quantiles"
  | "lags"
  | "entry"
  | "delayMinutes"
  | "groups"
  | "statuses"
  | "maxAgeSessions"
>;

const PART_OPTIONS = [
  ...["periods", "returns", "quantiles", "lags", "entry", "delayMinutes", "groups", "statuses"],
  "maxAgeSessions",
];
const RETURN_OPTIONS: readonly (keyof ForwardReturnsOptions)[] = ["entryLag", "ended", "price"];

/**
 * Reads what is asked of a partition.
 *
 * @throws {TypeError} If an option is unknown, or cannot be answered partition by partition
 * @throws {RangeError} If a number is out of range
 */
export function readPartOptions(options: PartOptions): SampleQuestion {
  assertKnownOptions("analyse a partition", options, PART_OPTIONS);
  const { returns = {} } = options;
  assertKnownOptions("analyse a partition with returns", returns, RETURN_OPTIONS);
  return { plan: planAnalysis({ ...options, noise: false }), returns };
}

/** What is asked, as it stands in the file of a part. */
export function toPartQuestion({ plan, returns }: SampleQuestion): PartQuestion {
  const { groups, ...align } = plan.align;
  return {
    periods: plan.periods,
    quantiles: plan.quantiles,
    lags: plan.lags,
    align: { entry: "next", delayMinutes: 0, ...align },
    returns: { entryLag: 0, ended: "last", price: "close", ...returns },
    groups: groups === undefined ? null : describeGroups(groups),
  };
}

/** The plan of what was asked; of groups, whose frame is no longer there, only their names are known. */
export function fromPartQuestion(question: PartQuestion): AnalysisPlan {
  const { periods, quantiles, lags, align } = question;
  return { periods, quantiles, lags, noise: null, align };
}

/** What the scores of some files are, in words. */
export function describeScores(factor: string, files: readonly Partition[]): ScoresOrigin {
  const releases = distinct(files.flatMap((file) => file.releases));
  const sets = distinct(files.flatMap((file) => file.sets));
  const from = releases.length === 1
    ? [`release ${releases[0]!.slice(0, 8)}…`]
    : sets.length > 0
    ? [`${sets.length} ${sets.length === 1 ? "score set" : "score sets"}`]
    : [];
  return {
    score: "score",
    what: [factor, ...from].join(", "),
    isReconstructed: releases.length > 0,
    isSynthetic: files.some(({ synthetic }) => synthetic),
  };
}

/** Distinct texts in order. */
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
