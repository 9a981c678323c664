import type { LazyDataFrame } from "nodejs-polars";
import type { Factor } from "../base/contract/factor.ts";
import type { FactorEntry } from "../base/contract/factor_list.ts";
import type { ScoreSet } from "../base/contract/scores/score_set.ts";
import { type EventColumns, toEventFrame } from "../frames/frame/event_frame.ts";
import type { FactorListColumns } from "../frames/frame/factor_frame.ts";
import type { PanelColumns, PanelEntry, PanelLayout } from "../frames/frame/panel_frame.ts";
import type { ProvenanceChoice } from "../frames/frame/provenance/provenance_schema.ts";
import type { PublicationColumns } from "../frames/frame/publications_frame.ts";
import type { ReleaseFrameColumns, TickerLayout } from "../frames/frame/release/release_frame.ts";
import type { ReleaseListColumns } from "../frames/frame/release/releases_frame.ts";
import type { ScoreColumns } from "../frames/frame/score_frame.ts";
import type { TypedFrame } from "../frames/frame/typed/typed_frame.ts";
import type { StoredRelease } from "../base/store/release/release_file.ts";
import type { ExchangeOptions } from "./transport/exchange.ts";
import { Allowance, allowancePromise, type BudgetLeft } from "./cost/allowance.ts";
import { displayAs } from "../frames/notebook/display_as.ts";
import type { HistoryFrame, HistoryLoader, VerifiedRelease } from "./release/history_loader.ts";
import type { HistoryOptions } from "./release/history_options.ts";
import { Help, type HelpTopic } from "./help/help.ts";
import { loadFactors } from "./load_factors.ts";
import type { SessionRange } from "./scores/decision_times.ts";
import type { PanelOptions, PanelShapeOf } from "./scores/load_panel.ts";
import type { LoadPlan } from "./cost/load_plan.ts";
import { LoadPromise, typedLoad } from "./verb/load_promise.ts";
import type { PublicationsOptions } from "./scores/load_publications.ts";
import { loadScores } from "./scores/load_scores.ts";
import type { PlannedLoad } from "./cost/plan_load.ts";
import type { ScoresOptions } from "./scores/scores_options.ts";
import type { ConnectionContext } from "./verb/connection_context.ts";
import { type WatchOptions, watchPublications } from "./scores/watch_publications.ts";
import { groupThousands } from "../base/wording/group_thousands.ts";
import { tableView, type TextTable } from "./verb/table.ts";
import { refuseOtherNames } from "./verb/other_names.ts";

/**
 * A connection to the service for one account: the loading verbs and the remaining allowance.
 *
 * Every verb takes `signal`, `timeoutMs`, `deadlineMs`, `maxRetries`, `maxWaitMs` and `reserve`, which apply to that call.
 * Every answer is stored before it becomes a frame. Created by {@link connect}.
 */
export class FactorApi {
  static {
    displayAs(FactorApi, (shown) => tableView(() => connectionTable(shown.#context)));
    refuseOtherNames(FactorApi.prototype);
  }

  readonly #context: ConnectionContext;
  #history: Promise<HistoryLoader> | undefined;
  readonly #close: (settle: () => Promise<void>) => Promise<void>;

  /**
   * Called by `connect()` with the state that the verbs share, and a function that ends requests in flight and then, once
   * writes have settled, closes the store.
   *
   * @ignore
   */
  constructor(context: ConnectionContext, close: (settle: () => Promise<void>) => Promise<void>) {
    this.#context = context;
    this.#close = close;
  }

  /**
   * Loads the list of factors that the account may load.
   *
   * One row per factor. Columns (all Utf8): `factor`, `score_name`, `factor_version`, `meaning`, `scores`, `history`. Costs one
   * request; the list is never stored.
   *
   * @param options Deadlines, retries and the signal of this call
   * @returns The list (factors × 6)
   * @throws {AccessError} If the key is refused or the account has no active subscription
   * @see API document, sections 2.1 and 4.2
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * if ((await api.factors()).height !== 2) throw new Error("two factors expected");
   * await api.close();
   * ```
   */
  factors(
    options: ExchangeOptions = {},
  ): LoadPromise<TypedFrame<FactorListColumns>, readonly FactorEntry[]> {
    return new LoadPromise(loadFactors(this.#context, options));
  }

  /**
   * Loads a complete score set: the latest check, the check as of an instant, or a published set by its id.
   *
   * One row per ticker, in the order of the set. Columns: `ticker` (Utf8); the score, `ecpnd_score` or `ecqdi_score`
   * (Float64 in [0, 1]; null: no eligible value; 0 is a valid score); then, equal in all rows, `factor`,
   * `factor_version`, `universe`, `snapshot_id`, `calculated_at`, `last_checked_at`, `data_through`, `status`,
   * `prices_through` (Date), `source` (live, embedded or store; synthetic or not) and `retrieved_at`. Instants are
   * Datetime in milliseconds, UTC.
   *
   * Costs one request, which is conditional for the latest view; a view at an instant that the store proves, or a set whose
   * publication it holds, costs none. A 304 returns the stored rows.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options View, rows, columns, freshness
   * @returns The scores (tickers × 13)
   * @throws {ContractError} If the answer breaks the API document
   * @throws {TypeError} If an option is unknown or of another kind; a {@link RangeError} if its value is out of range
   * @throws {AccessError} If the key or the licence does not permit it
   * @throws {NotFoundError} If there is no such ticker or set, or no check by that time
   * @throws {WaitError} If the service or the account's budgets require a longer wait than allowed
   * @throws {TransportError} If no usable answer arrived
   * @throws {IntegrityError} If the numbers differ from those of the same set in the store
   * @throws {ScoreframeError} If the check is older than required
   * @see API document, sections 2.2, 3 and 4.3
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * const latest = await api.scores("ecpnd");
   * const earlier = await api.scores("ecpnd", { at: "2026-11-19T15:00:00Z" });
   * if (!latest.columns.includes("snapshot_id")) throw new Error("provenance expected");
   * if (earlier.height === 0) throw new Error("rows expected");
   * await api.close();
   * ```
   */
  scores<Name extends Factor, const Choice extends ProvenanceChoice = true>(
    factor: Name,
    options: ScoresOptions<Choice> = {},
  ): LoadPromise<TypedFrame<ScoreColumns<Name, Choice>>, ScoreSet> {
    return typedLoad(loadScores(this.#context, factor, options));
  }

  /**
   * Loads the reconstructed history release of a factor: one row per session and ticker, with every row verified.
   *
   * Columns: `date` (Date, the US market session); `ticker` (Utf8; `tickers: "categorical"` takes a quarter of the memory, but
   * joins only with Categorical); the score, `ecpnd_score` or `ecqdi_score` (Float64 in [0, 1]; null: no value; 0 is a valid
   * score); then, equal in all rows and using almost no memory, `factor`, `factor_version`, `universe`, `download_sha256`,
   * `availability`, `source` and `retrieved_at`. Rows keep the order of the file.
   *
   * The first load of a release costs three requests (metadata, HEAD, file), the last of which is a download; a later one costs
   * one request, and with `offline` none. A large release is also kept as Parquet beside the original, so that later loads take
   * a fraction of the time; `lazy` returns a lazy frame over that file, with tickers as text.
   *
   * Checksum, every line, and the counts of the metadata are checked before the frame is returned; `withResponse()` returns the
   * report. The release is a reconstruction, not a record of what was published on those days; {@link assertOneVintage} refuses
   * a frame that mixes the two.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options Release, columns, largest number of downloads
   * @returns The release (rows × 10)
   * @throws {IntegrityError} If the file differs from its metadata; the `cause` is the report
   * @throws {ContractError} If the metadata breaks the API document
   * @throws {TypeError} If an option is unknown or of another kind; a {@link RangeError} if its value is out of range
   * @throws {AccessError} If the key or the licence does not permit it
   * @throws {NotFoundError} If the store lacks the release that `offline` or `downloadSha256` requires
   * @throws {WaitError} If the day's downloads are spent, or the service requires a longer wait than allowed
   * @throws {TransportError} If the transfer failed or took too long; the message states the cost
   * @see API document, sections 2.5, 2.6 and 4.4 to 4.6
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * if ((await api.history("ecqdi")).columns[0] !== "date") throw new Error("a date column expected");
   * await api.close();
   * ```
   */
  history(
    factor: Factor,
    options: HistoryOptions & { readonly lazy: true },
  ): LoadPromise<LazyDataFrame, VerifiedRelease>;
  /** Loads the release as a frame in memory. */
  history<
    Name extends Factor,
    const Choice extends ProvenanceChoice = true,
    Layout extends TickerLayout = "text",
  >(
    factor: Name,
    options?: HistoryOptions<Choice, Layout> & { readonly lazy?: false },
  ): LoadPromise<TypedFrame<ReleaseFrameColumns<Name, Choice, Layout>>, VerifiedRelease>;
  history(
    factor: Factor,
    options: HistoryOptions = {},
  ): LoadPromise<HistoryFrame, VerifiedRelease> {
    // Loaded on demand: score sets need neither threads nor inflating.
    this.#history ??= import("./release/history_loader.ts").then((m) =>
      new m.HistoryLoader(this.#context)
    );
    return new LoadPromise(this.#history.then((loader) => loader.load(factor, options)));
  }

  /**
   * Lists the releases of a factor in the store, the last received first. Sends nothing.
   *
   * One row per release. Columns: `factor`, `download_sha256`, `factor_version`, `universe`, `availability`, `first_session`,
   * `last_session` (Date), `sessions`, `tickers`, `row_count` (Int32), `size_bytes` (Float64), `retrieved_at`, `path`. Facts
   * that the metadata does not state are null. To load one of them, pass its `downloadSha256` to `history()`.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @returns The releases (releases × 13)
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * await api.history("ecpnd");
   * if ((await api.releases("ecpnd")).height === 0) throw new Error("a release expected");
   * await api.close();
   * ```
   */
  releases(factor: Factor): LoadPromise<TypedFrame<ReleaseListColumns>, readonly StoredRelease[]> {
    const listing = import("./release/stored_releases.ts");
    return new LoadPromise(listing.then((m) => m.listReleases(this.#context, factor)));
  }

  /**
   * Lists every set published in an interval, newest first, and keeps the sets in the store.
   *
   * One row per set. Columns: `factor`, `snapshot_id`, `calculated_at` (publication), `superseded_at` (null if no later set is
   * known), `factor_version`, `universe`, `tickers`, `scored` (Int32), then, of the last known check of the set,
   * `last_checked_at`, `data_through`, `status`, `prices_through`, and `source`, `retrieved_at`.
   *
   * Costs one request for each set that the store does not prove, and at most two that prove that there is no earlier one.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options The interval, both ends inclusive
   * @returns The publications (sets × 14)
   * @throws {RangeError} If `to` is before `from`, `from` is in the future, or an instant is malformed
   * @throws {NotFoundError} If nothing was published by `to`, or the list cannot be proved complete
   * @see API document, sections 1 and 4.3
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * const published = await api.publications("ecpnd", { from: "2026-11-20T00:00:00Z" });
   * if (!published.columns.includes("superseded_at")) throw new Error("unexpected columns");
   * await api.close();
   * ```
   */
  publications(
    factor: Factor,
    options: PublicationsOptions,
  ): LoadPromise<TypedFrame<PublicationColumns>, readonly ScoreSet[]> {
    const loading = import("./scores/load_publications.ts").then((m) => m.loadPublications);
    return new LoadPromise(loading.then((load) => load(this.#context, factor, options)));
  }

  /**
   * Loads scores as of many decision times in one frame, with as few requests as possible.
   *
   * Long: one row per time, factor and ticker; columns `at`, `ticker`, the score (named `score` for several factors) and
   * provenance, with the columns of a check only for `every: "check"`. With `sessions` the times are their closes plus
   * `delayMs`, and `date` (Date) is the first column, for joining with prices. Wide: one row per time and ticker; columns `at`,
   * `ticker`, the scores, per factor `<factor>_snapshot_id` and `<factor>_source`; null if a set lacks the ticker.
   *
   * Costs at most one request for each distinct set behind the times (with `every: "check"` for each distinct check), and none
   * for views that the store proves. A repeated call continues an interrupted panel. Factors, and times separated by a set that
   * the store proves, are requested in parallel, at most four requests at once; the rest one after another, because only the
   * answer shows which times share a set.
   *
   * @param factors One factor or several
   * @param options Decision times and layout
   * @returns The panel
   * @throws {RangeError} If a session has not closed yet by the service's clock
   * @throws {NotFoundError} If a time is before the first publication
   * @throws {WaitError} If the day's requests do not suffice; everything received is kept
   * @see API document, sections 1 and 4.3
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * const at = ["2026-11-18T21:00:00Z", "2026-11-19T21:00:00Z"];
   * const panel = await api.panel(["ecpnd", "ecqdi"], { at, layout: "wide" });
   * if (panel.columns[2] !== "ecpnd_score") throw new Error("unexpected columns");
   * await api.close();
   * ```
   */
  panel<
    const Factors extends Factor | readonly Factor[],
    Layout extends PanelLayout = "long",
    Every extends "set" | "check" = "set",
    const Choice extends ProvenanceChoice = true,
    Range extends SessionRange | undefined = undefined,
  >(factors: Factors, options: PanelOptions<Layout, Every, Choice, Range>): LoadPromise<
    TypedFrame<PanelColumns<Factors, PanelShapeOf<Layout, Every, Choice, Range>>>,
    readonly PanelEntry[]
  > {
    const loading = import("./scores/load_panel.ts");
    return typedLoad(loading.then((m) => m.loadPanel(this.#context, factors, options)));
  }

  /**
   * Watches for new publications: an async iterator of frames like those of {@link FactorApi.scores}.
   *
   * Sends a conditional request when a check is due, and ends without an error when `signal` is aborted. After a pause of the
   * machine only the newest set is yielded; {@link FactorApi.publications} lists those in between. Costs one request an hour,
   * and leaves `reserve` requests of the day to others.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options Timing of requests, and the signal that ends the watch
   * @throws {WaitError} If the day's requests are spent down to the reserve
   * @see API document, section 1
   */
  watch<Name extends Factor, const Choice extends ProvenanceChoice = true>(
    factor: Name,
    options: WatchOptions<Choice> = {},
  ): AsyncGenerator<TypedFrame<ScoreColumns<Name, Choice>>, void, void> {
    return watchPublications<ScoreColumns<Name, Choice>>(this.#context, factor, options);
  }

  /**
   * Estimates the cost of a load before it is made. Sends nothing.
   *
   * @param load The verb with its arguments
   * @returns Requests and downloads needed, and the remaining allowance
   */
  async plan(load: PlannedLoad): Promise<LoadPlan> {
    return await (await import("./cost/plan_load.ts")).planLoad(this.#context, load);
  }

  /** Remaining allowance of the account, as known to this machine. Sends nothing. */
  allowance(): Promise<Allowance> {
    return allowancePromise(() =>
      new Allowance(this.#context.ledger.read(), this.#context.clock.now())
    );
  }

  /**
   * The last thousand attempts of this connection, oldest first.
   *
   * Columns: `at`, `method`, `path`, `attempt`, `status`, `problem`, `request_id`, `duration_ms`, `body_bytes`.
   */
  log(): TypedFrame<EventColumns> {
    return toEventFrame(this.#context.log.list());
  }

  /**
   * Shows the documentation of a verb or a function of any entry point, with its options and its result; without a topic, lists
   * all of them. For notebooks, whose kernel shows no documentation. Sends nothing.
   *
   * @param topic `panel`, `tearSheet`, `FactorAnalysis` and so on, or a function itself
   * @throws {TypeError} If it is neither a name nor a function
   * @throws {RangeError} If no entry has that name
   * @example
   * ```ts
   * import { demo } from "scoreframe";
   * const api = await demo();
   * if (!String(api.help("panel")).includes("every?")) throw new Error("options expected");
   * await api.close();
   * ```
   */
  help(topic?: HelpTopic): Help {
    return new Help(topic);
  }

  /** Folder of the connection's store. */
  get store(): string {
    return this.#context.store.path;
  }

  /** Ends requests in flight, closes connections and ledger, and removes a temporary store. */
  async close(): Promise<void> {
    await this.#close(async () => await (await this.#history)?.settle());
  }

  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Display of a connection as a small table: the service's address, a hint of the key, the store, and the remaining allowance.
 * Never contains the key.
 */
function connectionTable(context: ConnectionContext): TextTable {
  const { exchange, keyHint, store, isOffline, about = [] } = context;
  const mode = isOffline ? [["offline", "nothing is sent; answers come from the store"]] : [];
  return {
    title: "Connection",
    header: ["service", exchange.origin],
    rows: [["key", keyHint], ["store", store.path], ...mode, ...about, ...allowanceRows(context)],
    notes: [],
  };
}

function allowanceRows({ ledger, clock }: ConnectionContext): readonly (readonly string[])[] {
  try {
    const { minute, day, download } = new Allowance(ledger.read(), clock.now());
    return [
      ["requests left this minute", leftOf(minute)],
      ["requests left today", leftOf(day)],
      ["downloads left today", leftOf(download)],
    ];
  } catch {
    // A closed connection has no ledger; a display that throws would hide the rest.
    return [["allowance", "unknown: the connection is closed"]];
  }
}

function leftOf({ remaining, limit }: BudgetLeft): string {
  return `${groupThousands(remaining)} of ${groupThousands(limit)}`;
}
