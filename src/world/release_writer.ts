import { createHash } from "node:crypto";
import { type Factor, scoreNameOf } from "../contract/factor.ts";
import { instantOf } from "../contract/instant.ts";
import type { Release } from "../contract/release.ts";
import type { ReleaseStaging } from "../store/release_folder.ts";
import type { Store } from "../store/store.ts";
import { ByteWriter } from "./byte_writer.ts";
import { DAY_MS, HOUR_MS } from "./civil_date.ts";
import { FileSink } from "./file_sink.ts";
import { type GzipStream, openGzip } from "./gzip_stream.ts";
import { type ReleaseWindow, releaseWindowOf } from "./release_window.ts";
import { NOT_COVERED } from "./score_state.ts";
import { UNIVERSE_LABEL, type WorldModel } from "./world_model.ts";

const NEW_LINE = 10;
const LARGE_ROWS = 1_000_000;
const AVAILABILITY =
  "Point-in-time reconstruction: the score of a session uses the calls processed and the corrections made by its close";

/** Writes the release of one factor, session by session, with bounded memory. */
export class ReleaseWriter {
  /** Span of the release. */
  readonly window: ReleaseWindow;
  readonly #factor: Factor;
  readonly #model: WorldModel;
  readonly #tickers: readonly Uint8Array[];
  readonly #seen: Uint8Array;
  readonly #writer = new ByteWriter();
  readonly #source = createHash("sha256");
  readonly #staging: ReleaseStaging;
  readonly #file: FileSink;
  readonly #gzip: GzipStream;
  readonly #counts = { sessions: 0, rows: 0, scored: 0 };

  private constructor(
    model: WorldModel,
    factor: Factor,
    place: { readonly staging: ReleaseStaging; readonly file: FileSink },
  ) {
    this.#model = model;
    this.#factor = factor;
    this.window = releaseWindowOf(model, factor);
    this.#tickers = model.members.map(({ ticker }) => new TextEncoder().encode(`,${ticker},`));
    this.#seen = new Uint8Array(model.members.length);
    this.#staging = place.staging;
    this.#file = place.file;
    const { tickers, years } = model.parameters;
    const native = tickers * years * 252 > LARGE_ROWS;
    this.#gzip = openGzip((chunk) => place.file.write(chunk), { native });
    this.#writer.bytes(new TextEncoder().encode(`date,ticker,${scoreNameOf(factor)}\n`));
  }

  /** Opens the release of a factor in a store. */
  static async open(store: Store, model: WorldModel, factor: Factor): Promise<ReleaseWriter> {
    const staging = await store.stageRelease(factor);
    return new ReleaseWriter(model, factor, { staging, file: await FileSink.open(staging.path) });
  }

  /** Appends the rows of a session, if it lies in the window; scores are in millionths. */
  async writeSession(session: number, micro: Int32Array): Promise<void> {
    if (session < this.window.firstSession || session > this.window.lastSession) return;
    const date = new TextEncoder().encode(this.#model.calendar.dateOf(session));
    const counts = this.#counts;
    counts.sessions++;
    for (let i = 0; i < micro.length; i++) {
      const score = micro[i]!;
      if (score === NOT_COVERED) continue;
      this.#seen[i] = 1;
      counts.rows++;
      this.#writer.bytes(date);
      this.#writer.bytes(this.#tickers[i]!);
      if (score >= 0) {
        counts.scored++;
        this.#writer.fraction(score);
      }
      this.#writer.code(NEW_LINE);
      if (this.#writer.isFull) await this.#flush();
    }
  }

  /** Finishes the file and makes it a release of the store. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#gzip.end();
    const file = await this.#file.close();
    const release = this.#toRelease(file.sha256);
    const availableFrom = instantOf((this.window.endDay + 3) * DAY_MS + 12 * HOUR_MS);
    await this.#staging.commit({ release, ...file, availableFrom, origin: this.#model.origin });
  }

  async #flush(): Promise<void> {
    const chunk = this.#writer.take();
    this.#source.update(chunk);
    await this.#gzip.write(chunk);
  }

  #toRelease(sha256: string): Release {
    const { calendar, parameters } = this.#model;
    const { sessions, rows, scored } = this.#counts;
    const { window } = this;
    return {
      factor: this.#factor,
      factorVersion: parameters.factorVersions[this.#factor],
      firstSession: calendar.dateOf(window.firstSession),
      lastSession: calendar.dateOf(window.lastSession),
      windowYears: parameters.years,
      windowStart: window.start,
      windowEnd: window.end,
      sessions,
      tickers: this.#seen.reduce((count, seen) => count + seen, 0),
      rows,
      scoredRows: scored,
      missingRows: rows - scored,
      availability: AVAILABILITY,
      universe: UNIVERSE_LABEL,
      download: `/v1/scores/history.csv.gz?factor=${this.#factor}`,
      downloadSha256: sha256,
      sourceSha256: this.#source.digest("hex"),
      extra: { synthetic: true, seed: parameters.seed },
    };
  }
}
