import type { DataFrame } from "nodejs-polars";
import {
  byDay,
  byTicker,
  frameOf,
  type Grid,
  gridOf,
  momentsOf,
  present,
  ranked,
  type SignalMarket,
  standardized,
  type Value,
} from "./_signal_market.ts";

type MakeGrid = (market: SignalMarket) => Grid;

const closes: MakeGrid = ({ prices }) => gridOf(prices, "close");
const ahead = (k: number) => (values: readonly Value[]) =>
  values.map((_, i) => values[i + k] ?? null);
const forward = (k: number) => (values: readonly Value[]) =>
  values.map((value, i) => {
    const later = values[i + k];
    return value === null || later === null || later === undefined ? null : later / value - 1;
  });
const around = (k: number) => (values: readonly Value[]) =>
  values.map((_, i) => momentsOf(values.slice(Math.max(0, i - k), i + k + 1))?.mean ?? null);
const most = (k: number) => (values: readonly Value[]) =>
  values.map((_, i) => {
    const later = present(values.slice(i + 1, i + k + 1));
    return later.length < k ? null : Math.max(...later);
  });
const prices =
  (work: (values: readonly Value[], days: readonly number[]) => readonly Value[]): MakeGrid =>
  (market) => byTicker(closes(market), work);
const daily =
  (make: MakeGrid, work: (values: readonly number[]) => readonly Value[]): MakeGrid => (market) =>
    byDay(make(market), work);
const scaled = (values: readonly number[]) => standardized(values);

const SESSIONS_AHEAD: readonly MakeGrid[] = [
  ...[1, 2, 3, 5, 10].map((k) => prices(ahead(k))),
  ...[1, 5].map((k) => prices(forward(k))),
  ...[2, 4].map((k) => prices(around(k))),
  prices(most(3)),
  daily(prices(forward(1)), ranked),
  daily(prices(ahead(5)), scaled),
];

/** All values of a grid as one list. */
const pooled = (grid: Grid) => [...grid.values()].flatMap((row) => [...row.values()]);
const overAll = (work: (values: readonly Value[]) => readonly Value[]): MakeGrid => (market) => {
  const grid = closes(market);
  const values = work(pooled(grid));
  let i = 0;
  return new Map(
    [...grid].map((
      [ticker, row],
    ) => [ticker, new Map([...row].map(([day]) => [day, values[i++]!]))]),
  );
};
const WHOLE_SAMPLE: readonly MakeGrid[] = [
  prices((values) => standardized(values)),
  overAll((values) => standardized(values)),
  prices(ranked),
  overAll((values) => {
    const [least, greatest] = [Math.min(...present(values)), Math.max(...present(values))];
    return values.map((value) => value === null ? null : (value - least) / (greatest - least));
  }),
  prices((values) =>
    values.map((value) => value === null ? null : value - momentsOf(values)!.mean)
  ),
  prices((values) => values.map((value) => value === null ? null : value / momentsOf(values)!.sd)),
  overAll((values) => {
    const sorted = present(values).sort((a, b) => a - b);
    const cap = sorted[Math.floor(sorted.length / 2)]!;
    return values.map((value) => value === null ? null : Math.min(value, cap));
  }),
  prices((values) =>
    values.map((value) => value === null ? null : value / present(values).at(-1)!)
  ),
  daily(prices((values) => standardized(values)), ranked),
  daily(
    prices((values) =>
      values.map((value) => value === null ? null : value / Math.max(...present(values)))
    ),
    scaled,
  ),
];

const filled = (values: readonly Value[]) => {
  const made = [...values];
  for (let i = made.length - 2; i >= 0; i--) made[i] ??= made[i + 1]!;
  return made;
};
const interpolated = (values: readonly Value[]) => {
  const later = filled(values);
  return values.map((value, i) => {
    const before = present(values.slice(0, i)).at(-1);
    return value ?? (before === undefined || later[i] === null ? null : (before + later[i]!) / 2);
  });
};
/** The next filing at or after each day. */
const nextFiling: MakeGrid = (market) => {
  const filings = byDayKnown(market.filings);
  return byTicker(
    closes(market),
    (_, days, ticker) =>
      days.map((day) => filings.get(ticker)?.find(([known]) => known >= day)?.[1] ?? null),
  );
};
const BACK_FILL: readonly MakeGrid[] = [
  prices(filled),
  prices(interpolated),
  nextFiling,
  prices((values) => filled(values).map((value) => value === null ? null : Math.log(value))),
  daily(prices(filled), ranked),
];

const restricted =
  (keep: (days: readonly number[], values: readonly Value[], last: number) => boolean): MakeGrid =>
  (market) => {
    const grid = closes(market);
    const last = Math.max(...[...grid.values()].flatMap((row) => [...row.keys()]));
    return new Map([...grid].filter(([, row]) => keep([...row.keys()], [...row.values()], last)));
  };
const alive = restricted((days, _, last) => days.includes(last));
const SURVIVORS: readonly MakeGrid[] = [
  alive,
  restricted((days) => days.length > 90),
  daily(alive, ranked),
  daily(alive, scaled),
  (market) =>
    byTicker(
      alive(market),
      (values) =>
        values.map((value, i) => value === null ? null : value - (values[i - 5] ?? NaN)).map((
          value,
        ) => Number.isNaN(value) ? null : value),
    ),
];

const dayNumbers = (work: (day: number, i: number, days: readonly number[]) => Value): MakeGrid =>
  prices((_, days) => days.map((day, i) => work(day, i, days)));
const monthOf = (day: number | undefined) => day === undefined ? -1 : new Date(day).getUTCMonth();
const FUTURE_CALENDAR: readonly MakeGrid[] = [
  dayNumbers((day, i, days) => monthOf(day) === monthOf(days[i + 1]) ? 0 : 1),
  dayNumbers((_, i, days) => i / days.length),
  dayNumbers((_, i, days) => days.length - i),
  (market) => {
    const filings = byDayKnown(market.filings);
    return byTicker(closes(market), (_, days, ticker) =>
      days.map((day) => {
        const next = filings.get(ticker)?.find(([known]) => known > day)?.[0];
        return next === undefined ? -1 : (next - day) / 86_400_000;
      }));
  },
];

/** The last vintage of each date of a filing, from that date on. */
const lastVintage: MakeGrid = (market) => {
  const vintages = gridOf(market.filings.sort("known_at"), "earnings");
  return byTicker(closes(market), (_, days, ticker) =>
    days.map((day) => {
      const filings = [...vintages.get(ticker) ?? []].filter(([date]) => date <= day);
      return filings.sort(([a], [b]) => a - b).at(-1)?.[1] ?? null;
    }));
};
const RESTATED: readonly MakeGrid[] = [
  lastVintage,
  daily(lastVintage, ranked),
  daily(lastVintage, scaled),
  (market) => {
    const earnings = lastVintage(market);
    return byTicker(closes(market), (values, days, ticker) =>
      values.map((value, i) => {
        const of = earnings.get(ticker)!.get(days[i]!) ?? null;
        return value === null || of === null ? null : of / value;
      }));
  },
];

/** Filings of each ticker by the day on which they were known. */
function byDayKnown(filings: DataFrame): Map<string, [number, number][]> {
  const made = new Map<string, [number, number][]>();
  const [tickers, days, values] = ["ticker", "known_at", "earnings"].map((name): unknown[] =>
    filings.getColumn(name).toArray()
  );
  for (const [i, ticker] of (tickers as string[]).entries()) {
    const list = made.get(ticker) ?? [];
    list.push([(days as Date[])[i]!.getTime(), values![i] as number]);
    made.set(ticker, list.sort(([a], [b]) => a - b));
  }
  return made;
}

/** Signals that look ahead, with the kind of their leak. */
export const LEAKS: readonly (readonly [string, string, (market: SignalMarket) => DataFrame])[] =
  Object.entries({
    sessions_ahead: SESSIONS_AHEAD,
    whole_sample: WHOLE_SAMPLE,
    back_fill: BACK_FILL,
    survivors: SURVIVORS,
    future_calendar: FUTURE_CALENDAR,
    restated: RESTATED,
  }).flatMap(([kind, signals]) =>
    signals.map((make, i) =>
      [`${kind} ${i + 1}`, kind, (market: SignalMarket) => frameOf(make(market))] as const
    )
  );

/** The filings that were known, as of each day: an honest input of other signals. */
export const knownFiling: MakeGrid = (market) => {
  const filings = byDayKnown(market.filings);
  return byTicker(
    closes(market),
    (_, days, ticker) =>
      days.map((day) => filings.get(ticker)?.findLast(([known]) => known <= day)?.[1] ?? null),
  );
};
