import { instantOf } from "../../../base/contract/instant.ts";
import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { Store } from "../../../base/store/store.ts";
import {
  DAY_MS,
  epochDayOf,
  fromEpochDay,
  HOUR_MS,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";
import { openReleaseFile, type ReleaseFacts } from "./release_file.ts";
import { UNIVERSE_LABEL, type WorldModel } from "../world_model.ts";

// From this size on, the platform's compressor pays off.
const LARGE_ROWS = 1_000_000;
const AVAILABILITY =
  "Point-in-time reconstruction: the score of a session uses the calls processed and the corrections made by its close";

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
  const header = `date,ticker,${scoreNameOf(factor)}`;
  const names = { header, tickers: members.map(({ ticker }) => ticker) };
  const file = await openReleaseFile(staging.path, names, tickers * years * 252 > LARGE_ROWS);
  return {
    /** Span of the release. */
    window,
    /** Appends the rows of a session, if it lies in the window; scores are in millionths. */
    async writeSession(session: number, micro: Int32Array): Promise<void> {
      if (session < window.firstSession || session > window.lastSession) return;
      await file.writeSession(calendar.dateOf(session), micro);
    },
    /** Finishes the file and makes it a release of the store. */
    async finish(): Promise<void> {
      const { sha256, sizeBytes, ...facts } = await file.finish();
      const availableFrom = instantOf((window.endDay + 3) * DAY_MS + 12 * HOUR_MS);
      const release = toRelease(model, factor, { window, downloadSha256: sha256, ...facts });
      await staging.commit({ release, sha256, sizeBytes, availableFrom, origin });
    },
    /** Removes an unfinished release. */
    async discard(): Promise<void> {
      await file.abandon();
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
