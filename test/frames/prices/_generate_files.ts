import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { fromEpochDay } from "../../../src/base/calendar/civil_date.ts";

/** What a file of a generated vendor holds; the truth of its closes beside it. */
export interface GeneratedFile {
  /** Convention of the close, of a second one, of the factor, and how they are named and laid out. */
  readonly what: string;
  /** The text. */
  readonly text: string;
  /** Closes as traded, adjusted for splits and adjusted for all, by `date ticker`. */
  readonly truth: Readonly<Record<"none" | "splits" | "all", ReadonlyMap<string, number>>>;
  /** Whether the file has what total returns need. */
  readonly hasDividends: boolean;
}

type State = "none" | "splits" | "all";
const STATES: readonly State[] = ["none", "splits", "all"];
const FACTORS = [
  ...["none", "multiply", "divide", "split", "unsplit", "splitNext", "unsplitNext"],
] as const;
const RATIOS = [1.25, 1.5, 2, 0.1];
const CLOSE_NAMES: Readonly<
  Record<"tell" | "mislead" | "nothing", Readonly<Record<State, string>>>
> = {
  tell: { none: "close_raw", splits: "split_adj_close", all: "adj_close" },
  mislead: { none: "adj_close", splits: "unadjusted_close", all: "close_unadj" },
  nothing: { none: "close", splits: "price", all: "last" },
};
const FACTOR_NAMES = {
  tell: {
    multiply: "adj_factor",
    divide: "ajexdi",
    split: "split",
    unsplit: "adjustment_factor",
    splitNext: "split_factor",
    unsplitNext: "AdjustmentFactor",
  },
  mislead: {
    multiply: "ajexdi",
    divide: "hfq_factor",
    split: "cum_factor",
    unsplit: "split_ratio",
    splitNext: "cfacpr",
    unsplitNext: "DlyFacPrc",
  },
  nothing: {
    multiply: "x1",
    divide: "x2",
    split: "k",
    unsplit: "coef",
    splitNext: "val",
    unsplitNext: "z9",
  },
} as const;

/** Files of generated vendors, the same for the same seed. */
export function generateFile(seed: number): GeneratedFile {
  const random = randomSource(seed * 7919 + 13);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)]!;
  const normal = () =>
    Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
  for (let i = 0; i < 20; i++) random.uniform();
  const [close, factor] = [pick(STATES), pick(FACTORS)];
  const second = factor === "none" || random.uniform() < 0.25
    ? pick(STATES.filter((state) => state !== close))
    : null;
  const [names, layout] = [
    pick(["tell", "mislead", "nothing"] as const),
    pick(["long", "wide", "pairs"] as const),
  ];
  const pays = random.uniform() < 0.5;
  const hasColumn = pays && random.uniform() < 0.6;
  const isWhole = pays && ["multiply", "divide"].includes(factor) && random.uniform() < 0.5;
  const days = listSessionDays(20_600, 20_700).slice(0, 30 + Math.floor(random.uniform() * 20));
  const tickers = ["VZK", "WQD", "XTB"].slice(0, 1 + Math.floor(random.uniform() * 3));
  const rows = tickers.flatMap((ticker) => {
    const traded: number[] = [];
    let level = 20 + 100 * random.uniform();
    const ratio = pick(RATIOS);
    const splitAt = 5 + Math.floor(random.uniform() * (days.length - 10));
    const paidAt = pays
      ? [3, Math.floor(days.length / 2), days.length - 4].filter((day) => day !== splitAt)
      : [];
    const splits = days.map((_, i) => i === splitAt ? ratio : 1);
    const paid = days.map(() => 0);
    for (let i = 0; i < days.length; i++) {
      if (i > 0) {
        level *= Math.exp(0.02 * normal() * (random.uniform() < 0.05 ? 2 : 1)) / splits[i]!;
      }
      if (paidAt.includes(i)) {
        paid[i] = Math.round(level * 1.5) / 100;
        level -= paid[i]!;
      }
      traded.push(Math.round(level * 100) / 100);
    }
    const after = (i: number, of: (day: number) => number) =>
      Array.from({ length: days.length - i - 1 }, (_, k) => of(i + 1 + k)).reduce(
        (a, b) => a * b,
        1,
      );
    const bySplits = days.map((_, i) => traded[i]! / after(i, (day) => splits[day]!));
    const byAll = days.map((_, i) =>
      bySplits[i]! * after(i, (day) => traded[day]! / (traded[day]! + paid[day]!))
    );
    const values = { none: traded, splits: bySplits, all: byAll };
    const cum = days.map((_, i) => isWhole ? byAll[i]! / traded[i]! : bySplits[i]! / traded[i]!);
    const factors = {
      none: cum,
      multiply: cum.map((value) => value / cum[0]!),
      divide: cum.map((value) => 1 / value),
      split: splits,
      unsplit: splits.map((value) => 1 / value),
      splitNext: splits.map((_, i) => splits[i + 1] ?? 1),
      unsplitNext: splits.map((_, i) => 1 / (splits[i + 1] ?? 1)),
    };
    return days.map((day, i) => ({
      date: fromEpochDay(day),
      ticker,
      ...{ none: values.none[i]!, splits: values.splits[i]!, all: values.all[i]! },
      factor: factors[factor][i]!,
      // Dividends are as paid beside closes as traded, and adjusted for splits beside others.
      paid: [close, second].includes("none")
        ? paid[i]!
        : paid[i]! / after(i, (other) => splits[other]!),
    }));
  });
  const columns: (readonly [name: string, of: (row: typeof rows[number]) => number])[] = [
    [CLOSE_NAMES[names][close], (row) => row[close]],
    ...(second === null
      ? []
      : [[CLOSE_NAMES[names][second], (row: typeof rows[number]) => row[second]] as const]),
    ...(factor === "none"
      ? []
      : [[FACTOR_NAMES[names][factor], (row: typeof rows[number]) => row.factor] as const]),
    ...(hasColumn ? [["dividend", (row: typeof rows[number]) => row.paid] as const] : []),
  ];
  const truth = Object.fromEntries(
    STATES.map((
      state,
    ) => [state, new Map(rows.map((row) => [`${row.date} ${row.ticker}`, row[state]]))]),
  ) as unknown as GeneratedFile["truth"];
  return {
    what:
      `${seed}: close ${close}, second ${second}, factor ${factor}${isWhole ? " of all" : ""}, ` +
      `${names}, ${layout}, ${pays ? "pays" : "no dividends"}${hasColumn ? " (column)" : ""}`,
    text: textOf(rows, columns, { layout, tickers }),
    truth,
    hasDividends: pays && (hasColumn || isWhole || [close, second].includes("all")),
  };
}

function textOf<Row extends { readonly date: string; readonly ticker: string }>(
  rows: readonly Row[],
  columns: readonly (readonly [name: string, of: (row: Row) => number])[],
  { layout, tickers }: {
    readonly layout: "long" | "wide" | "pairs";
    readonly tickers: readonly string[];
  },
): string {
  const shown = (value: number) => String(Number(value.toPrecision(12)));
  const fields = (row: Row) => columns.map(([, of]) => shown(of(row)));
  if (layout === "long") {
    return [
      "date,ticker," + columns.map(([name]) => name).join(","),
      ...rows.map((row) => [row.date, row.ticker, ...fields(row)].join(",")),
    ].join("\n") + "\n";
  }
  const dates = [...new Set(rows.map(({ date }) => date))];
  const byKey = new Map(rows.map((row) => [`${row.date} ${row.ticker}`, row]));
  const names = tickers.flatMap((ticker) => [
    ...(layout === "pairs" ? [`${ticker} Date`] : []),
    ...columns.map(([name]) => `${ticker} ${name}`),
  ]);
  const head = layout === "pairs" ? names : ["date", ...names];
  const lines = dates.map((date) =>
    [
      ...(layout === "pairs" ? [] : [date]),
      ...tickers.flatMap((
        ticker,
      ) => [...(layout === "pairs" ? [date] : []), ...fields(byKey.get(`${date} ${ticker}`)!)]),
    ].join(",")
  );
  return [head.join(","), ...lines].join("\n") + "\n";
}
