import pl, { type DataFrame } from "nodejs-polars";
import { listText } from "../../../base/arguments/list_text.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { describe } from "../../../base/contract/violation.ts";
import type { PriceNames, SourceOptions } from "./price_source.ts";
import { FIELD, INDEX, tableShape } from "./table_shape.ts";
import { refuseOtherText } from "./refuse_other_text.ts";
import { refuseTwoCloses } from "./refuse_two_closes.ts";

const USUAL: PriceNames = { date: "date", ticker: "ticker", close: "close" };
/** A lazy or eager frame whose columns can be selected. */
interface Selectable<Frame> {
  readonly columns: readonly string[];
  select(...names: string[]): Frame;
}

/**
 * Selects the columns of prices: date, ticker and close; all columns of a wide table.
 *
 * @throws {TypeError} If one is missing or ambiguous, with a guess at the layout of the source
 */
export function chooseColumns<Frame>(
  frame: Selectable<Frame>,
  { names, separator, layout }: Pick<SourceOptions, "names" | "separator" | "layout">,
  title: string,
): { readonly columns: readonly string[]; readonly names: PriceNames } {
  const { columns } = frame;
  refuseOtherText(columns, separator, title);
  if (layout === "wide") return { columns, names: wideNames(columns, names, title) };
  const named = { ...USUAL, ...names };
  if (names.close === undefined) refuseTwoCloses(`read ${title}`, columns, "{ close: NAME }");
  assertNames(columns, { named, given: names }, title);
  refuseRepeated(columns, named, title);
  return { columns: [...new Set(Object.values(named))], names: named };
}

/** Renames the columns to `date`, `ticker` and `close`; a wide table becomes one row per date and ticker. */
export function toLong(
  frame: DataFrame,
  { date, ticker, close }: PriceNames,
  layout: "long" | "wide",
): DataFrame {
  const long = layout === "long" ? frame : frame.unpivot(
    [date],
    frame.columns.filter((name) => name !== date),
    { variableName: ticker, valueName: close },
  );
  return long.select(
    pl.col(date).alias("date"),
    pl.col(ticker).alias("ticker"),
    pl.col(close).alias("close"),
  );
}

function wideNames(
  columns: readonly string[],
  { date }: Partial<PriceNames>,
  title: string,
): PriceNames {
  const found = date ?? columns.find((name) => INDEX.test(name) && name !== "");
  const chosen = found ?? (columns[0] === "" ? "" : undefined);
  if (chosen === undefined || !columns.includes(chosen)) {
    throw new TypeError(
      `Cannot read ${title}: expected a column of dates ${describe(date ?? "date")} beside the ` +
        `tickers, got the columns ${
          listText(columns)
        }; give its name, such as { layout: "wide", date: ` +
        `${describe(columns[0] ?? "Date")} }`,
    );
  }
  const tickers = columns.filter((name) => name !== chosen);
  const fields = tickers.filter((name) => FIELD.test(name));
  const repeated = tickers.find((name) => /_duplicated_\d+$/.test(name));
  if (fields.length > 0 || repeated !== undefined) {
    const wrong = fields.length > 0 ? fields : [repeated!];
    throw new TypeError(
      `Cannot read ${title}: expected one column of closes for each ticker, got ${
        listText(wrong)
      }; ` +
        "keep one of them per ticker",
    );
  }
  return { date: chosen, ticker: "the ticker of a column", close: "the close of a ticker" };
}

function refuseRepeated(columns: readonly string[], names: PriceNames, title: string): void {
  const twice = Object.values(names).find((name) => columns.includes(`${name}_duplicated_0`));
  if (twice === undefined) return;
  throw new TypeError(
    `Cannot read ${title}: expected one column ${
      describe(twice)
    }, got several with that name; rename ` +
      "or drop the others in the source",
  );
}

interface Asked {
  readonly named: PriceNames;
  readonly given: Partial<PriceNames>;
}

function assertNames(columns: readonly string[], { named, given }: Asked, title: string): void {
  const missing = (Object.entries(named) as [keyof PriceNames, string][])
    .filter(([, name]) => !columns.includes(name));
  const [first] = missing;
  if (first === undefined) return;
  const [, name] = first;
  const options = missing.map(([option]) => option);
  throw new TypeError(
    `Cannot read ${title}: expected a column ${describe(name)}, got ${
      tableShape(columns, options, given) ?? plainAdvice(columns, options, named)
    }`,
  );
}

function plainAdvice(
  columns: readonly string[],
  missing: readonly (keyof PriceNames)[],
  named: PriceNames,
): string {
  // A column that another option names is not a candidate for the missing one.
  const others = columns.filter((column) => !Object.values(named).includes(column));
  const found = missing.flatMap((option) => {
    const near = nearestName(named[option], others) ?? nearestName(option, others);
    return near === null ? [] : [`${option}: ${describe(near)}`];
  });
  const [option] = missing;
  const shown = found.length > 0 ? found : [`${option}: ${describe(others[0] ?? "Name")}`];
  return `the columns ${listText(columns)}; give the names of yours, such as { ${
    shown.join(", ")
  } }`;
}
