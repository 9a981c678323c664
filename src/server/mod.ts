/**
 * An embedded server that implements the whole Research Factor Score API over a local store.
 *
 * @module
 */

export { createScoreServer, ScoreServer } from "./score_server.ts";
export type { ListenOptions, ScoreListener, ScoreServerOptions } from "./score_server.ts";
export type { AccountLimits, AccountSpec, KeySpec, LicenceSpec } from "./accounts.ts";
export type { Endpoint, EndpointId, Scope } from "../contract/endpoint.ts";
export type { KeyEnvironment } from "../contract/key.ts";
export type { CompletedCheck } from "../store/complete_check.ts";
export type { ServerTimes } from "./server_times.ts";
export type { FrontTimes } from "./front/front_times.ts";
export { ServerClock } from "./clock.ts";
export { FaultPlan } from "./faults/fault_plan.ts";
export type { FaultCandidate } from "./faults/fault_plan.ts";
export type {
  ContentLengthFault,
  CorruptFault,
  CutFault,
  DribbleFault,
  FaultRule,
  FaultTarget,
  HeadersFault,
  LatencyFault,
  ProxyPageFault,
  ReleaseSwappedFault,
  ResetFault,
  RowsFault,
  StatusFault,
  UnknownStatusFault,
} from "./faults/fault_rule.ts";
export { Journal } from "./journal/journal.ts";
export type { JournalOptions } from "./journal/journal.ts";
export type { JournalEntry } from "./journal/journal_entry.ts";
export { publishScores } from "./engine/publish_scores.ts";
export type { OwnScores } from "./engine/publish_scores.ts";
export { repeatLastCheck } from "./engine/repeat_last_check.ts";
export type {
  BacklogEvent,
  CorrectionEvent,
  KeyRevokedEvent,
  LicenceEvent,
  NoFirstSetEvent,
  OutageEvent,
  PartialPricesEvent,
  ReleaseEvent,
  SourceDelayEvent,
  Span,
  TimelineEvent,
} from "./timeline/timeline_event.ts";
export { parseAccounts } from "./config/parse_accounts.ts";
export { parseScenario } from "./config/parse_scenario.ts";
export type { Scenario } from "./config/parse_scenario.ts";
