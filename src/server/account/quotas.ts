import type { HeaderField } from "../message/message.ts";
import type { Account } from "./accounts.ts";

/** Request for admission. */
export interface AdmissionRequest {
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
  /** True if it is a GET of the historical file, which needs a download allowance too. */
  readonly download: boolean;
}

/** An admitted request, which counts as one of the account's concurrent requests until it is freed. */
export interface AdmittedRequest {
  /** Request allowances spent. */
  readonly requestsSpent: number;
  /** Download allowances spent. */
  readonly downloadsSpent: number;
  /** Spends the download allowance: the file's GET has started (section 4.5). */
  spendDownload(): void;
  /** The budgets after this request, as headers. */
  headers(): readonly HeaderField[];
  /** Ends its concurrency; further calls have no effect. */
  free(): void;
}

/** Admits requests by the budgets and the concurrency of their accounts (section 8). */
export interface Quotas {
  /**
   * Admits a request, or refuses it and spends nothing.
   *
   * @throws {Refusal} 429 with the code of the first exceeded quota
   */
  admit(account: Account, request: AdmissionRequest): AdmittedRequest;
}
