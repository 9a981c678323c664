/** Operand of an operator. */
export type Operand = "expression" | "column" | "frame" | "lazy frame";

/** JavaScript's hint about an operation, available before it is executed. */
export interface Operation {
  /** The text of the operand. */
  readonly text: string;
  /** `true` for `+` and `==`, which JavaScript does not distinguish. */
  readonly isAddition: boolean;
}

const MAX_TEXT = 60;
const ADVICE: Readonly<Record<Operand, readonly [addition: string, other: string]>> = {
  expression: [
    'use .add, .eq or .neq, such as NAME.add(1) or NAME.eq(pl.lit("text"))',
    "use .gt, .gtEq, .lt, .ltEq, .sub, .mul, .div, .pow, .abs, .and or .or, such as NAME.gt(0.5)",
  ],
  column: [
    "use an expression, such as frame.filter(NAME.eq(1)) or frame.withColumns(NAME.add(1))",
    "use an expression, such as frame.filter(NAME.gt(0.5)) or frame.withColumns(NAME.sub(0.5))",
  ],
  frame: [
    'write an expression of its columns, such as frame.select(pl.col("x").add(1))',
    'write an expression of its columns, such as frame.filter(pl.col("x").gt(0.5))',
  ],
  "lazy frame": [
    'write an expression of its columns, such as frame.select(pl.col("x").add(1))',
    'write an expression of its columns, such as frame.filter(pl.col("x").gt(0.5))',
  ],
};

/** Error for an expression, column or frame of Polars as the operand of a JavaScript operator, with the method to use. */
export function operatorError(operand: Operand, { text, isAddition }: Operation): TypeError {
  const [addition, other] = ADVICE[operand];
  const got = isAddition ? "+ or ==" : "one of > >= < <= - * / % ** & | or a function of Math";
  const what = operand === "expression" || operand === "column"
    ? `the ${operand} ${shorten(nameIn(operand, text))}`
    : `a ${operand}`;
  const example = (isAddition ? addition : other).replaceAll("NAME", exampleOf(operand, text));
  return new TypeError(
    `Cannot apply an operator to ${what}: expected a method, got ${got}, which JavaScript would apply to the object and not to its values; ${example}`,
  );
}

/** Name of a column, which Polars prints above its values. */
function nameIn(operand: Operand, text: string): string {
  if (operand === "expression") return text.replace(/\s+/g, " ");
  return JSON.stringify(/^Series: '(.*)'/m.exec(text)?.[1] ?? "");
}

function exampleOf(operand: Operand, text: string): string {
  const name = operand === "column"
    ? /^Series: '(.*)'/m.exec(text)?.[1]
    : /^col\("([^"]*)"\)$/.exec(text)?.[1];
  return `pl.col(${JSON.stringify(name !== undefined && name.length <= MAX_TEXT ? name : "x")})`;
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
