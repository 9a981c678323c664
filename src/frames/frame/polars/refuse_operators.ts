import * as frames from "nodejs-polars/bin/dataframe.js";
import * as lazyFrames from "nodejs-polars/bin/lazy/dataframe.js";
import * as expressions from "nodejs-polars/bin/lazy/expr/index.js";
import * as series from "nodejs-polars/bin/series/index.js";
import { type FrameKind, refuseForeignNames } from "./foreign_names.ts";
import { mendColumn, mendFrame, replace } from "./mend_calls.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";

const SHOWN_COLUMNS = 12;

const MAX_NAME = 80;

const MAX_TEXT = 60;

const OF_COLUMNS = [
  'write an expression of its columns, such as frame.select(pl.col("x").add(1))',
  'write an expression of its columns, such as frame.filter(pl.col("x").gt(0.5))',
] as const;
const ADVICE: Readonly<Record<FrameKind, readonly [addition: string, other: string]>> = {
  expression: [
    'use .add, .eq or .neq, such as NAME.add(1) or NAME.eq(pl.lit("text"))',
    "use .gt, .gtEq, .lt, .ltEq, .sub, .mul, .div, .pow, .abs, .and or .or, such as NAME.gt(0.5)",
  ],
  column: [
    "use an expression, such as frame.filter(NAME.eq(1)) or frame.withColumns(NAME.add(1))",
    "use an expression, such as frame.filter(NAME.gt(0.5)) or frame.withColumns(NAME.sub(0.5))",
  ],
  frame: OF_COLUMNS,
  "lazy frame": OF_COLUMNS,
};

const GUARDED: unique symbol = Symbol.for("scoreframe.guarded") as never;
type Maker = ((...native: never[]) => object) & { readonly [GUARDED]?: true };

refuseOperators();

/**
 * Makes Polars refuse the operators of JavaScript, as soon as this library is imported: `pl.col("x") > 0.5` is `false` and
 * `pl.col("x") - 0.5` is NaN, without an error, because JavaScript does not let objects define operators.
 *
 * Expressions, frames, lazy frames and columns of frames throw when JavaScript converts them to a primitive value, with the
 * method to use; conversion to text (`String(x)`, a template, `console.log`) is unchanged. JavaScript does not convert the
 * operands of `===`, `!==`, `!`, `&&`, `||`, or of `==` between two objects: the booleans that they give are refused by `filter` and `where`; `a && b` is
 * `b` and cannot be caught. Errors of a query lose
 * the query plan, and that of a missing column has the existing ones. Names of pandas and of Polars in Python are refused with the call to write
 * instead, and calls that would end without words are mended. Nothing else of Polars changes.
 */
function refuseOperators(): void {
  guard(frames, "_DataFrame", (frame) => {
    mendFrame(frame);
    return withNamedColumns(refuse(frame, "frame"));
  });
  guard(lazyFrames, "_LazyDataFrame", (frame) => withPlainErrors(refuse(frame, "lazy frame")));
  guard(series, "_Series", (column) => {
    mendColumn(column);
    return refuse(column, "column");
  });
  for (const name of ["_Expr", "Expr"]) {
    guard(expressions, name, (expression) => refuse(expression, "expression"));
  }
}

/** Wraps the function of a module that creates its objects. */
function guard(module: object, name: string, protect: (made: object) => object): void {
  const { default: makers } = module as { readonly default: Record<string, Maker> };
  const make = makers[name]!;
  if (make[GUARDED] === true) return;
  const guarded = (...native: never[]) => protect(make(...native));
  makers[name] = Object.assign(guarded, make, { [GUARDED]: true as const });
}

function refuse(made: object, operand: FrameKind): object {
  refuseForeignNames(made, operand);
  for (const name of ["filter", "where"]) withCondition(made, name);
  return Object.defineProperty(made, Symbol.toPrimitive, {
    value: (hint: "number" | "string" | "default") => {
      if (hint === "string") return textOf(made);
      throw operatorError(operand, textOf(made), hint === "default");
    },
    configurable: true,
  });
}

/** Makes a filter refuse what `===`, `!==`, `!` and `||` leave of a condition. */
function withCondition(made: object, name: string): void {
  replace(made, name, (filter) => (...given) => {
    const [condition] = given;
    if (typeof condition === "function") {
      throw new TypeError(
        "Cannot filter rows: expected a condition on columns, got a function of a row; write an expression, such as " +
          'frame.filter(pl.col("x").gt(0.5))',
      );
    }
    if (typeof condition !== "boolean") return filter(...given);
    const kept = condition ? "every row" : "none";
    throw new TypeError(
      `Cannot filter rows: expected a condition on their values, got ${condition}, which keeps ${kept}: ` +
        "JavaScript applies ===, !==, ! and || to the objects; use methods, such as " +
        'pl.col("x").neq(pl.lit("A")), pl.col("x").eq(1).not() or a.and(b)',
    );
  });
}

/** JavaScript's conversion of an object to text. */
function textOf(made: object): string {
  return (made as { toString(): string }).toString();
}

/** Error for an expression, column or frame of Polars as the operand of a JavaScript operator, with the method to use. */
function operatorError(operand: FrameKind, text: string, isAddition: boolean): TypeError {
  const [addition, other] = ADVICE[operand];
  const got = isAddition ? "+ or ==" : "one of > >= < <= - * / % ** & | or a function of Math";
  // Polars prints the name of a column above its values.
  const name = operand === "expression"
    ? text.replace(/\s+/g, " ")
    : JSON.stringify(/^Series: '(.*)'/m.exec(text)?.[1] ?? "");
  const shown = name.length > MAX_TEXT ? `${name.slice(0, MAX_TEXT)}…` : name;
  const what = operand === "expression" || operand === "column"
    ? `the ${operand} ${shown}`
    : `a ${operand}`;
  const example = (isAddition ? addition : other).replaceAll("NAME", exampleOf(operand, text));
  return new TypeError(
    `Cannot apply an operator to ${what}: expected a method, got ${got}, which JavaScript would apply to the object and not to its values; ${example}`,
  );
}

function exampleOf(operand: FrameKind, text: string): string {
  const name = operand === "column"
    ? /^Series: '(.*)'/m.exec(text)?.[1]
    : /^col\("([^"]*)"\)$/.exec(text)?.[1];
  return `pl.col(${JSON.stringify(name !== undefined && name.length <= MAX_TEXT ? name : "x")})`;
}

/**
 * Removes the query plan that Polars adds to the errors of a lazy frame's query; a missing column is reported with the existing
 * ones. Frames of Polars run their queries through a lazy one.
 */
function withPlainErrors(frame: object): object {
  for (const name of ["collect", "collectSync"]) {
    replace(frame, name, (collect) => (...options) => {
      const refuse = (error: unknown) => {
        throw plainError(error);
      };
      try {
        const result = collect(...options);
        return result instanceof Promise ? result.catch(refuse) : result;
      } catch (error) {
        return refuse(error);
      }
    });
  }
  return frame;
}

// These look the names up themselves, and say of a missing one only that it is not found.
const BY_NAME = ["getColumn", "drop", "select", "sort", "unique", "join"];

function withNamedColumns(frame: object): object {
  for (const name of BY_NAME) {
    replace(frame, name, (method) => (...given) => {
      try {
        return method(...given);
      } catch (error) {
        const found = error instanceof Error &&
          /^not found: "(.*)" not found$/s.exec(error.message);
        if (!found) throw error;
        const [, missing = ""] = found;
        // Of two frames that are joined the second one can lack it.
        const lacking = [frame, ...given]
          .map((one) => (one as { readonly columns?: readonly string[] } | null)?.columns)
          .find((columns) => columns !== undefined && !columns.includes(missing));
        throw new MissingColumnError(missing, lacking ?? [], { cause: error });
      }
    });
  }
  return frame;
}

function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [first = ""] = error.message.split(/\n+Resolved plan until failure/);
  const found = /unable to find column "(.*)"; valid columns: \[(.*)\]$/s.exec(first);
  if (found !== null) {
    const names = [...found[2]!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, column]) => column!);
    return new MissingColumnError(found[1]!, names, { cause: error, isQuery: true });
  }
  return first === error.message ? error : new Error(first, { cause: error });
}

/** A column that a frame lacks. */
export class MissingColumnError extends Error {
  /** Its name. */
  readonly column: string;
  /** The message without its advice. */
  readonly fault: string;

  constructor(
    name: string,
    names: readonly string[],
    { isQuery = false, ...options }: ErrorOptions & { readonly isQuery?: boolean },
  ) {
    const shown = names.slice(0, SHOWN_COLUMNS).join(", ");
    const cut = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
    const fault =
      `Cannot find the column "${cut}": expected one of ${shown || "no columns at all"}` +
      (names.length > SHOWN_COLUMNS ? `, … ${names.length - SHOWN_COLUMNS} more` : "");
    const near = nearText(name, names, "?") || "take one of them";
    super(`${fault}; ${isQuery ? queryAdvice(name, cut, names) : near}`, options);
    this.column = cut;
    this.fault = fault;
  }
}

/** The message of an error of Polars, without its plan of the query or advice for the caller of Polars. */
export function faultOf(error: unknown): string {
  if (error instanceof MissingColumnError) return error.fault;
  return String(error instanceof Error ? error.message : error).split("\n")[0]!;
}

function nearText(name: string, columns: readonly string[], end: string): string {
  const near = nearestName(name, columns);
  return near === null ? "" : `did you mean "${near}"${end}`;
}

function queryAdvice(name: string, cut: string, columns: readonly string[]): string {
  // A condition as for `query` of pandas.
  if (/[<>=&|+*/]/.test(name)) {
    return 'a string is the name of a column; conditions are written with methods, such as pl.col("x").gt(0.5)';
  }
  if (/^\d{4}-\d\d-\d\d/.test(name)) {
    return `a string is the name of a column; a date is pl.lit(new Date("${cut}")), and an instant that with ` +
      '.cast(pl.Datetime("ms", "UTC"))';
  }
  return `${nearText(name, columns, "? ")}a string is the name of a column; the string itself is ` +
    `pl.lit("${cut}"), such as pl.col("ticker").eq(pl.lit("${cut}"))`;
}
