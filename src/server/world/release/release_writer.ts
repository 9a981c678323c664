import { Worker } from "node:worker_threads";
import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import { type CalendarDate, instantOf } from "../../../base/contract/instant.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { Store } from "../../../base/store/store.ts";
import {
  DAY_MS,
  epochDayOf,
  fromEpochDay,
  HOUR_MS,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";
import {
  ReleaseEncoder,
  type ReleaseEncoderSettings,
  type ReleaseFacts,
  type SessionEncoder,
} from "./release_encoder.ts";
import { UNIVERSE_LABEL, type WorldModel } from "../world_model.ts";
import { StorageError } from "../../../base/errors.ts";
import type { WorkerReply, WorkerRequest } from "./release_worker.ts";

// From this size on, a thread and the platform's compressor pay off.
const LARGE_ROWS = 1_000_000;
const AVAILABILITY =
  "Point-in-time reconstruction: the score of a session uses the calls processed and the corrections made by its close";

// Enough to keep the worker busy; a session of 3,000 tickers takes 12 kB.
const MOST_WAITING = 64;

// Each factor is released on its own schedule.
const MONTHS_BEFORE: Readonly<Record<Factor, number>> = { ecpnd: 0, ecqdi: 1 };
const DAYS_BEFORE_LIVE = 5;

/** A release of a store that is being written, session by session. */
export type ReleaseWriter = Awaited<ReturnType<typeof openReleaseWriter>>;

/** Opens the release of a factor in a store. */
export async function openReleaseWriter(store: Store, model: WorldModel, factor: Factor) {
  const staging = await store.stageRelease(factor);
  const { calendar, members, origin, parameters: { tickers, years } } = model;
  const window = releaseWindowOf(model, factor);
  const native = tickers * years * 252 > LARGE_ROWS;
  const settings = {
    path: staging.path,
    header: `date,ticker,${scoreNameOf(factor)}`,
    tickers: members.map(({ ticker }) => ticker),
    native,
  };
  const encoder = native ? new WorkerEncoder(settings) : await ReleaseEncoder.open(settings);
  return {
    /** Span of the release. */
    window,
    /** Appends the rows of a session, if it lies in the window; scores are in millionths. */
    async writeSession(session: number, micro: Int32Array): Promise<void> {
      if (session < window.firstSession || session > window.lastSession) return;
      await encoder.writeSession(calendar.dateOf(session), micro);
    },
    /** Finishes the file and makes it a release of the store. */
    async finish(): Promise<void> {
      const { sha256, sizeBytes, ...facts } = await encoder.finish();
      const availableFrom = instantOf((window.endDay + 3) * DAY_MS + 12 * HOUR_MS);
      const release = toRelease(model, factor, { window, downloadSha256: sha256, ...facts });
      await staging.commit({ release, sha256, sizeBytes, availableFrom, origin });
    },
    /** Removes an unfinished release. */
    async discard(): Promise<void> {
      await encoder.abandon();
      await staging.discard();
    },
  };
}

function toRelease(
  { calendar, parameters }: WorldModel,
  factor: Factor,
  { window, sessions, tickers, rows, scoredRows, downloadSha256, sourceSha256 }:
    & Omit<ReleaseFacts, "sha256" | "sizeBytes">
    & { readonly window: ReturnType<typeof releaseWindowOf>; readonly downloadSha256: string },
): Release {
  return {
    factor,
    factorVersion: parameters.factorVersions[factor],
    firstSession: calendar.dateOf(window.firstSession),
    lastSession: calendar.dateOf(window.lastSession),
    windowYears: parameters.years,
    windowStart: window.start,
    windowEnd: window.end,
    sessions,
    tickers,
    rows,
    scoredRows,
    missingRows: rows - scoredRows,
    availability: AVAILABILITY,
    universe: UNIVERSE_LABEL,
    download: `/v1/scores/history.csv.gz?factor=${factor}`,
    downloadSha256,
    sourceSha256,
    extra: { synthetic: true, seed: parameters.seed },
  };
}

/** Whole months of a factor's release and their sessions; it ends with a month, days before the first live set. */
export function releaseWindowOf(model: WorldModel, factor: Factor) {
  const { calendar, liveFromMs, parameters } = model;
  const last = Math.floor(liveFromMs / DAY_MS) - DAYS_BEFORE_LIVE;
  const { year, month } = yearMonthOf(last + 1);
  const after = month - MONTHS_BEFORE[factor];
  const startDay = epochDayOf(year, after - Math.round(12 * parameters.years), 1);
  const endDay = epochDayOf(year, after, 1) - 1;
  return {
    start: fromEpochDay(startDay),
    end: fromEpochDay(endDay),
    endDay,
    firstSession: calendar.firstFrom(startDay),
    lastSession: calendar.firstFrom(endDay + 1) - 1,
  };
}

/** Encodes a release on its own thread, because compression takes most of the time of a large world. */
class WorkerEncoder implements SessionEncoder {
  readonly #worker: Worker;
  readonly #finished: Promise<ReleaseFacts>;
  #waiting = 0;
  #wake: () => void = () => {};

  /** @param settings Settings of the encoder */
  constructor(settings: ReleaseEncoderSettings) {
    // A package built for Node has .js files.
    const extension = import.meta.url.endsWith(".js") ? "js" : "ts";
    const url = new URL(`./release_worker.${extension}`, import.meta.url);
    this.#worker = new Worker(url, { workerData: settings });
    this.#finished = new Promise((resolve, reject) => {
      this.#worker.on("error", reject);
      this.#worker.on("message", (reply: WorkerReply) => {
        if (reply.kind === "finished") resolve(reply.facts);
        else if (reply.kind === "failed") {
          reject(new StorageError(`Cannot write a release: ${reply.message}`));
        }
        this.#waiting--;
        this.#wake();
      });
    });
    // The next call throws the failure.
    this.#finished.catch(() => {});
  }

  async writeSession(date: CalendarDate, micro: Int32Array): Promise<void> {
    const copy = Int32Array.from(micro).buffer;
    this.#send({ kind: "session", date, micro: copy }, [copy]);
    while (this.#waiting >= MOST_WAITING) {
      const woken = new Promise<void>((resolve) => this.#wake = resolve);
      await Promise.race([woken, this.#finished]);
    }
  }

  async finish(): Promise<ReleaseFacts> {
    this.#send({ kind: "finish" });
    try {
      return await this.#finished;
    } finally {
      await this.#worker.terminate();
    }
  }

  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: WorkerRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.#waiting++;
    this.#worker.postMessage(request, transfer);
  }
}

/** Never called. Packagers and caches follow imports but not the URLs of workers, so this import shows them the worker. */
function _nameWorker(): Promise<unknown> {
  return import("./release_worker.ts");
}
