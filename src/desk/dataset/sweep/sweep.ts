import type { Transform } from "../../../analysis/transform/transform_column.ts";
import { BOOK_OPTIONS } from "../../../analysis/portfolio/book/book_rules.ts";
import { isListOf } from "../../../base/arguments/check_options.ts";
import { isPlainObject } from "../../../base/contract/is_object.ts";
import { isCalendarDate } from "../../../base/contract/instant.ts";
import type { PartOptions } from "../part/part_facts.ts";
import {
  type DatedMember,
  rankText,
  type Variant,
  variantName,
  type VariantOptions,
} from "./variant.ts";

interface Also {
  /** Names of further variants that rank the same stocks in the same order: they are the same test. */
  readonly also: readonly string[];
}

/** Variants of factors, and the analysis of each. */
export interface Sweep {
  /** The variants that differ, in the order of the file. */
  readonly variants: readonly (Variant & Also & { readonly options: VariantOptions })[];
  /** Options of each analysis. */
  readonly question: Pick<
    PartOptions,
    "periods" | "entry" | "lags" | "minNames" | "calendar"
  >;
}

interface SweepFile {
  readonly factors: readonly string[];
  readonly combinations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly transforms: readonly Transform[];
  readonly lags: readonly number[];
  readonly universes: Readonly<Record<string, readonly GivenMember[]>>;
  readonly horizons: readonly number[];
  readonly entry: "next" | "same";
  readonly minNames: number;
  readonly calendar: "us" | "own";
}

type GivenMember = string | DatedMember;

type FieldName = keyof SweepFile;

interface Field {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

// Names become folders.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.]*(?:-[A-Za-z0-9_.]+)*$/;
const TRANSFORMS: readonly string[] = ["none", "rank", "zscore"] satisfies Transform[];

// Options of `analyse` for its portfolio.
const OF_BOOK: readonly string[] = BOOK_OPTIONS;

const isName = (value: unknown) => typeof value === "string" && NAME.test(value);
const isWhole = (from: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= from;
const isDay = (value: unknown) => value === undefined || (isCalendarDate(value));
const isMember = (value: unknown) =>
  typeof value === "string" ||
  (isPlainObject(value) && typeof value["ticker"] === "string" && isDay(value["from"]) &&
    isDay(value["to"]) &&
    Object.keys(value).every((name) => ["ticker", "from", "to"].includes(name)));
const isWeight = (value: unknown) => Number.isFinite(value) && value !== 0;

const FIELDS: Readonly<Record<FieldName, Field>> = {
  factors: { expected: "a list of names, each once", accepts: isListOf(isName) },
  combinations: {
    expected: "weights of factors by the name of a combination",
    accepts: (value) =>
      isPlainObject(value) &&
      Object.entries(value).every(([name, weights]) =>
        isName(name) && isPlainObject(weights) && Object.keys(weights).length > 0 &&
        Object.entries(weights).every(([factor, weight]) => isName(factor) && isWeight(weight))
      ),
  },
  transforms: {
    expected: `a list of ${TRANSFORMS.join(", ")}`,
    accepts: isListOf((value) => TRANSFORMS.includes(String(value))),
  },
  lags: {
    expected: "a list of whole numbers of sessions, at least 0",
    accepts: isListOf(isWhole(0)),
  },
  universes: {
    expected: "lists of tickers, or of { ticker, from, to } with days, by the name of a universe " +
      "other than all",
    accepts: (value) =>
      isPlainObject(value) &&
      Object.entries(value).every(([name, tickers]) =>
        isName(name) && name !== "all" && isListOf(isMember)(tickers)
      ),
  },
  horizons: {
    expected: "a list of whole numbers of sessions, at least 1",
    accepts: isListOf(isWhole(1)),
  },
  entry: { expected: '"next" or "same"', accepts: (value) => value === "next" || value === "same" },
  minNames: { expected: "a whole number of at least 2", accepts: isWhole(2) },
  calendar: { expected: '"us" or "own"', accepts: (value) => value === "us" || value === "own" },
};

/**
 * Reads a sweep: every factor and combination with every transform, lag and universe. Transforms of a single factor keep the
 * order of its scores and so its rank ICs: they are one variant, which has the name of the first.
 *
 * ```json
 * {
 *   "factors": ["ecpnd", "ecqdi"],
 *   "combinations": { "both": { "ecpnd": 0.5, "ecqdi": 0.5 } },
 *   "transforms": ["none", "rank"],
 *   "lags": [0, 5],
 *   "universes": { "large": ["AAA", { "ticker": "BBB", "from": "2024-01-02", "to": "2025-06-30" }] },
 *   "horizons": [1, 5, 21]
 * }
 * ```
 *
 * `factors` or `combinations` is required. Defaults: `transforms` ["none"], `lags` [0], no `universes`, which means all
 * tickers (with universes: all tickers, and each universe), `horizons` [1, 5, 21], `entry` "next", `minNames`
 * 10, `calendar` "us". A ticker of a universe is in it always, or from a day to another, both included, as often as the list
 * says. Only the ICs of a variant are computed, which do not depend on `rebalance`. A combination has the
 * tickers with a row in all of its factors, and no score where one of them has none.
 *
 * @param text The text of the file
 * @param path Its name in messages
 * @throws {TypeError} If it is not JSON, or a field is unknown or malformed
 */
export function parseSweep(text: string, path: string): Sweep {
  const file = { ...DEFAULTS, ...readFile(text, path) };
  const factors = [
    ...file.factors.map((factor) => [factor, { [factor]: 1 }] as const),
    ...Object.entries(file.combinations),
  ];
  const universes = [["all", null] as const, ...Object.entries(file.universes)];
  const variants = factors.flatMap(([factor, weights]) =>
    file.transforms.flatMap((transform) =>
      file.lags.flatMap((lag) =>
        universes.map(([universe, tickers]) => {
          const options = { factor, transform, lag, universe };
          const name = variantName(options);
          return { name, weights, transform, lag, universe: toMembers(tickers), options };
        })
      )
    )
  );
  assertDistinct(variants.map(({ name }) => name), path);
  const { horizons, entry, minNames, calendar } = file;
  const question = { periods: horizons, entry, minNames, calendar, lags: [1] };
  return { variants: oncePerTest(variants), question };
}

/** The first variant of each test; the transforms of a single factor keep its ranks. */
function oncePerTest<V extends Variant>(variants: readonly V[]): readonly (V & Also)[] {
  return [...Map.groupBy(variants, rankText).values()].map(([first, ...others]) => ({
    ...first!,
    also: others.map(({ name }) => name),
  }));
}

function toMembers(tickers: readonly GivenMember[] | null): readonly DatedMember[] | null {
  return tickers?.map((one) => typeof one === "string" ? { ticker: one } : one) ?? null;
}

const DEFAULTS: SweepFile = {
  factors: [],
  combinations: {},
  transforms: ["none"],
  lags: [0],
  universes: {},
  horizons: [1, 5, 21],
  entry: "next",
  minNames: 10,
  calendar: "us",
};

function readFile(text: string, path: string): Partial<SweepFile> {
  const value = parse(text, path);
  for (const [name, content] of Object.entries(value)) {
    if (!Object.hasOwn(FIELDS, name)) {
      throw new TypeError(
        `Cannot read the sweep ${path}: expected the fields ${
          Object.keys(FIELDS).join(", ")
        }, got ` +
          JSON.stringify(name) + adviceOf(name),
      );
    }
    const { expected, accepts } = FIELDS[name as FieldName];
    if (accepts(content)) continue;
    throw new TypeError(
      `Cannot read the sweep ${path}: expected ${name} to be ${expected}, got ` +
        JSON.stringify(content).slice(0, 120),
    );
  }
  if (value["factors"] !== undefined || value["combinations"] !== undefined) return value;
  throw new TypeError(
    `Cannot read the sweep ${path}: expected factors or combinations, got neither; write ` +
      '{ "factors": ["ecpnd"], "lags": [0, 5] }',
  );
}

function adviceOf(name: string): string {
  if (name === "quantiles") return "; a sweep measures ICs, which have no quantiles; use analyse";
  if (!OF_BOOK.includes(name)) return "";
  return `; a sweep measures ICs and has no portfolio; use analyse --${name}`;
}

function parse(text: string, path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new TypeError(
      `Cannot read the sweep ${path}: expected JSON, got ${(cause as Error).message}`,
      { cause },
    );
  }
  if (isPlainObject(value)) return value;
  throw new TypeError(
    `Cannot read the sweep ${path}: expected an object, got ${JSON.stringify(value).slice(0, 60)}`,
  );
}

function assertDistinct(names: readonly string[], path: string): void {
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  if (doubled === undefined) return;
  throw new TypeError(
    `Cannot read the sweep ${path}: expected variants with distinct names, got ${doubled} twice; ` +
      "rename the combination or the universe",
  );
}
