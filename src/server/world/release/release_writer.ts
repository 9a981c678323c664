import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { ReleaseStaging } from "../../../base/store/release/release_folder.ts";
import type { Store } from "../../../base/store/store.ts";
import { DAY_MS, HOUR_MS } from "../../../base/calendar/civil_date.ts";
import { ReleaseEncoder, type ReleaseFacts, type SessionEncoder } from "./release_encoder.ts";
import { type ReleaseWindow, releaseWindowOf } from "./release_window.ts";
import { WorkerEncoder } from "./worker_encoder.ts";
import { UNIVERSE_LABEL, type WorldModel } from "../world_model.ts";

// From this size on, a thread and the platform's compressor pay off.
const LARGE_ROWS = 1_000_000;
const AVAILABILITY =
  "Point-in-time reconstruction: the score of a session uses the calls processed and the corrections made by its close";

/** Writes the release of one factor into a store, session by session. */
export class ReleaseWriter {
  /** Span of the release. */
  readonly window: ReleaseWindow;
  readonly #factor: Factor;
  readonly #model: WorldModel;
  readonly #staging: ReleaseStaging;
  readonly #encoder: SessionEncoder;

  private constructor(
    model: WorldModel,
    factor: Factor,
    parts: { readonly staging: ReleaseStaging; readonly encoder: SessionEncoder },
  ) {
    this.#model = model;
    this.#factor = factor;
    this.window = releaseWindowOf(model, factor);
    this.#staging = parts.staging;
    this.#encoder = parts.encoder;
  }

  /** Opens the release of a factor in a store. */
  static async open(store: Store, model: WorldModel, factor: Factor): Promise<ReleaseWriter> {
    const staging = await store.stageRelease(factor);
    const { tickers, years } = model.parameters;
    const native = tickers * years * 252 > LARGE_ROWS;
    const settings = {
      path: staging.path,
      header: `date,ticker,${scoreNameOf(factor)}`,
      tickers: model.members.map(({ ticker }) => ticker),
      native,
    };
    const encoder = native ? new WorkerEncoder(settings) : await ReleaseEncoder.open(settings);
    return new ReleaseWriter(model, factor, { staging, encoder });
  }

  /** Appends the rows of a session, if it lies in the window; scores are in millionths. */
  async writeSession(session: number, micro: Int32Array): Promise<void> {
    if (session < this.window.firstSession || session > this.window.lastSession) return;
    await this.#encoder.writeSession(this.#model.calendar.dateOf(session), micro);
  }

  /** Finishes the file and makes it a release of the store. */
  async finish(): Promise<void> {
    const facts = await this.#encoder.finish();
    const { sha256, sizeBytes } = facts;
    const availableFrom = instantOf((this.window.endDay + 3) * DAY_MS + 12 * HOUR_MS);
    const release = this.#toRelease(facts);
    const { origin } = this.#model;
    await this.#staging.commit({ release, sha256, sizeBytes, availableFrom, origin });
  }

  /** Removes an unfinished release. */
  async discard(): Promise<void> {
    await this.#encoder.abandon();
    await this.#staging.discard();
  }

  #toRelease(facts: ReleaseFacts): Release {
    const { calendar, parameters } = this.#model;
    const { window } = this;
    return {
      factor: this.#factor,
      factorVersion: parameters.factorVersions[this.#factor],
      firstSession: calendar.dateOf(window.firstSession),
      lastSession: calendar.dateOf(window.lastSession),
      windowYears: parameters.years,
      windowStart: window.start,
      windowEnd: window.end,
      sessions: facts.sessions,
      tickers: facts.tickers,
      rows: facts.rows,
      scoredRows: facts.scoredRows,
      missingRows: facts.rows - facts.scoredRows,
      availability: AVAILABILITY,
      universe: UNIVERSE_LABEL,
      download: `/v1/scores/history.csv.gz?factor=${this.#factor}`,
      downloadSha256: facts.sha256,
      sourceSha256: facts.sourceSha256,
      extra: { synthetic: true, seed: parameters.seed },
    };
  }
}
