import { join } from "node:path";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import { Store } from "../../base/store/store.ts";
import { readReleaseFile } from "../../client/release/verify_release.ts";
import type { Frequency } from "../../frames/prices/dates/frequency.ts";
import { KeptRows } from "../../frames/frame/release_file/kept_rows.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { looksAt, plansOf } from "../hold_out/time_limit.ts";
import type { LockedRelease, StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { callersOf } from "../../client/uses/reach.ts";
import type { FoundStudy } from "./recall_index.ts";

/** Rows of a file of prices: one ticker, from a date through another. */
export interface PriceRows {
  /** The ticker. */
  readonly ticker: string;
  /** First date. */
  readonly from: string;
  /** Last date. */
  readonly to: string;
}

/** Scores that a study computed with, and the sessions whose closes their returns need. */
interface Computed {
  /** The longest horizon, in sessions. */
  readonly horizon: number;
  /** Sessions from a score's session to its entry. */
  readonly lag: number;
  /** Tickers of its universe; `null` for all. */
  readonly tickers: readonly string[] | null;
  /** Dates of the scores, both included. */
  readonly spans: readonly (readonly [from: string, to: string])[];
}

// The longest horizon of an analysis that names none, and the sessions of one step of other frequencies.
const USUAL_HORIZON = 21;
const STEP: Readonly<Record<Frequency, number>> = {
  daily: 1,
  weekly: 5,
  monthly: 23,
  quarterly: 66,
  yearly: 254,
};
// Made once: it takes longer than a study.
let made: MarketCalendar | undefined;
const ALL_DATES = ["0000-00-00", "9999-99-99"] as const;

/**
 * Tells which scores of a study bring rows of prices into what it computed: a ticker that has one, entered by the last of the
 * dates, with a horizon that reaches the first. `null` if none does; `undefined` if nothing tells what was computed.
 */
export async function rowsTookPart(
  study: FoundStudy,
  rows: PriceRows,
): Promise<string | null | undefined> {
  const { lock } = (await readLockFile(study.folder))!;
  const computed = [...analyses(study), ...tests(lock)];
  const isTold = study.notebooks + study.calls.length > 0 && study.unread.length === 0;
  if (computed.length === 0) return isTold ? null : undefined;
  const calendar = (made ??= new MarketCalendar());
  const first = calendar.firstFrom(toEpochDay(rows.from));
  const last = calendar.firstFrom(toEpochDay(rows.to) + 1) - 1;
  const scored = await scoredSessions(study.folder, lock, { ticker: rows.ticker, calendar });
  for (const { horizon, lag, tickers, spans } of computed) {
    if (tickers?.includes(rows.ticker) === false) continue;
    const session = scored.find((at) => {
      const date = calendar.dateOf(at);
      const entry = at + lag;
      return spans.some(([from, to]) => from <= date && date <= to) &&
        entry <= last && entry + horizon >= first;
    });
    if (session !== undefined) {
      return `${rows.ticker} has a score on ${calendar.dateOf(session)}` +
        (horizon === Infinity ? "" : `, horizon ${horizon}`);
    }
  }
  return null;
}

function analyses({ calls }: FoundStudy): readonly Computed[] {
  const readers = callersOf("forwardReturns");
  const found = calls.filter(({ name }) => readers.has(name) && name !== ".openHoldOut");
  if (found.length === 0) return [];
  const given = (name: string) =>
    calls.flatMap(({ options }) => Object.hasOwn(options, name) ? [options[name]].flat() : []);
  const longest = (name: string, usual: number) => {
    const values = given(name).map((value) => typeof value === "number" ? value : Infinity);
    return values.length === 0 ? usual : Math.max(...values);
  };
  const step = Math.max(
    ...given("frequency").map((name) => STEP[name as Frequency] ?? STEP.yearly),
    1,
  );
  const horizon = longest("periods", USUAL_HORIZON) * step;
  const lag = (given("entry").includes("same") ? 0 : 1) + longest("entryLag", 0) * step;
  return [{ horizon, lag, tickers: null, spans: [ALL_DATES] }];
}

function tests(lock: StudyLock): readonly Computed[] {
  return plansOf(lock).filter(({ name }) => resultsOf(lock, name).length > 0).map(
    ({ name, plan }) => {
      const periods = Object.values(plan.periods).map(({ from, to }) =>
        [from ?? ALL_DATES[0], to ?? plan.holdOutFrom] as const
      );
      const looks = looksAt(lock, plan.holdOutFrom).filter((look) => look.name === name);
      return {
        horizon: Math.max(...plan.horizons),
        lag: 1,
        tickers: Array.isArray(plan.universe) ? plan.universe : null,
        spans: [...periods, ...looks.map(({ first, last }) => [first, last] as const)],
      };
    },
  );
}

/** Sessions, as numbers of the calendar, at whose close a ticker has a score. */
async function scoredSessions(
  folder: string,
  lock: StudyLock,
  { ticker, calendar }: { readonly ticker: string; readonly calendar: MarketCalendar },
): Promise<readonly number[]> {
  const store = await Store.open(join(folder, "store"));
  const sessions: number[] = [];
  for (const { factor, snapshotId } of lock.sets) {
    const rows = (await store.readSet(factor, snapshotId))?.rows;
    const i = rows?.tickers.indexOf(ticker) ?? -1;
    if (rows?.scores[i] === null || rows?.scores[i] === undefined) continue;
    const views = lock.views.filter((view) => view.snapshotId === snapshotId);
    sessions.push(...views.map(({ at }) => calendar.lastClosedAt(epochMsOf(at))));
  }
  for (const release of lock.releases) {
    const days = await scoredDays(store, release, ticker);
    sessions.push(...days.map((day) => calendar.firstFrom(day)));
  }
  return sessions;
}

async function scoredDays(
  store: Store,
  { factor, downloadSha256 }: LockedRelease,
  ticker: string,
): Promise<readonly number[]> {
  const stored = (await store.listReleases(factor))
    .find(({ release }) => release.downloadSha256 === downloadSha256);
  if (stored === undefined) return [];
  const taker = new KeptRows();
  const announced = { factor, release: stored.release, sizeBytes: null };
  const { parser } = await readReleaseFile({ path: stored.path }, announced, { taker });
  const number = parser.columns.names.indexOf(ticker);
  const { scores } = taker;
  const { days, numbers } = taker.keys();
  const isScored = (i: number) => numbers[i] === number && !Number.isNaN(scores[i]);
  return [...days.keys()].filter(isScored).map((i) => days[i]!);
}
