/**
 * Score sets, point-in-time views and verified history releases of the Research Factor Score API in Polars frames,
 * each row with its provenance.
 *
 * - {@link connect} and {@link demo} give a {@link FactorApi}: the verbs that load.
 * - {@link openStudy} gives the same verbs at one time, from a folder that gives the same numbers a year later.
 * - {@link provenance} and {@link assertOneVintage} read from any frame where its rows come from.
 * - {@link show} and {@link askKey} are for notebooks.
 * - Errors extend {@link ScoreframeError}; each message carries everything that is known.
 *
 * Charts of results are in `scoreframe/chart`. The embedded server is `scoreframe/server`, the synthetic service history `scoreframe/world`.
 *
 * @example Load a score set
 * ```ts
 * import { demo, show } from "scoreframe";
 *
 * const api = await demo();
 * const scores = await api.scores("ecpnd");
 * await show(scores);
 * ```
 *
 * @module
 */

import "./src/base/runtime/require_deno.ts";
import "./src/base/runtime/require_polars.ts";
import "./src/frames/frame/polars/refuse_operators.ts";
import "./src/frames/notebook/adopt_cells.ts";

export { Allowance, type BudgetLeft } from "./src/client/cost/allowance.ts";
export { compare, Comparison } from "./src/client/compare.ts";
export { connect } from "./src/client/connect.ts";
export type { ConnectOptions } from "./src/client/connect_options.ts";
export type { FactorApi } from "./src/client/factor_api.ts";
export type { ScoresOptions } from "./src/client/scores/scores_options.ts";
export { Help, help, type HelpEntry } from "./src/client/help/help.ts";
export type { HistoryFrame, VerifiedRelease } from "./src/client/release/history_loader.ts";
export type { HistoryOptions } from "./src/client/release/history_options.ts";
export type { InstantInput } from "./src/client/verb/instant_input.ts";
export type { DecisionOptions, SessionRange } from "./src/client/scores/decision_times.ts";
export type { PanelOptions } from "./src/client/scores/load_panel.ts";
export { LoadPlan } from "./src/client/cost/load_plan.ts";
export { type Loaded, LoadPromise } from "./src/client/verb/load_promise.ts";
export type { PublicationsOptions } from "./src/client/scores/load_publications.ts";
export type { PlannedLoad } from "./src/client/cost/plan_load.ts";
export { ReleaseReport } from "./src/client/release/release_report.ts";
export type { WatchOptions } from "./src/client/scores/watch_publications.ts";
export type { Check, Coverage } from "./src/base/contract/scores/check.ts";
export type { Factor } from "./src/base/contract/factor.ts";
export type { CalendarDate, Instant } from "./src/base/contract/instant.ts";
export type { Release } from "./src/base/contract/release.ts";
export type { ScoreRows } from "./src/base/contract/scores/score_rows.ts";
export type { ScoreSet } from "./src/base/contract/scores/score_set.ts";
export type { Status } from "./src/base/contract/scores/status.ts";
export { demo } from "./src/app/demo/demo.ts";
export type { DemoOptions } from "./src/app/demo/start_demo.ts";
export {
  AccessError,
  ApiError,
  ContractError,
  IntegrityError,
  NotFoundError,
  ScoreframeError,
  StorageError,
  TransportError,
  WaitError,
} from "./src/base/errors.ts";
export { asOf, type AsOfOptions } from "./src/frames/vintage/as_of/as_of.ts";
export type { DateInput } from "./src/base/arguments/time_input.ts";
export type {
  ProvenanceChoice,
  ProvenanceName,
} from "./src/frames/frame/provenance/provenance_schema.ts";
export { PriceReport } from "./src/frames/prices/price_report.ts";
export { PricesPromise, type ReportedPrices } from "./src/frames/prices/prices_promise.ts";
export { readPrices } from "./src/frames/prices/read_prices.ts";
export type { PriceFactors, ReadPricesOptions } from "./src/frames/prices/prices_options.ts";
export { sessionClose, sessions } from "./src/frames/frame/sessions/sessions.ts";
export type { KnownStudy } from "./src/frames/vintage/known_study.ts";
export { assertOneVintage } from "./src/frames/vintage/one_vintage.ts";
export type { PanelColumns, PanelLayout } from "./src/frames/frame/panel_frame.ts";
export { journalFrame } from "./src/frames/frame/journal_frame.ts";
export type { ScoreColumns } from "./src/frames/frame/score_frame.ts";
export type { ColumnsOf, ColumnTable, Schema } from "./src/frames/frame/typed/columns.ts";
export type { TableFrame } from "./src/frames/frame/typed/table_frame.ts";
export type { RowsOf, TypedFrame } from "./src/frames/frame/typed/typed_frame.ts";
export { typed } from "./src/frames/frame/typed/typed.ts";
export { provenance } from "./src/frames/vintage/provenance.ts";
export { coverage } from "./src/frames/vintage/coverage_frame.ts";
export {
  type ExportedDataset,
  type ExportOptions,
  exportRelease,
} from "./src/frames/vintage/export_release.ts";
export type { VerificationStep } from "./src/frames/frame/release_file/offence.ts";
export type {
  ReleaseFrameColumns,
  TickerLayout,
} from "./src/frames/frame/release/release_frame.ts";
export { askKey } from "./src/frames/notebook/ask_key.ts";
export type { MimeBundle } from "./src/frames/notebook/display.ts";
export type { FrameDisplayOptions } from "./src/frames/notebook/frame/frame_bundle.ts";
export { interruptible, sleep } from "./src/frames/notebook/kernel/interruptible.ts";
export { show } from "./src/frames/notebook/show.ts";
export type { Clock } from "./src/client/transport/clock.ts";
export type { Logger } from "./src/client/transport/event_log.ts";
export type { ExchangeOptions } from "./src/client/transport/exchange.ts";
export { methods } from "./src/study/methods/methods.ts";
export { openStudy } from "./src/app/demo/open_study.ts";
export { Study } from "./src/study/study.ts";
export type { HeldOut } from "./src/frames/frame/provenance/held_out.ts";
export type { RegisteredNumber } from "./src/frames/frame/registered_frame.ts";
export type { RegisterOptions } from "./src/study/register/read_plan.ts";
export type { RegisteredResult } from "./src/study/register/registered_result.ts";
export type { LockedEntry, RegisteredPlan } from "./src/study/lock/entry.ts";
export type { StudyOptions } from "./src/study/study_options.ts";
export type { StudyLock } from "./src/study/lock/lock.ts";
