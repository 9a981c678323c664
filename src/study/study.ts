import { openStudies } from "../base/runtime/export_mark.ts";
import type { LazyDataFrame } from "nodejs-polars";
import { type Allowance, allowancePromise } from "../client/cost/allowance.ts";
import type { LoadPlan } from "../client/cost/load_plan.ts";
import type { PlannedLoad } from "../client/cost/plan_load.ts";
import type { FactorApi } from "../client/factor_api.ts";
import { Help, type HelpTopic } from "../client/help/help.ts";
import type { HistoryFrame, VerifiedRelease } from "../client/release/history_loader.ts";
import type { HistoryOptions } from "../client/release/history_options.ts";
import type { SessionRange } from "../client/scores/decision_times.ts";
import type { PanelOptions, PanelShapeOf } from "../client/scores/load_panel.ts";
import type { PublicationsOptions } from "../client/scores/load_publications.ts";
import type { ScoresOptions } from "../client/scores/scores_options.ts";
import { LoadPromise, typedLoad } from "../client/verb/load_promise.ts";
import type { Factor } from "../base/contract/factor.ts";
import type { FactorEntry } from "../base/contract/factor_list.ts";
import type { Instant } from "../base/contract/instant.ts";
import type { ScoreSet } from "../base/contract/scores/score_set.ts";
import { ScoreframeError } from "../base/errors.ts";
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
import type { ExchangeOptions } from "../client/transport/exchange.ts";
import type { StudyLock } from "./lock/lock.ts";
import { studyMethods } from "./methods/study_methods.ts";
import type { StudyPlace } from "./study_place.ts";
import { displayAs, type DisplayMethods } from "../frames/notebook/display_as.ts";
import { checkOptions, FLAG } from "../base/arguments/check_options.ts";
import { plansOf, timeLimit } from "./hold_out/time_limit.ts";
import type { HeldOut } from "../frames/frame/provenance/held_out.ts";
import type { LockedEntry } from "./lock/entry.ts";
import type { RunRegistered } from "./register/open_hold_out.ts";
import type { RegisterOptions } from "./register/read_plan.ts";
import type { RegisteredResult } from "./register/registered_result.ts";
import type { StudyContext } from "./verbs/study_context.ts";
import { commandLine } from "../base/runtime/command_line.ts";
import { type PriceWatcher, priceWatchers } from "../frames/prices/read_prices.ts";
import { countText } from "../base/wording/number_text.ts";
import { tableBundle, tableLines, type TextTable } from "../client/verb/table.ts";
import { DISPLAY, display } from "../frames/notebook/display.ts";
import { registeredLine } from "./hold_out/registered_text.ts";
import { refuseOtherNames } from "../client/verb/other_names.ts";

const SHOWN_MISSING = 3;

/**
 * A study: a folder with a store and a lock, and the verbs of a connection at the study's time.
 *
 * Loads that the lock covers are replayed from the store by the ordinary client without a network, and compared with the lock.
 * Any other load goes to the service and is added to the lock; a frozen study refuses it. Created by {@link openStudy}.
 */
export class Study implements Pick<FactorApi, keyof FactorApi> {
  static {
    displayAs(Study, (shown) => studyView(shown.#place));
    refuseOtherNames(Study.prototype);
  }

  readonly #place: StudyPlace;
  readonly #context: StudyContext;
  readonly #run: RunRegistered;
  readonly #watch: Disposable;
  readonly #repinned = new Set<string>();

  /**
   * Called by `openStudy()`.
   *
   * @param place Folder, lock and connections of the study
   * @param run Runs a registered test
   * @ignore
   */
  constructor(place: StudyPlace, run: RunRegistered) {
    this.#place = place;
    this.#run = run;
    this.#watch = announce(place);
    this.#context = { place, facts: new Map() };
  }

  /**
   * The study's time: it contains nothing that was not known by then. `null` before the first load of a new study without
   * `asOf`.
   */
  get asOf(): Instant | null {
    return this.#place.lock?.asOf ?? null;
  }

  /** The mode, which decides if it may load. */
  get mode(): "auto" | "frozen" | "update" {
    return this.#place.mode;
  }

  /** Folder of the study. */
  get folder(): string {
    return this.#place.folder;
  }

  /** Folder of its store. */
  get store(): string {
    return this.#place.storeFolder;
  }

  /** Its lock, as last read or written by this process; `null` before the first load. */
  get lock(): StudyLock | null {
    return this.#place.lock;
  }

  /**
   * Lists the factors that the account may load, for one request. A frozen study lists those in its lock, because the
   * service's list is never stored (section 4.1).
   *
   * One row per factor, with the columns of {@link FactorApi.factors}.
   *
   * @param options Deadlines, retries and the signal of this call
   * @throws {ScoreframeError} If a frozen study has no lock
   */
  factors(
    options: ExchangeOptions = {},
  ): LoadPromise<TypedFrame<FactorListColumns>, readonly FactorEntry[]> {
    return new LoadPromise((async () => {
      if (this.mode !== "frozen") {
        return await (await this.#place.live()).factors(options).withResponse();
      }
      const { factorsOfLock } = await import("./verbs/study_listings.ts");
      return factorsOfLock(await this.#place.refresh());
    })());
  }

  /**
   * Loads a score set: at the study's time, at an earlier instant, or by its id.
   *
   * Rows and columns are those of {@link FactorApi.scores}; in a replay `source` is `store`, and nothing else differs.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options View, rows, columns and freshness
   * @throws {ScoreframeError} If it would look ahead of the study's time, or the study is frozen and lacks it
   * @throws {IntegrityError} If the store differs from the lock
   */
  scores<Name extends Factor, const Choice extends ProvenanceChoice = true>(
    factor: Name,
    options: ScoresOptions<Choice> = {},
  ): LoadPromise<TypedFrame<ScoreColumns<Name, Choice>>, ScoreSet> {
    const load = async () =>
      (await import("./verbs/study_scores.ts")).loadStudyScores(this.#context, factor, options);
    return typedLoad(this.#place.whileLoading(load));
  }

  /**
   * Loads the history release that the study is pinned to, which the service offered at the first load.
   *
   * Rows and columns are those of {@link FactorApi.history}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options Release, columns and the largest number of downloads
   * @throws {ScoreframeError} If the release has sessions after the study's time, or the study is frozen and has none
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
    const isAnew = this.mode === "update" && !this.#repinned.has(factor);
    return new LoadPromise(this.#place.whileLoading(async () => {
      const { loadStudyHistory } = await import("./verbs/study_history.ts");
      const loaded = await loadStudyHistory(this.#context, factor, options, isAnew);
      this.#repinned.add(factor);
      return loaded;
    }));
  }

  /**
   * Lists the sets published in an interval, which ends at the study's time unless `to` is earlier.
   *
   * Rows and columns are those of {@link FactorApi.publications}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options The interval, both ends inclusive
   * @throws {ScoreframeError} If `to` is after the study's time, or the study is frozen and lacks the list
   */
  publications(
    factor: Factor,
    options: PublicationsOptions,
  ): LoadPromise<TypedFrame<PublicationColumns>, readonly ScoreSet[]> {
    return new LoadPromise(this.#place.whileLoading(async () => {
      const { loadStudyPublications } = await import("./verbs/study_publications.ts");
      return await loadStudyPublications(this.#context, factor, options);
    }));
  }

  /**
   * Loads scores as of many decision times, none of them after the study's.
   *
   * Rows and columns are those of {@link FactorApi.panel}.
   *
   * @param factors One factor or several
   * @param options The decision times, and the meaning of a row
   * @throws {ScoreframeError} If a time is after the study's, or the study is frozen and lacks one
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
    const load = async () =>
      (await import("./verbs/study_panel.ts")).loadStudyPanel(this.#context, factors, options);
    return typedLoad(this.#place.whileLoading(load));
  }

  /**
   * Lists the releases of a factor in the lock. Sends nothing.
   *
   * Rows and columns are those of {@link FactorApi.releases}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @throws {ScoreframeError} If a frozen study has no lock
   */
  releases(factor: Factor): LoadPromise<TypedFrame<ReleaseListColumns>, readonly StoredRelease[]> {
    const listing = import("./verbs/study_listings.ts");
    return new LoadPromise(listing.then((m) => m.listStudyReleases(this.#context, factor)));
  }

  /**
   * Estimates the cost of a load, which is zero if the lock has it. Sends nothing.
   *
   * @param load The verb with its arguments
   * @throws {ScoreframeError} If it would look ahead of the study's time, or the study is frozen and lacks it
   */
  async plan(load: PlannedLoad): Promise<LoadPlan> {
    return await (await import("./verbs/study_plan.ts")).planStudyLoad(this.#context, load);
  }

  /**
   * Remaining allowance of the account, as known to this machine. Sends nothing.
   *
   * @throws {ScoreframeError} If the study is frozen: it has no account
   */
  allowance(): Promise<Allowance> {
    return allowancePromise(async () => {
      if (this.mode !== "frozen") return await (await this.#place.live()).allowance();
      throw new ScoreframeError(
        `Cannot find the allowance of the study ${this.folder}: expected a study that may load, got a frozen one, which sends nothing; ` +
          "call allowance() of a connection, or open the study with SCOREFRAME_STUDY_MODE=auto",
      );
    });
  }

  /**
   * The last thousand requests of this study, oldest first; empty while everything is replayed.
   *
   * Columns are those of {@link FactorApi.log}.
   */
  log(): TypedFrame<EventColumns> {
    return this.#place.loading?.log() ?? toEventFrame([]);
  }

  /**
   * Shows the documentation of a verb, or of a function of any entry point; without a topic, lists all of them.
   *
   * @param topic `panel`, `tearSheet`, `FactorAnalysis` and so on, or a function itself
   * @throws {TypeError} If it is neither a name nor a function
   * @throws {RangeError} If no entry has that name
   */
  help(topic?: HelpTopic): Help {
    return new Help(topic);
  }

  /**
   * Pins a file of yours, such as prices, a map of sectors or a script: its hash is written to the lock the first time, and
   * compared from then on. `readPrices()` does the same for a file in the folder of the study. Exports include the file.
   *
   * It costs no request, except one for the study's time if it has none yet.
   *
   * @param path Path of the file, relative to the folder of the study; it has to be inside
   * @param options Permission to pin a changed file anew
   * @returns The absolute path of the file
   * @throws {IntegrityError} If the file differs from the pinned one
   * @throws {StorageError} If there is no such file
   * @throws {ScoreframeError} If it is outside of the folder, or the study is frozen and its lock lacks it
   * @example
   * ```ts ignore
   * const prices = await readPrices(await study.input("prices.parquet"));
   * ```
   */
  async input(path: string, options: { readonly repin?: boolean } = {}): Promise<string> {
    checkOptions("call input()", options, { repin: FLAG });
    const { pinInput } = await import("./inputs/pin_input.ts");
    return await pinInput(this.#place, path, options.repin === true);
  }

  /**
   * Refuses, because the time of a study does not advance.
   *
   * @throws {ScoreframeError} Always, with the reason
   */
  watch(): never {
    throw new ScoreframeError(
      `Cannot watch publications in the study ${this.folder}: expected a connection, got a study, which has a fixed time ` +
        `and contains nothing later; use connect(), or move the study with: ${commandLine()} study update`,
    );
  }

  /**
   * Writes the data paragraph of a paper, in Markdown: factors, versions, universe, sets or releases, dates, counts,
   * missing scores, a note on synthetic data, and the way to restore it.
   *
   * @throws {ScoreframeError} If nothing was loaded yet
   */
  methods(): string {
    if (this.lock !== null) return studyMethods(this.lock);
    throw new ScoreframeError(
      `Cannot describe the study ${this.folder}: expected loaded data, got none yet; load scores or a ` +
        "history first",
    );
  }

  /**
   * Registers a test before its hold-out is seen: the plan and its hash are written to the lock, dated by the service's
   * clock. From then on the verbs of the study, and `readPrices()` of files in its folder, leave out the sessions from
   * `holdOut.from` on, and refuse requests for them, until {@link Study.openHoldOut}.
   *
   * A plan that is already registered is returned unchanged, without a request; a new one costs one. Other kernels with the
   * study open apply the hold-out when they open it again.
   *
   * @param options The plan
   * @returns The entry of the lock, with its time and hash
   * @throws {ScoreframeError} If another plan has that name, or the study is frozen and lacks it
   * @throws {RangeError} If a period reaches into the hold-out
   * @throws {IntegrityError} If registered tests of the lock were edited
   * @example
   * ```ts ignore
   * await study.register({
   *   question: "Does ecpnd rank the returns of the next week?",
   *   factor: "ecpnd",
   *   horizons: [5],
   *   prices: "prices.csv",
   *   holdOut: { from: "2026-01-01" },
   * });
   * ```
   */
  async register(
    options: RegisterOptions,
  ): Promise<Extract<LockedEntry, { readonly kind: "plan" }>> {
    const { registerTest } = await import("./register/register_test.ts");
    return await this.#place.whileLoading(() => registerTest(this.#place, options));
  }

  /**
   * Runs a registered test on its hold-out, writes the result to the lock, and returns it with the in-sample one. From then on
   * the verbs of this study show the held-out sessions.
   *
   * Each call is a look, counted before any number of the hold-out is computed; further looks are not refused, and judgements
   * report their number. A frozen study repeats the last recorded look, compares its numbers, and counts nothing.
   *
   * @param name Name of the test
   * @throws {ScoreframeError} If there is no such test, or none of its sessions has closed yet
   * @throws {IntegrityError} If registered tests, prices or scores differ from the lock
   */
  async openHoldOut(name: string): Promise<RegisteredResult> {
    const { openHoldOut } = await import("./register/open_hold_out.ts");
    return await this.#place.whileLoading(() => openHoldOut(this.#context, name, this.#run));
  }

  /** The hold-out of its registered tests; `null` if there is none. */
  get heldOut(): HeldOut | null {
    const { lock, opened } = this.#place;
    return lock === null ? null : timeLimit(lock, opened).heldOut;
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    this.#watch[Symbol.dispose]();
    await this.#place.close();
  }

  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Makes `readPrices()` pin each file that it reads in the folder of a study, and omit held-out sessions, and exported files
 * name the study, until disposed of.
 */
function announce(place: StudyPlace): Disposable {
  const pin: PriceWatcher = async (path) => {
    const { inputNameIn, pinInput } = await import("./inputs/pin_input.ts");
    if (await inputNameIn(place.folder, path) === null) return null;
    await pinInput(place, path, false);
    return (await place.limit()).heldOut;
  };
  const { folder } = place;
  const mark = () => place.mark;
  priceWatchers.set(folder, pin);
  openStudies.set(folder, mark);
  const stop = () => {
    if (priceWatchers.get(folder) === pin) priceWatchers.delete(folder);
    if (openStudies.get(folder) === mark) openStudies.delete(folder);
  };
  return { [Symbol.dispose]: stop };
}

/**
 * Display of a study as a small table: time, contents and mode; in a notebook also the files that its store lacks.
 */
function studyView(place: StudyPlace): DisplayMethods {
  return {
    toString: () => tableLines(studyTable(place, [])),
    async [DISPLAY]() {
      const notes = await noteMissing(place).catch(() => []);
      return await display(tableBundle(studyTable(place, notes)));
    },
  };
}

function studyTable({ name, mode, lock }: StudyPlace, notes: readonly string[]): TextTable {
  if (lock === null) {
    return {
      title: `Study ${name}`,
      header: ["mode", mode],
      rows: [["contents", "none yet"]],
      notes,
    };
  }
  const rows = [
    ["time", lock.asOf],
    ["service", lock.service],
    ...(["sets", "views", "releases"] as const).map((list) => [list, `${lock[list].length}`]),
  ];
  const synthetic = lock.synthetic === true ? ["the numbers are synthetic"] : [];
  const tests = plansOf(lock).map((plan) => registeredLine(lock, plan));
  return {
    title: `Study ${name}`,
    header: ["mode", mode],
    rows,
    notes: [...tests, ...synthetic, ...notes],
  };
}

async function noteMissing({ lock, storeFolder }: StudyPlace): Promise<readonly string[]> {
  if (lock === null) return [];
  const { findMissingFiles } = await import("./find_missing_files.ts");
  const { currentEnvironment } = await import("./current_environment.ts");
  const missing = await findMissingFiles(lock, storeFolder);
  const { polars } = await currentEnvironment();
  const more = missing.length > SHOWN_MISSING ? " …" : "";
  const shown = missing.slice(0, SHOWN_MISSING).join(", ") + more;
  const files = countText(missing.length, "file");
  const then = lock.environment.polars;
  return [
    missing.length === 0 ? "the store is complete" : `${files} missing from its store: ${shown}`,
    ...polars === then ? [] : [`created with Polars ${then}; this process has ${polars}`],
  ];
}
