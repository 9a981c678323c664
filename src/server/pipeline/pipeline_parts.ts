import type { KeyEnvironment } from "../../contract/key.ts";
import type { AccountBook } from "../account/accounts.ts";
import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ServerClock } from "../timeline/clock.ts";
import type { CheckEngine } from "../engine/check_engine.ts";
import type { FaultPlan } from "../faults/fault_plan.ts";
import type { QuotaGate } from "../account/quota_gate.ts";
import type { ReplyWriter } from "./reply_writer.ts";
import type { ScoreRepresentations } from "../catalogue/score_representations.ts";

/** The parts of a server that a request passes through. */
export interface PipelineParts {
  /** Accounts and keys as they are now. */
  readonly accounts: () => AccountBook;
  /** What there is to serve. */
  readonly catalogue: Catalogue;
  /** Prepared score bodies. */
  readonly representations: ScoreRepresentations;
  /** Budgets and concurrency. */
  readonly quotas: QuotaGate;
  /** Completes the hourly checks, or `null` if the store is served as it is. */
  readonly engine: CheckEngine | null;
  /** Misbehaviour on purpose. */
  readonly faults: FaultPlan;
  /** Server time. */
  readonly clock: ServerClock;
  /** Makes replies. */
  readonly writer: ReplyWriter;
  /** Which keys work here. */
  readonly environment: KeyEnvironment;
  /** Server-side deadline of one request. */
  readonly requestDeadlineMs: number;
}
