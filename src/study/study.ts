import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Allowance } from "../client/cost/allowance.ts";
import type { LoadPlan } from "../client/cost/load_plan.ts";
import type { PlannedLoad } from "../client/cost/plan_load.ts";
import type { FactorApi } from "../client/factor_api.ts";
import { Help } from "../client/help/help.ts";
import type { HistoryFrame, VerifiedRelease } from "../client/release/history_loader.ts";
import type { HistoryOptions } from "../client/release/history_options.ts";
import type { PanelOptions } from "../client/scores/load_panel.ts";
import type { PublicationsOptions } from "../client/scores/load_publications.ts";
import type { ScoresOptions } from "../client/scores/scores_options.ts";
import { type Loaded, LoadPromise } from "../client/verb/load_promise.ts";
import type { Factor } from "../contract/factor.ts";
import type { FactorEntry } from "../contract/factor_list.ts";
import type { Instant } from "../contract/instant.ts";
import type { ScoreSet } from "../contract/scores/score_set.ts";
import { ScoreframeError } from "../errors.ts";
import { toEventFrame } from "../frame/event_frame.ts";
import type { PanelEntry } from "../frame/panel_frame.ts";
import type { StoredRelease } from "../store/release/release_file.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import type { StudyLock } from "./lock/lock.ts";
import { studyMethods } from "./methods/study_methods.ts";
import type { StudyMode } from "./study_options.ts";
import type { StudyPlace } from "./study_place.ts";
import { StudyView } from "./study_view.ts";
import { LockedNumbers } from "./verbs/assert_as_locked.ts";
import type { StudyContext } from "./verbs/study_context.ts";
import { commandLine } from "../runtime/command_line.ts";

/**
 * A study: a folder with a store and a lock, and the verbs of a connection at the study's time.
 *
 * What the lock has is replayed by the ordinary client over the store, with a sender that refuses, and compared with the
 * lock; anything else is loaded and added, or in a frozen study refused. Made by {@link openStudy}.
 */
export class Study extends StudyView implements
  // What a notebook calls on a connection, it calls on a study.

  Pick<
    FactorApi,
    | "factors"
    | "scores"
    | "history"
    | "releases"
    | "publications"
    | "panel"
    | "plan"
    | "log"
    | "help"
    | "store"
    | "close"
  > {
  readonly #place: StudyPlace;
  readonly #context: StudyContext;
  readonly #repinned = new Set<string>();

  /**
   * Made by `openStudy()`.
   *
   * @param place Folder, lock and connections of the study
   */
  constructor(place: StudyPlace) {
    super(place);
    this.#place = place;
    this.#context = { place, numbers: new LockedNumbers() };
  }

  /** The study's time: nothing in it knows more. `null` before the first load of a new study without `asOf`. */
  get asOf(): Instant | null {
    return this.#place.lock?.asOf ?? null;
  }

  /** Whether it may load. */
  get mode(): StudyMode {
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

  /** What it stands on, as far as this process knows; `null` before the first load. */
  get lock(): StudyLock | null {
    return this.#place.lock;
  }

  /**
   * The factors: of a frozen study those that its lock knows, because the list is never stored (section 4.1); else those
   * that the account may load, for one request.
   *
   * One row per factor, with the columns of {@link FactorApi.factors}.
   *
   * @param options Deadlines, retries and the signal of this call
   * @throws {ScoreframeError} If a frozen study has no lock
   */
  factors(options: ExchangeOptions = {}): LoadPromise<DataFrame, readonly FactorEntry[]> {
    return new LoadPromise(this.#factors(options));
  }

  /**
   * Loads a score set: that of the study's time, of an earlier instant, or by its id.
   *
   * Rows and columns are those of {@link FactorApi.scores}; of a replay `source` is `store`, and nothing else differs.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options Which view, which rows, which columns, how fresh
   * @throws {ScoreframeError} If it would look ahead of the study's time, or the study is frozen and does not have it
   * @throws {IntegrityError} If the store does not have what the lock says
   */
  scores(factor: Factor, options: ScoresOptions = {}): LoadPromise<DataFrame, ScoreSet> {
    const loading = () => import("./verbs/study_scores.ts");
    return this.#load(loading, (verb) => verb.loadStudyScores(this.#context, factor, options));
  }

  /**
   * Loads the history release that the study is pinned to: that which the service offered at the first load.
   *
   * Rows and columns are those of {@link FactorApi.history}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options Which release, which columns, how many downloads at most
   * @throws {ScoreframeError} If the release has sessions after the study's time, or the study is frozen and has none
   */
  history(
    factor: Factor,
    options: HistoryOptions & { readonly lazy: true },
  ): LoadPromise<LazyDataFrame, VerifiedRelease>;
  /** Loads the release as a frame that is in memory. */
  history(
    factor: Factor,
    options?: HistoryOptions & { readonly lazy?: false },
  ): LoadPromise<DataFrame, VerifiedRelease>;
  history(
    factor: Factor,
    options: HistoryOptions = {},
  ): LoadPromise<HistoryFrame, VerifiedRelease> {
    const isAnew = this.mode === "update" && !this.#repinned.has(factor);
    return this.#load(() => import("./verbs/study_history.ts"), async (verb) => {
      const loaded = await verb.loadStudyHistory(this.#context, factor, options, isAnew);
      this.#repinned.add(factor);
      return loaded;
    });
  }

  /**
   * Lists the sets published in an interval that ends at the study's time, unless `to` names an earlier one.
   *
   * Rows and columns are those of {@link FactorApi.publications}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @param options The interval, both ends inclusive
   * @throws {ScoreframeError} If `to` is after the study's time, or the study is frozen and does not have the list
   */
  publications(
    factor: Factor,
    options: PublicationsOptions,
  ): LoadPromise<DataFrame, readonly ScoreSet[]> {
    const loading = () => import("./verbs/study_publications.ts");
    return this.#load(
      loading,
      (verb) => verb.loadStudyPublications(this.#context, factor, options),
    );
  }

  /**
   * Loads scores as of many decision times, none of them after the study's.
   *
   * Rows and columns are those of {@link FactorApi.panel}.
   *
   * @param factors One factor or several
   * @param options The decision times, and what the rows are
   * @throws {ScoreframeError} If a time is after the study's, or the study is frozen and lacks one
   */
  panel(
    factors: Factor | readonly Factor[],
    options: PanelOptions,
  ): LoadPromise<DataFrame, readonly PanelEntry[]> {
    const loading = () => import("./verbs/study_panel.ts");
    return this.#load(loading, (verb) => verb.loadStudyPanel(this.#context, factors, options));
  }

  /**
   * Lists the releases of a factor that the study stands on. Sends nothing.
   *
   * Rows and columns are those of {@link FactorApi.releases}.
   *
   * @param factor `ecpnd` or `ecqdi`
   * @throws {ScoreframeError} If a frozen study has no lock
   */
  releases(factor: Factor): LoadPromise<DataFrame, readonly StoredRelease[]> {
    const listing = import("./verbs/study_releases.ts");
    return new LoadPromise(listing.then((m) => m.listStudyReleases(this.#context, factor)));
  }

  /**
   * Tells what a load will cost: nothing, where the lock has it. Sends nothing.
   *
   * @param load The verb with its arguments
   * @throws {ScoreframeError} If it would look ahead of the study's time, or the study is frozen and does not have it
   */
  async plan(load: PlannedLoad): Promise<LoadPlan> {
    return await (await import("./verbs/study_plan.ts")).planStudyLoad(this.#context, load);
  }

  /**
   * What the account may still spend, as far as this machine knows. Sends nothing.
   *
   * A promise, unlike that of a connection: a study connects when it is needed.
   *
   * @throws {ScoreframeError} If the study is frozen: it has no account
   */
  async allowance(): Promise<Allowance> {
    if (this.mode !== "frozen") return (await this.#place.live()).allowance();
    throw new ScoreframeError(
      `Cannot tell the allowance of the study ${this.folder}: expected one that may load, got a frozen one, which ` +
        "spends nothing; ask a connection, or open the study with SCOREFRAME_STUDY_MODE=auto",
    );
  }

  /**
   * The attempts of this study to load, up to the last thousand, oldest first; none while everything is replayed.
   *
   * Columns are those of {@link FactorApi.log}.
   */
  log(): DataFrame {
    return this.#place.loading?.log() ?? toEventFrame([]);
  }

  /**
   * Shows the documentation of a verb or of a function of this package; without a name the list of them.
   *
   * @param name `panel`, `history`, `show` and so on
   * @throws {RangeError} If there is neither such a verb nor such a function
   */
  help(name?: string): Help {
    return new Help(name);
  }

  /**
   * Refuses: a study stands still.
   *
   * @throws {ScoreframeError} Always, with the reason
   */
  watch(): never {
    throw new ScoreframeError(
      `Cannot watch publications in the study ${this.folder}: expected a source that goes on, got one that has a time ` +
        `and knows nothing later; use connect(), or move the study with: ${commandLine()} study update`,
    );
  }

  /**
   * Writes the data paragraph of a paper, in Markdown: factors, versions, universe, sets or releases, dates, counts,
   * missingness, what is synthetic, and how to restore it.
   *
   * @throws {ScoreframeError} If nothing was loaded yet
   */
  methods(): string {
    if (this.lock !== null) return studyMethods(this.lock);
    throw new ScoreframeError(
      `Cannot describe the study ${this.folder}: expected something that was loaded, got nothing yet; load scores or a ` +
        "history first",
    );
  }

  /** Closes its connections. */
  async close(): Promise<void> {
    await this.#place.close();
  }

  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #load<Verb, Frame, Raw>(
    load: () => Promise<Verb>,
    run: (verb: Verb) => Promise<Loaded<Frame, Raw>>,
  ): LoadPromise<Frame, Raw> {
    return new LoadPromise(this.#place.whileLoading(async () => await run(await load())));
  }

  async #factors(options: ExchangeOptions) {
    if (this.mode !== "frozen") {
      return await (await this.#place.live()).factors(options).withResponse();
    }
    const { factorsOfLock } = await import("./verbs/study_factors.ts");
    return factorsOfLock(await this.#place.refresh());
  }
}
