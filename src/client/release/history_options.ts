import { type Factor, FACTORS, parseFactor } from "../../base/contract/factor.ts";
import { nearestHint } from "../../base/arguments/nearest_name.ts";
import { describe } from "../../base/contract/violation.ts";
import {
  PROVENANCE,
  type ProvenanceChoice,
} from "../../frames/frame/provenance/provenance_schema.ts";
import type {
  ReleaseFrameOptions,
  TickerLayout,
} from "../../frames/frame/release/release_frame.ts";
import { EXCHANGE_RULES, type ExchangeOptions } from "../transport/exchange.ts";
import { AMOUNT, FLAG, oneOf, type OptionRules, TEXT } from "../../base/arguments/check_options.ts";

/** Release to load, and options of its frame. */
export interface HistoryOptions<
  Choice extends ProvenanceChoice = ProvenanceChoice,
  Layout extends TickerLayout = TickerLayout,
> extends ExchangeOptions, ReleaseFrameOptions<Choice, Layout> {
  /**
   * Answers from the store alone: no request, no download.
   *
   * @default false
   */
  readonly offline?: boolean;
  /**
   * Returns a lazy frame over a Parquet file beside the release; filters on `date` and `ticker` are pushed down, and tickers
   * are text. The first load of a release reads it into memory once, to verify it and to write that file, which takes twice the
   * memory of its frame (35 bytes a row); later loads take none.
   *
   * @default false
   */
  readonly lazy?: boolean;
  /**
   * Loads the release with this checksum, which costs nothing if it is in the store, however old it is.
   *
   * @default the release that the service offers now
   */
  readonly downloadSha256?: string;
  /**
   * Largest number of downloads that the call may spend: a second one is needed only if the service replaces the release during
   * the first, and then again. With 0, a release that is not in the store is an error.
   *
   * @default 2
   */
  readonly maxDownloads?: number;
  /**
   * Shows the progress of a download in a notebook or a terminal.
   *
   * @default true
   */
  readonly progress?: boolean;
}

/** Accepted options of `history()`. */
export const HISTORY_RULES: OptionRules<HistoryOptions> = {
  offline: FLAG,
  lazy: FLAG,
  downloadSha256: TEXT,
  maxDownloads: AMOUNT,
  progress: FLAG,
  provenance: PROVENANCE,
  tickers: oneOf("text", "categorical"),
  ...EXCHANGE_RULES,
};

/**
 * Reads a caller's factor.
 *
 * @param action Action, worded to follow "Cannot"
 * @throws {TypeError} If it is not a factor
 */
export function readFactor(given: string, action: string): Factor {
  try {
    return parseFactor(given);
  } catch {
    const hint = Array.isArray(given)
      ? "; load one at a time"
      : typeof given === "string"
      ? nearestHint(given, FACTORS, JSON.stringify)
      : "";
    throw new TypeError(
      `Cannot ${action}: expected factor to be "ecpnd" or "ecqdi", got ${describe(given)} ` +
        `(invalid_factor)${hint}`,
    );
  }
}

/**
 * Refuses options that would load a part of a release, with the filter that gives it.
 *
 * @throws {TypeError} If a span of dates or a list of tickers is given
 */
export function assertWhole(wishes: unknown): void {
  const part = Object.entries(wishes ?? {})
    .find(([name, value]) =>
      Object.hasOwn(FILTERS, name) && (name !== "tickers" || Array.isArray(value))
    );
  if (part === undefined) return;
  throw new TypeError(
    "Cannot load a part of a release: expected the whole file, which its checksum covers, got " +
      `the option ${part[0]}; filter the frame, such as scores.filter(${FILTERS[part[0]]})`,
  );
}

const FROM = 'pl.col("date").gtEq(pl.lit(new Date("2026-01-02")))';
const TO = 'pl.col("date").ltEq(pl.lit(new Date("2026-01-30")))';
const FILTERS: Readonly<Record<string, string>> = {
  from: FROM,
  start: FROM,
  to: TO,
  end: TO,
  tickers: 'pl.col("ticker").isIn(["BARL"])',
};
