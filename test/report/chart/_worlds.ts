import pl from "nodejs-polars";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { makeMarket, type Market } from "../../helpers/market.ts";

/** Prices of a market in which the closes of some tickers are multiplied from a session on. */
function shaken(
  { scores, prices }: Market,
  factor: (session: number, ticker: number) => number,
): Market {
  const close = prices.getColumn("close").toArray() as readonly number[];
  const names = new Set(prices.getColumn("ticker").toArray()).size;
  const moved = close.map((value, row) => value * factor(Math.floor(row / names), row % names));
  return { scores, prices: prices.withColumns(pl.Series("close", moved, pl.Float64)) };
}

/** Scores of a market without those of some sessions. */
function gappy({ scores, prices }: Market, isGap: (session: number) => boolean): Market {
  const values = scores.getColumn("score").toArray() as readonly (number | null)[];
  const names = new Set(scores.getColumn("ticker").toArray()).size;
  const kept = values.map((value, row) => isGap(Math.floor(row / names)) ? null : value);
  return { prices, scores: scores.withColumns(pl.Series("score", kept, pl.Float64)) };
}

const planted = (next: number, noise: number) => 0.5 + 8 * next + 0.3 * (noise - 0.5);
const noise = (_: number, noise: number) => noise;

/** Small markets in which a picture goes wrong easily, by name. */
export const WORLDS: Readonly<Record<string, () => Market>> = {
  noise: () => makeMarket(120, noise),
  planted: () => makeMarket(120, planted),
  crash: () => shaken(makeMarket(120, noise), (session) => session < 60 ? 1 : 0.4),
  // The stock with the lowest score rises to forty times its price within a session: its short position loses more than everything.
  ruin: () => {
    const market = shaken(
      makeMarket(300, noise),
      (session, ticker) => session > 280 && ticker === 0 ? 40 : 1,
    );
    const tickers = market.scores.getColumn("ticker").toArray() as readonly string[];
    const scores = (market.scores.getColumn("score").toArray() as readonly number[])
      .map((score, row) => tickers[row] === "T0" ? -9 : score);
    return { ...market, scores: market.scores.withColumns(pl.Series("score", scores)) };
  },
  "one spike": () =>
    shaken(makeMarket(120, noise), (session, ticker) => session === 60 && ticker === 3 ? 50 : 1),
  constant: () => makeMarket(60, () => 0.5),
  "two sessions": () => makeMarket(2, planted),
  "three sessions": () => makeMarket(3, planted),
  gaps: () => gappy(makeMarket(120, planted), (session) => session % 20 < 9),
  "one ticker": () => makeMarket(60, noise, { names: 1 }),
  negative: () => makeMarket(120, (next, random) => 0.5 - 8 * next + 0.3 * (random - 0.5)),
  // Grades of an analyst, which put most stocks into one quantile.
  discrete: () => makeMarket(120, (next, random) => Math.round(2 + 40 * next + random)),
  weekly: () =>
    lastsOf(makeMarket(400, planted), (day) => Math.floor((Number(day) / 86_400_000 + 3) / 7)),
  monthly: () => lastsOf(makeMarket(1300, planted), (day) => day.getUTCMonth()),
  // A ticker without closes for two years, and then those of another stock.
  reused: () => {
    const market = makeMarket(600, planted);
    const day = (at: number) => pl.lit(new Date(Date.UTC(2010, 0, 1 + at)));
    const [late, early] = [pl.col("date").gtEq(day(700)), pl.col("date").lt(day(100))];
    return {
      ...market,
      prices: market.prices.filter(early.or(late).or(pl.col("ticker").neq(pl.lit("T3")))),
    };
  },
  // Half of the stocks of the prices have scores.
  partial: () => {
    const market = makeMarket(120, planted, { names: 24 });
    const scored = Array.from({ length: 12 }, (_, i) => `T${i}`);
    return { ...market, scores: market.scores.filter(pl.col("ticker").isIn(scored)) };
  },
};

/** The last session of each week or month of a market. */
function lastsOf({ scores, prices }: Market, of: (day: Date) => number): Market {
  const days = (prices.getColumn("date").unique().toArray() as unknown as Date[])
    .toSorted((a, b) => Number(a) - Number(b))
    .filter((day, i, all) => all[i + 1] !== undefined && of(all[i + 1]!) !== of(day));
  const isKept = pl.col("date").isIn(pl.Series("date", days, pl.Date));
  return { scores: scores.filter(isKept), prices: prices.filter(isKept) };
}

const GROUPS = pl.DataFrame({
  ticker: Array.from({ length: 18 }, (_, i) => `T${i}`),
  group: Array.from({ length: 18 }, (_, i) => ["A", "B", "none"][i % 3]!),
});

/** The analysis of each world, and of one with groups and shifted copies. */
export async function worldAnalyses(): Promise<ReadonlyMap<string, FactorAnalysis>> {
  const found = new Map<string, FactorAnalysis>();
  const options = { entry: "same", progress: false, lags: [1, 2, 3, 5], minNames: 5 } as const;
  const frequencies: Readonly<Record<string, "weekly" | "monthly">> = {
    weekly: "weekly",
    monthly: "monthly",
  };
  for (const [name, make] of Object.entries(WORLDS)) {
    const { scores, prices } = make();
    found.set(
      name,
      await analyzeFactor(scores, prices, {
        ...options,
        ...name in frequencies && { frequency: frequencies[name]! },
      }),
    );
  }
  const { scores, prices } = makeMarket(120, planted, { names: 18 });
  const grouped = { ...options, groups: GROUPS };
  return found.set("groups", await analyzeFactor(scores, prices, grouped));
}
