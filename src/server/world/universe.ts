import { DAY_MS, type EpochDay } from "../../base/calendar/civil_date.ts";
import { hash32, integer, normal, seedOf, uniform } from "./random.ts";
import { liveFromMs, type WorldParameters } from "./world_options.ts";

/** Tickers that readers mistake for something else: numbers, booleans, missing values, signs. */
const AWKWARD_TICKERS: readonly string[] = [
  "BRK.B",
  "NA",
  "TRUE",
  "1E5",
  "BF-B",
  "NAN",
  "NULL",
  "0012",
  "E",
  "INF",
  "FALSE",
  "-",
  "LONGTICKERSYM.WS",
];

// Letters as often as they occur in listed tickers, roughly.
const LETTERS = "AAABBCCCDDEEEFGGHHIILLLMMMNNNOOPPPQRRRSSSSTTTTUVVWXXYZ";

const SUFFIXES = [".A", ".B", "-A", "-P", ".U", "-WS"];

/** One company of the synthetic universe. */
export interface Member {
  /** Its ticker. */
  readonly ticker: string;
  /** Seed of all its random values, independent of its position in the universe. */
  readonly id: number;
  /** First day on which it is listed. */
  readonly listDay: EpochDay;
  /** First day on which it is no longer listed. */
  readonly delistDay: EpochDay;
  /** Network group: members of a group influence each other's `ecpnd`. */
  readonly group: number;
  /** True if it holds earnings calls at all. */
  readonly holdsCalls: boolean;
  /** Usual day of its call, counted from the start of a fiscal quarter. */
  readonly callDay: number;
  /** Number of months from the start of a calendar quarter to that of its fiscal quarter. */
  readonly fiscalShift: 0 | 1 | 2;
  /** Lasting level of the company in each factor, standard normal. */
  readonly level: { readonly ecpnd: number; readonly ecqdi: number };
  /** Standard deviation of the daily return that no factor explains. */
  readonly volatility: number;
  /** First close. */
  readonly firstClose: number;
}

const ALWAYS = Number.MAX_SAFE_INTEGER;
const DELISTED_SHARE = 0.12;
const NEWLY_LISTED_SHARE = 0.12;
// Below this size a change of the universe would be a large part of it.
const SMALLEST_CHANGING = 20;
const LIVE_CHANGES = 12;

/**
 * The companies of a world, alphabetical by ticker: those that are listed when the live sets begin,
 * those that were delisted before, and those that are listed and delisted while the live sets go on.
 */
export function makeUniverse(parameters: WorldParameters): readonly Member[] {
  const { seed, tickers } = parameters;
  const liveDay = Math.floor(liveFromMs(parameters) / DAY_MS);
  const delisted = Math.round(tickers * DELISTED_SHARE);
  const perChange = tickers < SMALLEST_CHANGING ? 0 : Math.ceil(tickers / 1_500);
  const names = makeTickerNames(seed, tickers + delisted + perChange * LIVE_CHANGES);
  const groups = Math.max(1, Math.round(tickers / 8));
  const spanDays = Math.ceil(parameters.years * 366);
  const listingOf = listingsOf({ seed, liveDay, spanDays, tickers, delisted, perChange });
  const members = names.map((ticker, index) => ({
    ...makeMember(seed, ticker, groups),
    ...listingOf(index),
  }));
  return members.sort((a, b) => a.ticker < b.ticker ? -1 : 1);
}

/** True if a company belongs to the scored universe on a day: listed, and not in a month without coverage. */
export function isCovered(member: Member, day: EpochDay): boolean {
  if (day < member.listDay || day >= member.delistDay) return false;
  return uniform(member.id, Math.floor(day / 30), 77) >= 0.004;
}

function makeMember(seed: number, ticker: string, groups: number) {
  const id = seedOf(seed, `company ${ticker}`);
  const isAwkward = AWKWARD_TICKERS.includes(ticker);
  return {
    ticker,
    id,
    group: integer(id, { from: 0, to: groups }, 1),
    holdsCalls: isAwkward || uniform(id, 2) >= 0.03,
    callDay: integer(id, { from: 18, to: 46 }, 3),
    fiscalShift: ([0, 0, 0, 0, 1, 2] as const)[integer(id, { from: 0, to: 6 }, 4)] ?? 0,
    level: { ecpnd: normal(id, 5), ecqdi: normal(id, 6) },
    volatility: 0.01 + 0.018 * uniform(id, 7) ** 2,
    firstClose: 5 + 40 * Math.exp(0.7 * normal(id, 8)),
  };
}

// Names come in this order: listed when the live sets begin, delisted before, listed afterwards.
function listingsOf(
  { seed, liveDay, spanDays, tickers, delisted, perChange }: Readonly<
    Record<"seed" | "liveDay" | "spanDays" | "tickers" | "delisted" | "perChange", number>
  >,
): (index: number) => Pick<Member, "listDay" | "delistDay"> {
  const own = seedOf(seed, "listings");
  return (index) => {
    if (index >= tickers + delisted) {
      const change = Math.floor((index - tickers - delisted) / perChange);
      return { listDay: liveDay + 3 + 30 * change, delistDay: ALWAYS };
    }
    if (index >= tickers) {
      const daysAgo = 40 + Math.floor(spanDays * uniform(own, index, 1));
      return { listDay: -ALWAYS, delistDay: liveDay - daysAgo };
    }
    const isAwkward = index < AWKWARD_TICKERS.length;
    const isNew = !isAwkward && uniform(own, index, 2) < NEWLY_LISTED_SHARE;
    const listDay = isNew ? liveDay - 40 - Math.floor(spanDays * uniform(own, index, 3)) : -ALWAYS;
    const change = Math.floor((tickers - 1 - index) / Math.max(1, perChange));
    const leaves = perChange > 0 && !isAwkward && change < LIVE_CHANGES;
    return { listDay, delistDay: leaves ? liveDay + 6 + 30 * change : ALWAYS };
  };
}

/** The requested number of tickers: awkward ones first, then made-up ones that look like US tickers. */
function makeTickerNames(seed: number, count: number): readonly string[] {
  const names = new Set(AWKWARD_TICKERS.slice(0, count));
  const own = seedOf(seed, "ticker names");
  for (let attempt = 0; names.size < count; attempt++) names.add(makeName(own, attempt));
  return [...names];
}

function makeName(seed: number, attempt: number): string {
  const length = lengthOf(uniform(seed, attempt, 1));
  let name = "";
  for (let i = 0; i < length; i++) {
    name += LETTERS.charAt(hash32(seed, attempt, 10 + i) % LETTERS.length);
  }
  const suffix = uniform(seed, attempt, 2) < 0.02 ? hash32(seed, attempt, 3) % SUFFIXES.length : -1;
  return name + (SUFFIXES[suffix] ?? "");
}

function lengthOf(u: number): number {
  if (u < 0.02) return 2;
  if (u < 0.3) return 3;
  return u < 0.94 ? 4 : 5;
}
