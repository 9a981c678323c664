import type { Instant } from "../instant.ts";

/**
 * One request to an embedded server: an entry of its journal, or a line of the file of `serve --journal`. Contains neither keys
 * nor bodies.
 */
export interface JournalEntry {
  /** The service's id of the request. */
  readonly requestId: string;
  /** Server time of its arrival. */
  readonly at: Instant;
  /** Method. */
  readonly method: string;
  /** Request target, shortened; query values that look like keys are masked. */
  readonly target: string;
  /** Name of the account, or `null` if no key was recognised. */
  readonly account: string | null;
  /** Status of the answer. */
  readonly status: number;
  /** Error code of the answer, or `null`. */
  readonly code: string | null;
  /** Id of the score set, or checksum of the release, that was answered; `null` for another answer. */
  readonly serves: string | null;
  /** Request allowances spent: 0 or 1. */
  readonly spentRequests: number;
  /** Download allowances spent: 0 or 1. */
  readonly spentDownloads: number;
  /** Body bytes passed to the transport. */
  readonly sentBytes: number;
  /** True if the whole answer was passed on. */
  readonly complete: boolean;
  /** Real time from arrival to the end of the delivery. */
  readonly durationMs: number;
  /** Reason of a refusal, including near misses; `null` if there is none. */
  readonly note: string | null;
  /** Kinds of the applied faults. */
  readonly faults: readonly string[];
  /** Fault of the client, if any. */
  readonly complaints: readonly string[];
}
