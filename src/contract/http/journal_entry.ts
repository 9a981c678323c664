import type { Instant } from "../instant.ts";

/** One request as an embedded server saw it: an entry of its journal, or a line of the file of `serve --journal`. No key and no body is in it. */
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
  /** Status that was answered. */
  readonly status: number;
  /** Error code that was answered, or `null`. */
  readonly code: string | null;
  /** Request allowances spent: 0 or 1. */
  readonly spentRequests: number;
  /** Download allowances spent: 0 or 1. */
  readonly spentDownloads: number;
  /** Body bytes handed to the transport. */
  readonly sentBytes: number;
  /** True if all of the answer was handed over. */
  readonly complete: boolean;
  /** Real time from arrival to the end of the delivery. */
  readonly durationMs: number;
  /** Why it was refused, near misses included; `null` if there is nothing to say. */
  readonly note: string | null;
  /** Kinds of the injected faults that struck it. */
  readonly faults: readonly string[];
  /** Fault of the client, if any. */
  readonly complaints: readonly string[];
}
