import * as frames from "nodejs-polars/bin/dataframe.js";
import * as lazyFrames from "nodejs-polars/bin/lazy/dataframe.js";
import * as expressions from "nodejs-polars/bin/lazy/expr/index.js";
import * as series from "nodejs-polars/bin/series/index.js";
import { type Operand, operatorError } from "./operator_error.ts";
import { withPlainErrors } from "./plain_errors.ts";

/** Functions of a module of nodejs-polars that create its objects, by name. */
export type Makers = Record<string, (...native: never[]) => object>;

/** Modules of nodejs-polars that create possible operands. */
export interface PolarsModules {
  /** Creates frames. */
  readonly frames: Makers;
  /** Creates lazy frames. */
  readonly lazyFrames: Makers;
  /** Creates expressions. */
  readonly expressions: Makers;
  /** Creates the columns of frames. */
  readonly series: Makers;
}

const GUARDED = Symbol.for("scoreframe.guarded");

refuseOperators({
  frames: makersOf(frames),
  lazyFrames: makersOf(lazyFrames),
  expressions: makersOf(expressions),
  series: makersOf(series),
});

/**
 * Makes Polars refuse the operators of JavaScript, as soon as this library is imported: `pl.col("x") > 0.5` is `false` and
 * `pl.col("x") - 0.5` is NaN, without an error, because JavaScript does not let objects define operators.
 *
 * Expressions, frames, lazy frames and columns of frames throw when JavaScript converts them to a primitive value, with the
 * method to use; conversion to text (`String(x)`, a template, `console.log`) is unchanged. JavaScript does not convert the
 * operands of `===`, `!==`, `!`, `&&`, `||`, or of `==` between two objects, so those cannot be caught. Errors of a query lose
 * the query plan. Nothing else of Polars changes.
 *
 * @param modules Modules of nodejs-polars
 */
function refuseOperators({ frames, lazyFrames, expressions, series }: PolarsModules): void {
  guard(frames, "_DataFrame", (frame) => refuse(frame, "frame"));
  guard(lazyFrames, "_LazyDataFrame", (frame) => withPlainErrors(refuse(frame, "lazy frame")));
  guard(series, "_Series", (column) => refuse(column, "column"));
  for (const name of ["_Expr", "Expr"]) {
    guard(expressions, name, (expression) => refuse(expression, "expression"));
  }
}

function makersOf(module: object): Makers {
  return (module as { readonly default: Makers }).default;
}

function guard(module: Makers, name: string, protect: (made: object) => object): void {
  const make = module[name] as Makers[string] & { readonly [GUARDED]?: true };
  if (make[GUARDED] === true) return;
  const guarded = (...native: never[]) => protect(make(...native));
  module[name] = Object.assign(guarded, make, { [GUARDED]: true as const });
}

function refuse(made: object, operand: Operand): object {
  return Object.defineProperty(made, Symbol.toPrimitive, {
    value: (hint: "number" | "string" | "default") => {
      if (hint === "string") return textOf(made);
      throw operatorError(operand, { text: textOf(made), isAddition: hint === "default" });
    },
    configurable: true,
  });
}

/** JavaScript's conversion of an object to text. */
function textOf(made: object): string {
  return (made as { toString(): string }).toString();
}
