import type { KeyEnvironment } from "../../base/contract/key.ts";
import type { Account } from "../account/accounts.ts";
import type { AdmittedRequest, Quotas } from "../account/quotas.ts";
import type { ScoreContents } from "../catalogue/score_contents.ts";
import type { Access } from "./access.ts";
import type { HandlerReply } from "../message/handler_reply.ts";
import type { ApiRequest } from "../message/message.ts";
import type { ServerClock } from "../timeline/clock.ts";
import type { CheckEngine } from "../engine/check_engine.ts";
import type { FaultPlan } from "../faults/fault_plan.ts";
import type { ReplyWriter } from "./reply_writer.ts";
import type { ScoreRepresentations } from "../catalogue/score_representations.ts";

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
