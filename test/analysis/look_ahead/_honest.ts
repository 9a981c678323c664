import type { DataFrame } from "nodejs-polars";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";
import { knownFiling } from "./_leaks.ts";
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

const lag = (k: number) => (values: readonly Value[]) =>
  values.map((_, i) => values[i - k] ?? null);
const change = (k: number) => (values: readonly Value[]) =>
  values.map((value, i) => {
    const before = values[i - k];
    return value === null || before === null || before === undefined ? null : value - before;
  });
const rolling = (k: number, of: "mean" | "sd") => (values: readonly Value[]) =>
  values.map((_, i) => momentsOf(values.slice(Math.max(0, i - k + 1), i + 1))?.[of] ?? null);
const expanding = (values: readonly Value[]) =>
  values.map((value, i) => standardized([value], momentsOf(values.slice(0, i + 1)))[0]!);
const weighted = (values: readonly Value[]) => {
  let mean: Value = null;
  return values.map((value) => {
    if (value !== null) mean = mean === null ? value : 0.9 * mean + 0.1 * value;
    return mean;
  });
};
const carried = (values: readonly Value[]) =>
  values.map((_, i) => present(values.slice(0, i + 1)).at(-1) ?? null);

type Make = (market: SignalMarket) => Grid;
const closes: Make = ({ prices }) => gridOf(prices, "close");
const made = (work: (values: readonly Value[]) => readonly Value[]): Make => (market) =>
  byTicker(closes(market), work);

/** Random numbers with a seed, drawn session by session. */
const drawn: Make = (market) => {
  const random = randomSource(5);
  const { prices } = market;
  const values = prices.sort(["date", "ticker"]).getColumn("close").toArray()
    .map(() => random.uniform());
  const grid = gridOf(prices.sort(["date", "ticker"]), "close");
  const keys = prices.sort(["date", "ticker"]).select("date", "ticker").rows() as [Date, string][];
  const cells = new Map(
    keys.map(([date, ticker], i) => [`${date.getTime()} ${ticker}`, values[i]!]),
  );
  return byTicker(grid, (_, days, ticker) => days.map((day) => cells.get(`${day} ${ticker}`)!));
};

const BASES: Readonly<Record<string, Make>> = {
  level: closes,
  "change over a session": made(change(1)),
  "change over 5": made(change(5)),
  "rolling mean": made(rolling(10, "mean")),
  "rolling deviation": made(rolling(20, "sd")),
  "exponentially weighted mean": made(weighted),
  "expanding standardisation": made(expanding),
  momentum: made((values) => change(20)(lag(5)(values))),
  "filings as they were known": knownFiling,
  "random with a seed": drawn,
};

const STEPS: Readonly<Record<string, (grid: Grid, market: SignalMarket) => Grid>> = {
  "as it is": (grid) => grid,
  lagged: (grid) => byTicker(grid, lag(1)),
  "ranked by session": (grid) => byDay(grid, ranked),
  "standardised by session": (grid) => byDay(grid, (values) => standardized(values)),
  "less the mean of its group": (grid, { groups }) => {
    const groupOf = new Map(groups.rows() as [string, string][]);
    return byDay(grid, (values, tickers) => {
      const of = tickers.map((ticker) => groupOf.get(ticker));
      return values.map((value, i) => {
        const own = values.filter((_, j) => of[j] === of[i]);
        return value - own.reduce((sum, other) => sum + other, 0) / own.length;
      });
    });
  },
  "carried forward": (grid) => byTicker(grid, carried),
  "without nulls": (grid) =>
    new Map(
      [...grid].map(([ticker, row]) =>
        [ticker, new Map([...row].filter(([, value]) => value !== null))] as const
      ),
    ),
  smoothed: (grid) => byTicker(grid, rolling(5, "mean")),
  "standardised by what was before": (grid) => byTicker(grid, expanding),
  "over the filing that was known": (grid, market) => {
    const filings = knownFiling(market);
    return byTicker(grid, (values, days, ticker) =>
      values.map((value, i) => {
        const of = filings.get(ticker)?.get(days[i]!) ?? null;
        return value === null || of === null ? null : value / of;
      }));
  },
};

/** A hundred signals that know nothing of what follows. */
export const HONEST: readonly (readonly [string, (market: SignalMarket) => DataFrame])[] = Object
  .entries(BASES).flatMap(([base, make]) =>
    Object.entries(STEPS).map(([step, work]) =>
      [`${base}, ${step}`, (market: SignalMarket) => frameOf(work(make(market), market))] as const
    )
  );
