import { describe } from "../../../base/contract/violation.ts";
import type { PriceFactors, ReadPricesOptions } from "../prices_options.ts";
import { columnsOfRole } from "../vendor_names.ts";

/** A column of closes, and what its name claims. */
export interface CloseColumn {
  /** Its name. */
  readonly name: string;
  /** Claim of its name: adjusted closes, those adjusted for splits alone, closes as traded, or none of these. */
  readonly claim: "adjusted" | "splits" | "plain" | "raw";
}

/** Columns that say something of the closes. */
export interface PriceColumns {
  /** Names of all columns of the source. */
  readonly all: readonly string[];
  /** Columns of closes. */
  readonly closes: readonly CloseColumn[];
  /** Columns of factors; one without a name for it is only looked at. */
  readonly factors: readonly { readonly name: string; readonly isNamed: boolean }[];
  /** Column of dividends; `null` without one. */
  readonly dividend: string | null;
  /** Column of returns that stand beside closes; `null` without one. */
  readonly returns: string | null;
  /** Column of delisting returns; `null` without one. */
  readonly delisting: string | null;
}

/**
 * The columns that say something of the closes, by their names and options.
 *
 * @param held Columns of numbers that seldom change, such as factors that have other names
 */
export function priceColumns(
  columns: readonly string[],
  { close, raw, adjusted, factor = {} }: ReadPricesOptions,
  held: readonly string[] = [],
): PriceColumns {
  const isOwn = columns.includes("close") && columns.includes("raw");
  const claims = new Map<string, CloseColumn["claim"]>();
  for (const name of columnsOfRole(columns, "raw")) claims.set(name, "raw");
  for (const name of columnsOfRole(columns, "plain")) claims.set(name, "plain");
  for (const name of columnsOfRole(columns, "adjusted")) {
    claims.set(name, /split/i.test(name) ? "splits" : "adjusted");
  }
  if (isOwn) claims.set("close", "adjusted");
  if (close !== undefined && !claims.has(close)) claims.set(close, "plain");
  if (raw !== undefined && raw !== close) claims.set(raw, "raw");
  if (close !== undefined && adjusted !== undefined) {
    claims.set(close, adjusted === true ? "adjusted" : adjusted === false ? "raw" : "plain");
  }
  const closes = [...claims].map(([name, claim]) => ({ name, claim }));
  const { dividend, ...others } = factor;
  const given = Object.values(others).flat() as string[];
  const [paid = null] = [dividend ?? [], ...columnsOfRole(columns, "dividend")].flat() as string[];
  const named = [...new Set([...given, ...columnsOfRole(columns, "factor")])];
  const isFree = (name: string) => !claims.has(name) && name !== paid;
  return {
    all: columns,
    closes,
    factors: [
      ...named.filter(isFree).map((name) => ({ name, isNamed: true })),
      ...held.filter((name) => isFree(name) && !named.includes(name))
        .map((name) => ({ name, isNamed: false })),
    ],
    dividend: paid,
    returns: columnsOfRole(columns, "returns")[0] ?? null,
    delisting: columnsOfRole(columns, "delisting")[0] ?? null,
  };
}

/** Names of the columns that are read for the closes. */
export function namesOfCloses({ closes, factors, dividend }: PriceColumns): readonly string[] {
  return [
    ...[...closes, ...factors].map(({ name }) => name),
    ...dividend === null ? [] : [dividend],
  ];
}

/** Use of a column, and the evidence for it: dates and numbers that show it, or the habit behind it. */
export type ColumnFact = Readonly<Record<"column" | "is" | "because", string>>;

/** Columns and options whose closes are judged. */
export interface CloseQuestion {
  /** Such as `read the prices of closes.csv`. */
  readonly action: string;
  /** The columns. */
  readonly columns: PriceColumns;
  /** The options of the reader. */
  readonly options: ReadPricesOptions;
  /** Text of the call that has some options. */
  readonly call: (options: string) => string;
}

/** A column that an option names, with a reading of it, or `dividend`. */
export type GivenFactor = Readonly<Record<"role" | "name", string>>;

/** The columns of an option `factor`. */
export function givenFactors(factor: PriceFactors = {}): readonly GivenFactor[] {
  return Object.entries(factor).flatMap(([role, names]) =>
    [names as string | readonly string[]].flat().map((name) => ({ role, name }))
  );
}

/** The option `factor` with columns. */
export function factorText(roles: readonly GivenFactor[]): string {
  const grouped = Map.groupBy(roles, ({ role }) => role);
  const parts = [...grouped].map(([role, list]) => {
    const names = list.map(({ name }) => describe(name));
    return `${role}: ${names.length === 1 ? names[0] : `[${names.join(", ")}]`}`;
  });
  return `factor: { ${parts.join(", ")} }`;
}
