import type { ReleaseFrameOptions } from "../frame/release_frame.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";

/** Which release is loaded, and how. */
export interface HistoryOptions extends ExchangeOptions, ReleaseFrameOptions {
  /**
   * Answers from the store alone: no request, no download.
   *
   * @default false
   */
  readonly offline?: boolean;
  /**
   * Gives a lazy frame over a Parquet file beside the release, into which filters on `date` and `ticker` are pushed
   * down; its tickers are text.
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
   * How many downloads the call may spend: a second one is needed only if the service changes the release while the
   * first is under way, and then changes it again.
   *
   * @default 2
   */
  readonly maxDownloads?: number;
  /**
   * Whether a download shows its progress in a notebook or a terminal.
   *
   * @default true
   */
  readonly progress?: boolean;
}
