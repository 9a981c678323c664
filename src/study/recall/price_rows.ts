import { join } from "node:path";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import { Store } from "../../base/store/store.ts";
import { findRelease } from "../../client/release/stored_releases.ts";
import { readReleaseFile } from "../../client/release/verify_release.ts";
import { callersOf } from "../../client/uses/reach.ts";
import type { Frequency } from "../../frames/prices/dates/frequency.ts";
import { KeptRows } from "../../frames/frame/release_file/kept_rows.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { looksAt, plansOf } from "../hold_out/time_limit.ts";
import type { LockedRelease, StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
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

/** Scores that a study computed with: their dates, both included, and the sessions whose closes their returns need. */
interface Computed {
  readonly from: string;
  readonly to: string;
  /** The longest horizon, in sessions. */
  readonly horizon: number;
  /** Sessions from a score's session to its entry. */
  readonly lag: number;
  /** Tickers of its universe; `null` for all. */
  readonly tickers: readonly string[] | null;
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
const [FIRST_DATE, LAST_DATE] = ["0000-00-00", "9999-99-99"];

/**
 * Tells which scores of a study bring rows of prices into what it computed: a ticker that has one, entered by the last of the
 * dates, with a horizon that reaches the first. `null` if none does; `undefined` if nothing tells what was computed.
 */
export async function rowsTookPart(
  study: FoundStudy,
  { ticker, ...dates }: PriceRows,
): Promise<string | null | undefined> {
  const { lock } = (await readLockFile(study.folder))!;
  const computed = [...analyses(study), ...tests(lock)];
  const isTold = study.notebooks + study.calls.length > 0 && study.unread.length === 0;
  if (computed.length === 0) return isTold ? null : undefined;
  const calendar = (made ??= new MarketCalendar());
  const first = calendar.firstFrom(toEpochDay(dates.from));
  const last = calendar.firstFrom(toEpochDay(dates.to) + 1) - 1;
  const scored = await scoredSessions(study.folder, lock, ticker, calendar);
  for (const { horizon, lag, tickers, from, to } of computed) {
    if (tickers?.includes(ticker) === false) continue;
    const session = scored.find((at) => {
      const [date, entry] = [calendar.dateOf(at), at + lag];
      return from <= date && date <= to && entry <= last && entry + horizon >= first;
    });
    if (session === undefined) continue;
    const reach = horizon === Infinity ? "" : `, horizon ${horizon}`;
    return `${ticker} has a score on ${calendar.dateOf(session)}${reach}`;
  }
  return null;
}

function analyses({ calls }: FoundStudy): readonly Computed[] {
  const readers = callersOf("forwardReturns");
  if (!calls.some(({ name }) => readers.has(name) && name !== ".openHoldOut")) return [];
  const given = (name: string) =>
    calls.flatMap(({ options }) => Object.hasOwn(options, name) ? [options[name]].flat() : []);
  const longest = (name: string, usual: number) => {
    const values = given(name).map((value) => typeof value === "number" ? value : Infinity);
    return values.length === 0 ? usual : Math.max(...values);
  };
  const steps = given("frequency").map((name) => STEP[name as Frequency] ?? STEP.yearly);
  const step = Math.max(...steps, 1);
  const horizon = longest("periods", USUAL_HORIZON) * step;
  const lag = (given("entry").includes("same") ? 0 : 1) + longest("entryLag", 0) * step;
  return [{ horizon, lag, tickers: null, from: FIRST_DATE!, to: LAST_DATE! }];
}

function tests(lock: StudyLock): readonly Computed[] {
  return plansOf(lock).filter(({ name }) => resultsOf(lock, name).length > 0)
    .flatMap(({ name, plan }) => {
      const looks = looksAt(lock, plan.holdOutFrom).filter((look) => look.name === name);
      return [
        ...Object.values(plan.periods),
        ...looks.map(({ first, last }) => ({ from: first, to: last })),
      ].map(({ from, to }) => ({
        from: from ?? FIRST_DATE!,
        to: to ?? plan.holdOutFrom,
        horizon: Math.max(...plan.horizons),
        lag: 1,
        tickers: Array.isArray(plan.universe) ? plan.universe : null,
      }));
    });
}

/** Sessions, as numbers of the calendar, at whose close a ticker has a score. */
async function scoredSessions(
  folder: string,
  lock: StudyLock,
  ticker: string,
  calendar: MarketCalendar,
): Promise<readonly number[]> {
  const store = await Store.open(join(folder, "store"));
  const sessions: number[] = [];
  for (const { factor, snapshotId } of lock.sets) {
    const rows = (await store.readSet(factor, snapshotId))?.rows;
    if ((rows?.scores[rows.tickers.indexOf(ticker)] ?? null) === null) continue;
    const views = lock.views.filter((view) => view.snapshotId === snapshotId);
    sessions.push(...views.map(({ at }) => calendar.lastClosedAt(epochMsOf(at))));
  }
  for (const release of lock.releases) {
    const days = await scoredDays(store, release, ticker);
    sessions.push(...days.map((day) => calendar.firstFrom(day)));
  }
  return sessions;
}

async function scoredDays(store: Store, { factor, downloadSha256 }: LockedRelease, ticker: string) {
  const stored = await findRelease(store, factor, downloadSha256);
  if (stored === null) return [];
  const taker = new KeptRows();
  const announced = { factor, release: stored.release, sizeBytes: null };
  const { parser } = await readReleaseFile({ path: stored.path }, announced, { taker });
  const number = parser.columns.names.indexOf(ticker);
  const { days, numbers } = taker.keys();
  return [...days].filter((_, i) => numbers[i] === number && !Number.isNaN(taker.scores[i]));
}
