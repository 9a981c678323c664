import type { DataFrame, Series } from "nodejs-polars";
import { listText } from "../../../base/arguments/list_text.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { isTicker } from "../../../base/contract/identifier.ts";
import { describe } from "../../../base/contract/violation.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { columnType } from "../../frame/times/column_type.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { chooseCloses, type ChosenCloses } from "./choose_closes.ts";
import { isDateText } from "./text_head.ts";
import {
  areTickers,
  columnsOfRole,
  fieldOfTicker,
  isFieldName,
  isIndexName,
  type PriceRole,
} from "./vendor_names.ts";

// Names that some vendors give to companies and others to tickers: their values decide.
const SURE_TICKER = /^\W*(ticker|tickers|symbol|symbols|tic|sym)\W*$/i;
const LONG_DATE = /^\d{4}-?\d{2}-?\d{2}$|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/;

/** The first rows of a source, and what messages say of it. */
export interface SourceSample {
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
  /** The first rows, with all columns. */
  readonly rows: DataFrame;
  /** Name of the file without its ending; `null` for a frame. */
  readonly stem: string | null;
}

/**
 * Chooses the columns of a table with one row per date and ticker: those that options name, else those that name themselves.
 *
 * @throws {TypeError} If one is missing or ambiguous, with the option that names it, or the layout of the source
 */
export function chooseColumns(sample: SourceSample, options: ReadPricesOptions): ChosenCloses {
  const { rows, title } = sample;
  const { columns } = rows;
  const date = options.date ?? columnsOfRole(columns, "date")
    .find((name) => !isIndexName(name) || areDates(rows, name));
  const ticker = typeof options.ticker === "string"
    ? options.ticker
    : columnsOfRole(columns, "ticker").find((name) =>
      SURE_TICKER.test(name) || areTickers(valuesOf(rows, name))
    );
  const needsTicker = typeof options.ticker !== "object";
  const closes = chooseCloses(`read ${title}`, columns, options);
  if (closes?.isAdjusted === true) {
    // Adjusted closes are only checked against factors; texts such as 2:1 are none.
    for (const [role, name] of Object.entries(closes.hints)) {
      if (!areNumbers(rows, name)) delete closes.hints[role as PriceRole];
    }
  }
  const named = { date, ...(needsTicker ? { ticker } : {}), ...closes?.roles, ...closes?.hints };
  const missing = [
    ...(date === undefined ? ["date" as const] : []),
    ...(needsTicker && ticker === undefined ? ["ticker" as const] : []),
    ...(closes === null ? ["close" as const] : []),
  ];
  const unknown = Object.values(named).find((name) =>
    name !== undefined && !columns.includes(name)
  );
  if (missing.length === 0 && unknown === undefined) {
    refuseRepeated(columns, Object.values(named) as string[], title);
    return { ...closes!, roles: named as ChosenCloses["roles"] };
  }
  const wrong = Object.entries(named).find(([, name]) => name === unknown)?.[0] as Missing[number];
  const advice = unknown !== undefined
    ? columnsAdvice(rows, [wrong], unknown)
    : shapeAdvice(sample, missing, options) ?? columnsAdvice(rows, missing);
  throw new TypeError(
    `Cannot read ${title}: expected a column ${describe(unknown ?? missing[0])}, got ${advice}`,
  );
}

type Missing = readonly ("date" | "ticker" | "close")[];

/** The probable layout of a table that lacks columns, with the option that reads it; `null` if only names differ. */
function shapeAdvice(
  sample: SourceSample,
  missing: Missing,
  options: ReadPricesOptions,
): string | null {
  const { rows } = sample;
  const { columns } = rows;
  const got = `the columns ${listText(columns)}`;
  if (columns.some((name) => LONG_DATE.test(name))) {
    return `${got}, which are data; write the names of the columns above them`;
  }
  const inField = missing.join() === "close" ? fieldAdvice(rows) : null;
  if (inField !== null) return `${got}; ${inField}`;
  if (!missing.includes("ticker") || options.ticker !== undefined) return null;
  const others = columns.filter((name) => !isIndexName(name) && !areDates(rows, name));
  if (missing.includes("close") && others.length > 0) {
    const tickers = new Set(others.map((name) => fieldOfTicker(name)?.ticker));
    if (!tickers.has(undefined)) {
      return `several fields for each of ${countTickers([...tickers] as string[])}; use layout: ` +
        '"wide"';
    }
    const isWide = columns.length > others.length && !others.some(isFieldName) &&
      others.every((name) => areNumbers(rows, name));
    if (isWide) return `a column for each of ${countTickers(others)}; use layout: "wide"`;
  }
  const isText = (name: string) =>
    !isIndexName(name) && !areDates(rows, name) && !areNumbers(rows, name) && !isFieldName(name) &&
    valuesOf(rows, name).some((value) => !/\d/.test(String(value)));
  return missing.join() === "ticker" && !rows.columns.some(isText)
    ? `${got}, as in a file of one ticker; ${oneTickerAdvice(sample)}`
    : null;
}

function countTickers(names: readonly string[]): string {
  return `${groupThousands(names.length)} ${names.length === 1 ? "ticker" : "tickers"} ` +
    `(${listText(names, 3)})`;
}

/** The options that give a source without a column of tickers its one ticker. */
function oneTickerAdvice({ stem }: SourceSample): string {
  const text = 'use ticker: { text: "…" } with its ticker instead of the dots';
  return stem !== null && isTicker(stem)
    ? `use ticker: { file: "*" } if the name of the file is its ticker, or ${text}`
    : text;
}

/** Advice for a table whose rows are the fields of a bar. */
function fieldAdvice(rows: DataFrame): string | null {
  const values = rows.columns.filter((name) =>
    areNumbers(rows, name) && !isFieldName(name) && !isIndexName(name)
  );
  const field = rows.columns.find((name) => {
    const texts = valuesOf(rows, name);
    return texts.length > 0 && texts.every((text) => isFieldName(String(text)));
  });
  if (field === undefined || values.length !== 1) return null;
  const fields = [...new Set(valuesOf(rows, field) as string[])];
  const [adjusted, plain] = [columnsOfRole(fields, "adjusted"), columnsOfRole(fields, "plain")];
  const close = adjusted[0] ?? (plain.length === 1 ? plain[0] : "…");
  return `use { only: { ${keyText(field)}: ${describe(close)} }, close: ${describe(values[0])} }`;
}

function keyText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** The columns, and for each missing one the option with the column whose values fit. */
function columnsAdvice(rows: DataFrame, missing: Missing, unknown = ""): string {
  const { columns } = rows;
  const fits: Readonly<Partial<Record<string, (name: string) => boolean>>> = {
    date: (name) => areDates(rows, name),
    ticker: (name) => areTickers(valuesOf(rows, name)) && !isFieldName(name),
    close: (name) => areNumbers(rows, name) && !isFieldName(name) && !isIndexName(name),
  };
  const shown = missing.map((option) => {
    const found = columns.filter((name) => fits[option]?.(name) ?? true);
    const near = nearestName(unknown, found) ?? (found.length === 1 ? found[0]! : null);
    return `${option}: ${near === null ? '"…"' : describe(near)}`;
  });
  if (unknown !== "" && shown[0]!.endsWith('"…"')) return `the columns ${listText(columns)}`;
  const dots = shown.some((text) => text.endsWith('"…"')) ? " with a name instead of the dots" : "";
  return `the columns ${listText(columns)}; give the names of yours, such as { ` +
    `${shown.join(", ")} }${dots}`;
}

function refuseRepeated(columns: readonly string[], names: readonly string[], title: string): void {
  const twice = names.find((name) => columns.includes(`${name}_duplicated_0`));
  if (twice === undefined) return;
  throw new TypeError(
    `Cannot read ${title}: expected one column ${describe(twice)}, got several with that name; ` +
      "rename or drop the others in the source",
  );
}

const COLUMNS = new WeakMap<DataFrame, ReadonlyMap<string, Series>>();

// Polars looks each name up among all: seconds for the questions that are asked of a thousand columns.
function columnOf(rows: DataFrame, name: string): Series {
  const known = COLUMNS.get(rows) ??
    new Map(rows.getColumns().map((column) => [column.name, column]));
  COLUMNS.set(rows, known);
  return known.get(name)!;
}

/** Values of a column of the sample that are not missing. */
export function valuesOf(rows: DataFrame, name: string): readonly unknown[] {
  return (columnOf(rows, name).toArray() as unknown[]).filter((value) => value !== null);
}

/** `true` if the values of a column look like dates. */
export function areDates(rows: DataFrame, name: string): boolean {
  if (/^Date/.test(columnType(columnOf(rows, name)).name)) return true;
  const values = valuesOf(rows, name);
  return values.length > 0 && isDateText(String(values[0]));
}

function areNumbers(rows: DataFrame, name: string): boolean {
  const values = valuesOf(rows, name).map((value) => String(value).trim())
    .filter((text) => /\d/.test(text));
  return values.length > 0 && !areDates(rows, name) &&
    values.every((text) => /^[-+$€£¥]?[\d.,' ]+([eE][+-]?\d+)?%?$/.test(text));
}
