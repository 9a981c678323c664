import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { Store } from "../../../base/store/store.ts";
import { DAY_MS, HOUR_MS } from "../../../base/calendar/civil_date.ts";
import { ReleaseEncoder, type ReleaseFacts } from "./release_encoder.ts";
import { type ReleaseWindow, releaseWindowOf } from "./release_window.ts";
import { WorkerEncoder } from "./worker_encoder.ts";
import { UNIVERSE_LABEL, type WorldModel } from "../world_model.ts";

// From this size on, a thread and the platform's compressor pay off.
const LARGE_ROWS = 1_000_000;
const AVAILABILITY =
  "Point-in-time reconstruction: the score of a session uses the calls processed and the corrections made by its close";

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
    & { readonly window: ReleaseWindow; readonly downloadSha256: string },
): Release {
  return {
    factor,
    factorVersion: parameters.factorVersions[factor],
    firstSession: calendar.dateOf(window.firstSession),
    lastSession: calendar.dateOf(window.lastSession),
    windowYears: parameters.years,
    windowStart: window.start,
    windowEnd: window.end,
    ...{ sessions, tickers, rows, scoredRows, missingRows: rows - scoredRows },
    availability: AVAILABILITY,
    universe: UNIVERSE_LABEL,
    download: `/v1/scores/history.csv.gz?factor=${factor}`,
    ...{ downloadSha256, sourceSha256 },
    extra: { synthetic: true, seed: parameters.seed },
  };
}
