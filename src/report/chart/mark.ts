import type { ChartSpec } from "./chart_spec.ts";

/** Rows of marks, and their drawing. */
export interface MarkOptions {
  /** The rows, or the name of rows that several pictures share. @default those of the picture */
  readonly rows?: readonly object[] | string | undefined;
  /** Condition of a row that is drawn, as an expression of Vega. @default every row is drawn */
  readonly where?: string | undefined;
  /** Steps that rows go through before they are drawn. @default none */
  readonly transform?: readonly ChartSpec[];
  /** Panning and zooming. @default none */
  readonly params?: readonly ChartSpec[] | undefined;
  /** A channel, which is an object, or a look, such as `opacity`. */
  readonly [name: string]: unknown;
}

/** Looks that are objects. */
const LOOKS = ["point", "width"];

/**
 * Marks of one type: a layer, or all of a picture without its size. Objects are channels, and so are the tooltip's lines; `x2` and `y2` name the
 * column at which a mark ends; everything else is a look of all marks, such as the name of a colour.
 */
export function mark(type: string, options: MarkOptions): ChartSpec {
  const { rows, where, transform = [], params, ...given } = options;
  const steps = where === undefined ? transform : [{ filter: where }, ...transform];
  const [looks, encoding]: [[string, unknown][], [string, unknown][]] = [[], []];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (typeof value === "string" && /^[xy]2$/.test(name)) encoding.push([name, { field: value }]);
    else (isChannel(name, value) ? encoding : looks).push([name, value]);
  }
  return {
    ...rows !== undefined && { data: typeof rows === "string" ? { name: rows } : { values: rows } },
    ...steps.length > 0 && { transform: steps },
    ...params !== undefined && { params },
    mark: { type, ...Object.fromEntries(looks) },
    ...encoding.length > 0 && { encoding: Object.fromEntries(encoding) },
  };
}

function isChannel(name: string, value: unknown): boolean {
  return typeof value === "object" && !LOOKS.includes(name) &&
    !(Array.isArray(value) && typeof value[0] === "number");
}

/** Condition that a row has a value. */
export function has(field: string): string {
  return `isValid(datum[${JSON.stringify(field)}])`;
}
