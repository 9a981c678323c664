import type { Factor } from "../../base/contract/factor.ts";
import type { Account } from "../account/accounts.ts";
import type { ScoreContents } from "../catalogue/score_contents.ts";
import type { ApiRequest } from "../message/message.ts";

/** Input of a data handler: an admitted, valid and licensed request. */
export interface HandlerCall<Query> {
  /** The request. */
  readonly request: ApiRequest;
  /** Its query. */
  readonly query: Query;
  /** Its account. */
  readonly account: Account;
  /** Server time, epoch milliseconds; constant within the request. */
  readonly nowMs: number;
  /** Contents to serve. */
  readonly contents: ScoreContents;
  /** Spends the download allowance. */
  spendDownload(): void;
  /** Completes the checks of a factor up to a time; `undefined` if there is nothing to do. */
  completeChecks(factor: Factor, throughMs: number): Promise<void> | undefined;
}
