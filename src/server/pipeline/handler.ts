import type { Factor } from "../../contract/factor.ts";
import type { Account } from "../account/accounts.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ApiRequest, HeaderField, ReplyBody } from "../message/message.ts";

/** What a data handler is given: an admitted, valid and licensed request. */
export interface HandlerCall<Query> {
  /** The request. */
  readonly request: ApiRequest;
  /** Its query. */
  readonly query: Query;
  /** Its account. */
  readonly account: Account;
  /** Server time, epoch milliseconds; the same for the whole request. */
  readonly nowMs: number;
  /** What there is to serve. */
  readonly catalogue: Catalogue;
  /** Spends the download allowance. */
  spendDownload(): void;
  /** Completes the checks of a factor up to a time; `undefined` when there is nothing to do. */
  completeChecks(factor: Factor, throughMs: number): Promise<void> | undefined;
}

/** What a data handler answers; the pipeline adds the common headers of section 4.1. */
export interface HandlerReply {
  /** HTTP status. */
  readonly status: 200 | 304;
  /** Headers of this endpoint. */
  readonly headers: readonly HeaderField[];
  /** Body; `null` for 304 and HEAD. */
  readonly body: ReplyBody;
}
