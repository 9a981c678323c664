import type { ConnectOptions } from "../../client/connect_options.ts";
import type { ServerTimes } from "../../server/server_times.ts";
import type { JournalOptions } from "../../server/journal/journal.ts";

/** Options of a relay. */
export interface RelayOptions extends
  Pick<
    ConnectOptions,
    | "apiKey"
    | "baseUrl"
    | "account"
    | "fetch"
    | "cacheDir"
    | "environment"
    | "now"
    | "sleep"
    | "random"
  > {
  /** Folder of the store, or an empty or new folder that becomes one. */
  readonly store: string;
  /** Folder of the relay's state: its users and their spending. */
  readonly state: string;
  /**
   * Longest age of an answer about the latest check, of the list of factors and of the metadata of a release.
   *
   * @default 60000
   */
  readonly latestAgeMs?: number;
  /**
   * Time for which a confirmed licence is valid.
   *
   * @default 3600000
   */
  readonly leaseMs?: number;
  /**
   * File with the key of the account, which is read again after a refusal.
   *
   * @default none: the key of `apiKey` or of the environment
   */
  readonly keyFile?: string;
  /**
   * Called with one line at each change of the state of the account, the service or the disk.
   *
   * @default nothing
   */
  readonly onState?: (line: string) => void;
  /** Options of the request journal. */
  readonly journal?: JournalOptions;
  /**
   * Deadlines; tests use shorter ones than section 8.
   *
   * @default the API document's
   */
  readonly times?: Partial<ServerTimes>;
}

/** Time after which the latest check is requested again. */
export const DEFAULT_LATEST_AGE_MS = 60_000;
/** Time for which a confirmed licence is valid. */
export const DEFAULT_LEASE_MS = 3_600_000;
