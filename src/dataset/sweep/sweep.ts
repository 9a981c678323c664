import type { Transform } from "../../analysis/cross_section/transform_column.ts";
import type { PartOptions } from "../part/part_facts.ts";
import { type Variant, variantName, type VariantOptions } from "./variant.ts";

/** Many variants of factors, and what is asked of each. */
export interface Sweep {
  /** The variants, in the order of the file. */
  readonly variants: readonly (Variant & { readonly options: VariantOptions })[];
  /** What is asked of each one. */
  readonly question: Pick<PartOptions, "periods" | "quantiles" | "entry" | "lags">;
}

interface SweepFile {
  readonly factors: readonly string[];
  readonly combinations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly transforms: readonly Transform[];
  readonly lags: readonly number[];
  readonly universes: Readonly<Record<string, readonly string[]>>;
  readonly horizons: readonly number[];
  readonly quantiles: number;
  readonly entry: "next" | "same";
}

type FieldName = keyof SweepFile;

interface Field {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

// Names become folders.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.]*(?:-[A-Za-z0-9_.]+)*$/;
const TRANSFORMS: readonly string[] = ["none", "rank", "zscore"] satisfies Transform[];

const isName = (value: unknown) => typeof value === "string" && NAME.test(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isListOf = (accepts: (value: unknown) => boolean) => (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(accepts) &&
  new Set(value).size === value.length;
const isWhole = (from: number) => (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= from;
const isWeight = (value: unknown) => Number.isFinite(value) && value !== 0;

const FIELDS: Readonly<Record<FieldName, Field>> = {
  factors: { expected: "a list of names, each once", accepts: isListOf(isName) },
  combinations: {
    expected: "weights of factors by the name of a combination",
    accepts: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, weights]) =>
        isName(name) && isObject(weights) && Object.keys(weights).length > 0 &&
        Object.entries(weights).every(([factor, weight]) => isName(factor) && isWeight(weight))
      ),
  },
  transforms: {
    expected: `a list of ${TRANSFORMS.join(", ")}`,
    accepts: isListOf((value) => TRANSFORMS.includes(String(value))),
  },
  lags: {
    expected: "a list of whole numbers of sessions from 0 on",
    accepts: isListOf(isWhole(0)),
  },
  universes: {
    expected: "lists of tickers by the name of a universe other than all",
    accepts: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, tickers]) =>
        isName(name) && name !== "all" && isListOf((ticker) => typeof ticker === "string")(tickers)
      ),
  },
  horizons: {
    expected: "a list of whole numbers of sessions from 1 on",
    accepts: isListOf(isWhole(1)),
  },
  quantiles: { expected: "a whole number from 2 on", accepts: isWhole(2) },
  entry: { expected: '"next" or "same"', accepts: (value) => value === "next" || value === "same" },
};

/**
 * Reads a sweep: every factor and combination with every transform, lag and universe.
 *
 * ```json
 * {
 *   "factors": ["ecpnd", "ecqdi"],
 *   "combinations": { "both": { "ecpnd": 0.5, "ecqdi": 0.5 } },
 *   "transforms": ["none", "rank"],
 *   "lags": [0, 5],
 *   "universes": { "large": ["AAA", "BBB"] },
 *   "horizons": [1, 5, 21]
 * }
 * ```
 *
 * Only `factors` or `combinations` have to be there. Defaults: `transforms` ["none"], `lags` [0], no `universes`, so that
 * all names count (with universes: all names, and each of them), `horizons` [1, 5, 21], `quantiles` 5, `entry` "next".
 * A combination is made of the names that have a row in all of its factors, and has no score where one of them has none.
 *
 * @param text The text of the file
 * @param path What it is called in messages
 * @throws {TypeError} If it is no JSON, or a field unknown or of another kind
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
          return { name, weights, transform, lag, universe: tickers, options };
        })
      )
    )
  );
  assertDistinct(variants.map(({ name }) => name), path);
  const { horizons, quantiles, entry } = file;
  return { variants, question: { periods: horizons, quantiles, entry, lags: [1] } };
}

const DEFAULTS: SweepFile = {
  factors: [],
  combinations: {},
  transforms: ["none"],
  lags: [0],
  universes: {},
  horizons: [1, 5, 21],
  quantiles: 5,
  entry: "next",
};

function readFile(text: string, path: string): Partial<SweepFile> {
  const value = parse(text, path);
  for (const [name, content] of Object.entries(value)) {
    if (!Object.hasOwn(FIELDS, name)) {
      throw new TypeError(
        `Cannot read the sweep ${path}: expected the fields ${
          Object.keys(FIELDS).join(", ")
        }, got ` +
          JSON.stringify(name),
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
  if (isObject(value)) return value;
  throw new TypeError(
    `Cannot read the sweep ${path}: expected an object, got ${JSON.stringify(value).slice(0, 60)}`,
  );
}

function assertDistinct(names: readonly string[], path: string): void {
  const doubled = names.find((name, i) => names.indexOf(name) !== i);
  if (doubled === undefined) return;
  throw new TypeError(
    `Cannot read the sweep ${path}: expected variants with names of their own, got ${doubled} twice; ` +
      "rename the combination or the universe",
  );
}
