import type { KeyEnvironment } from "../../base/contract/key.ts";
import type { Account, Grant } from "../account/accounts.ts";
import type { AdmittedRequest, Quotas } from "../account/quota_gate.ts";
import type { ScoreContents } from "../catalogue/catalogue_contents.ts";
import type { ApiRequest, HandlerReply } from "../message/message.ts";
import type { ServerClock } from "../timeline/clock.ts";
import type { CheckEngine } from "../engine/check_engine.ts";
import type { FaultPlan } from "../faults/fault_plan.ts";
import type { ReplyWriter } from "./reply_writer.ts";
import type { ScoreRepresentations } from "../catalogue/score_representations.ts";
import type { Endpoint } from "../../base/contract/http/endpoint.ts";
import type { KeyRing } from "../account/authenticate.ts";
import type { Factor } from "../../base/contract/factor.ts";

/** Parts of a server that process a request. */
export interface PipelineParts {
  /** Current keys and licences. */
  readonly access: Access;
  /** Contents for an admitted request. */
  readonly contents: (account: Account, admission: AdmittedRequest) => ScoreContents;
  /**
   * Answers of pages beside the API, which spend nothing; `null` for other paths.
   *
   * @throws {Refusal} If the page is not for this request
   */
  readonly page: (path: string, request: ApiRequest) => Promise<HandlerReply> | null;
  /** Prepared score bodies. */
  readonly representations: ScoreRepresentations;
  /** Budgets and concurrency. */
  readonly quotas: Quotas;
  /** Completes the hourly checks, or `null` if the store is served as it is. */
  readonly engine: CheckEngine | null;
  /** Injected faults. */
  readonly faults: FaultPlan;
  /** Server time. */
  readonly clock: ServerClock;
  /** Creates replies. */
  readonly writer: ReplyWriter;
  /** Environment of valid keys; `null` for both. */
  readonly environment: KeyEnvironment | null;
  /** Server-side deadline of one request. */
  readonly requestDeadlineMs: number;
}

/** Keys and licences for admitting requests. */
export interface Access extends KeyRing {
  /**
   * The grant with current licences, if they have to be requested first; `null` if the grant has them.
   *
   * @throws {Refusal} If they are unknown
   */
  renew(grant: Grant, endpoint: Endpoint): Promise<Grant> | null;
}

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
