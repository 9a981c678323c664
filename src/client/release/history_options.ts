import { type Factor, parseFactor } from "../../contract/factor.ts";
import { describe } from "../../contract/violation.ts";
import type { ProvenanceChoice } from "../../frame/provenance/provenance_schema.ts";
import type { ReleaseFrameOptions, TickerLayout } from "../../frame/release/release_frame.ts";
import type { ExchangeOptions } from "../../transport/exchange.ts";
import { EXCHANGE_RULES } from "../../transport/exchange_rules.ts";
import {
  AMOUNT,
  FLAG,
  oneOf,
  type OptionRules,
  PROVENANCE,
  TEXT,
} from "../../arguments/check_options.ts";

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
   * Gives a lazy frame over a Parquet file beside the release, into which filters on `date` and `ticker` are pushed
   * down; its tickers are text. The first load of a release reads it into memory once, to check it and write that file,
   * which takes twice the memory of its frame (35 bytes a row); later ones take none.
   *
   * @default false
   */
  readonly lazy?: boolean;
  /**
   * Loads the release with this checksum; one that the store keeps costs nothing, however old it is.
   *
   * @default the release that the service offers now
   */
  readonly downloadSha256?: string;
  /**
   * Largest number of downloads that the call may spend: a second one is needed only if the service changes the release while the
   * first is under way, and then changes it again. With 0 a release that the store does not have is an error.
   *
   * @default 2
   */
  readonly maxDownloads?: number;
  /**
   * True if a download shows its progress in a notebook or a terminal.
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
 * Reads the factor that a caller gave.
 *
 * @param action Action, worded to follow "Cannot"
 * @throws {TypeError} If it is none
 */
export function readFactor(given: string, action: string): Factor {
  try {
    return parseFactor(given);
  } catch {
    const several = Array.isArray(given) ? "; load one at a time" : "";
    throw new TypeError(
      `Cannot ${action}: expected factor to be "ecpnd" or "ecqdi", got ${
        describe(given)
      } (invalid_factor)${several}`,
    );
  }
}
