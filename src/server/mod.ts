/**
 * An embedded server that implements the whole Research Factor Score API over a local store.
 *
 * @module
 */

import "../base/runtime/require_deno.ts";

export { createScoreServer, ScoreServer } from "./score_server.ts";
export type { ScoreServerOptions } from "./score_server.ts";
export type { ListenOptions, ScoreListener } from "./http/front.ts";
export type { AccountSpec } from "./account/accounts.ts";
export { CONTRACT_VERSION } from "../base/contract/limits.ts";
export type { ServerTimes } from "./server_times.ts";
export { ServerClock } from "./timeline/clock.ts";
export { FaultPlan, type FaultRule } from "./faults/fault_plan.ts";
export { Journal } from "./journal/journal.ts";
export type { JournalOptions } from "./journal/journal.ts";
export type { JournalEntry } from "../base/contract/http/journal_entry.ts";
export { type OwnScores, publishScores } from "./engine/made_checks.ts";
export type { TimelineEvent } from "./timeline/timeline.ts";
export type { StoredCheck } from "../base/store/scores/check_file.ts";
export type {
  CheckInput,
  CheckSource,
  CompletedCheck,
} from "../base/store/checks/complete_check.ts";
export type { StoredRelease } from "../base/store/release/release_file.ts";
export type { StoredSet } from "../base/store/scores/set_file.ts";
export { openStore } from "../base/store/open_store.ts";
export type { CheckEntry, StoredView, StoreReader } from "../base/store/store_reader.ts";
export type { StoreInfo } from "../base/store/store_info.ts";
