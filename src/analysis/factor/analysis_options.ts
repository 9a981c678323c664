import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { describe } from "../../contract/violation.ts";
import { hasSynthetic } from "../../frame/provenance/synthetic_lineage.ts";
import type { AlignOptions } from "../aligned/align.ts";
import type { ForwardReturnsOptions } from "../aligned/prices/forward_returns.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { NoiseOptions } from "../series/noise_control.ts";

/** Options of {@link analyzeFactor}. */
export interface AnalyzeFactorOptions extends
  Pick<
    AlignOptions,
    | "score"
    | "entry"
    | "delayMinutes"
    | "groups"
    | "calendar"
    | "statuses"
    | "maxAgeSessions"
    | "workers"
  > {
  /**
   * Horizons in sessions; 1 is always among them.
   *
   * @default [1, 5, 21]
   */
  readonly periods?: readonly number[];
  /**
   * How the returns are computed, beside their horizons.
   *
   * @default closes, missing ones are null, a name that ends counts to its last close
   */
  readonly returns?: Omit<ForwardReturnsOptions, "periods">;
  /**
   * Number of buckets.
   *
   * @default 5
   */
  readonly quantiles?: number;
  /**
   * Lags of the decay, in sessions.
   *
   * @default 1 to 63
   */
  readonly lags?: readonly number[];
  /**
   * The shifts of the noise control; `false` for none.
   *
   * @default 199 shifts with seed 1
   */
  readonly noise?: NoiseOptions | false;
  /**
   * Costs of one way, in basis points.
   *
   * @default [0, 5, 10, 20, 50]
   */
  readonly oneWayBps?: readonly number[];
  /**
   * Where the tests are entered.
   *
   * @default one of its own, which ends with the program
   */
  readonly ledger?: Ledger;
  /**
   * Stops the analysis.
   *
   * @default the stop button of a notebook
   */
  readonly signal?: AbortSignal;
  /**
   * Whether a bar shows how far it is.
   *
   * @default true
   */
  readonly progress?: boolean;
}

const NAMES = [
  ...[
    "score",
    "entry",
    "delayMinutes",
    "groups",
    "calendar",
    "statuses",
    "maxAgeSessions",
    "workers",
  ],
  ...["periods", "returns", "quantiles", "lags", "noise", "oneWayBps", "ledger", "signal"],
  "progress",
];

/** What an analysis does, with every default stated. */
export interface AnalysisPlan {
  /** Horizons in sessions, ascending; 1 is among them. */
  readonly periods: readonly number[];
  /** Number of buckets. */
  readonly quantiles: number;
  /** Lags of the decay, in sessions. */
  readonly lags: readonly number[];
  /** The shifts of the noise control; `null` for none. */
  readonly noise: NoiseOptions | null;
  /** How scores are brought to sessions. */
  readonly align: AlignOptions;
}

/**
 * Reads the options of an analysis.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If a number is out of range
 */
export function planAnalysis(options: AnalyzeFactorOptions): AnalysisPlan {
  assertKnownOptions("analyse a factor", options, NAMES);
  const { periods = [1, 5, 21], quantiles = 5, noise = {} } = options;
  const { lags = Array.from({ length: 63 }, (_, i) => i + 1) } = options;
  assertWholes("periods", periods);
  assertWholes("lags", lags);
  if (!Number.isSafeInteger(quantiles) || quantiles < 2) {
    throw new RangeError(
      `Cannot analyse a factor: quantiles is a whole number from 2 on, got ${describe(quantiles)}`,
    );
  }
  return {
    periods: [...new Set([1, ...periods])].sort((a, b) => a - b),
    quantiles,
    lags,
    noise: noise === false ? null : noise,
    align: alignOptions(options),
  };
}

function alignOptions(options: AnalyzeFactorOptions): AlignOptions {
  const { score, entry, delayMinutes, groups, calendar, statuses, maxAgeSessions, workers } =
    options;
  const all = { score, entry, delayMinutes, groups, calendar, statuses, maxAgeSessions, workers };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function assertWholes(name: string, values: readonly number[]): void {
  const isList = Array.isArray(values) && values.length > 0;
  if (isList && values.every((value) => Number.isSafeInteger(value) && value >= 1)) return;
  throw new RangeError(
    `Cannot analyse a factor: ${name} are whole numbers of sessions from 1 on, got ` +
      describe(values),
  );
}

/** What the scores are, as far as their columns say. */
export interface ScoresOrigin {
  /** The column that is analysed. */
  readonly score: string;
  /** The factor and its release or sets, in words; the name of the column if nothing else is known. */
  readonly what: string;
  /** Whether any row says that it is synthetic. */
  readonly isSynthetic: boolean;
  /** Whether they are those of a release, which was reconstructed after its sessions. */
  readonly isReconstructed: boolean;
}

/** Reads from the provenance columns of scores what they are. */
export function originOf(scores: DataFrame, score: string): ScoresOrigin {
  const distinct = (name: string) =>
    scores.columns.includes(name)
      ? (scores.getColumn(name).unique().dropNulls().toArray() as string[]).toSorted()
      : [];
  const [factor] = distinct("factor");
  const releases = distinct("download_sha256");
  const sets = distinct("snapshot_id");
  const from = releases.length === 1
    ? [`release ${releases[0]!.slice(0, 8)}…`]
    : sets.length > 0
    ? [`${sets.length} ${sets.length === 1 ? "score set" : "score sets"}`]
    : [];
  return {
    score,
    what: [factor ?? score, ...from].join(", "),
    isReconstructed: releases.length > 0,
    isSynthetic: hasSynthetic(scores),
  };
}
