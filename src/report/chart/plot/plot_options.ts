import {
  checkOptions,
  needed,
  oneOf,
  type OptionRules,
  PIXELS,
  type Rule,
  ruleOf,
  TEXT,
  whole,
} from "../../../base/arguments/check_options.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { wrongKind } from "../../../base/arguments/list_text.ts";

/** Options of {@link plot}. */
export interface PlotOptions {
  /** The column of the horizontal axis. */
  readonly x: string;
  /**
   * The column of the vertical axis, or up to 12 columns on one axis, each a series.
   *
   * @default none: a histogram of a column of numbers, a count of each value of a column of text
   */
  readonly y?: string | readonly string[];
  /**
   * The column that sets the colour. Up to 12 values have a look of their own.
   *
   * @default one colour
   */
  readonly color?: string;
  /** The column of numbers that sets the size of points. @default one size */
  readonly size?: string;
  /** The column that divides the rows into separate pictures on equal axes, at most 24. @default one picture */
  readonly facet?: string;
  /**
   * Drawing of a row.
   *
   * @default "line" where x is a date or an instant, "bar" where it is text, else "point"
   */
  readonly mark?:
    | "point"
    | "line"
    | "bar"
    | "area"
    | "tick"
    | "rect"
    | "boxplot"
    | "histogram";
  /**
   * Aggregate of the rows at one position and colour. A mean has its 95% confidence interval (Student's t, rows assumed
   * independent).
   *
   * @default every row is drawn; "mean" where rows of a bar repeat
   */
  readonly aggregate?: "mean" | "median" | "sum" | "min" | "max" | "count";
  /** Bins of a histogram, at most 200. @default at most 40, of a round width */
  readonly bins?: number;
  /** Order of a horizontal axis of text: that of the frame, by text, or by value. @default "frame" */
  readonly sort?: "frame" | "x" | "-x" | "y" | "-y";
  /** "log" for a logarithmic horizontal axis. @default "linear" */
  readonly xScale?: "linear" | "log";
  /** "log" for a logarithmic vertical axis. @default "linear" */
  readonly yScale?: "linear" | "log";
  /** Ends of the horizontal axis, numbers or dates; what lies outside is counted. @default those of the rows */
  readonly xDomain?: readonly [number | string, number | string];
  /** Ends of the vertical axis; what lies outside is counted. @default those of the rows */
  readonly yDomain?: readonly [number, number];
  /** Reference lines. @default none */
  readonly rules?: readonly {
    /** Value of the horizontal axis; a date as YYYY-MM-DD. */
    readonly x?: number | string;
    /** Value of the vertical axis. */
    readonly y?: number | string;
    /** Text beside the line. @default none */
    readonly label?: string;
  }[];
  /**
   * Title.
   *
   * @default the names of the columns
   */
  readonly title?: string;
  /** Origin of the numbers; synthetic rows are marked all the same. @default what the frame says */
  readonly footnote?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
  /** Height of the plot in pixels. @default 240; of facets 140 */
  readonly heightPx?: number;
}

/** Drawing of a row by {@link plot}. */
export type PlotMark = NonNullable<PlotOptions["mark"]>;

const SCALE = oneOf("linear", "log");
const MOST_SERIES = 12;
const COLUMN = ruleOf<string>("the name of one column", TEXT.accepts);
const domain = <Ends>(): Rule<Ends> =>
  ruleOf(
    "two ends of an axis, the lower one first, such as [0, 1]",
    (value) =>
      Array.isArray(value) && value.length === 2 && value[0] < value[1] &&
      value.every((end) =>
        typeof end === "number" ? Number.isFinite(end) : !isNaN(Date.parse(end))
      ),
  );
const RULES: OptionRules<PlotOptions> = {
  x: needed(COLUMN, '"date"'),
  y: ruleOf(
    `the name of a column, or 1 to ${MOST_SERIES} names`,
    (value) => {
      const list = [value].flat();
      return list.length >= 1 && list.length <= MOST_SERIES && list.every(TEXT.accepts);
    },
  ),
  color: COLUMN,
  size: COLUMN,
  facet: COLUMN,
  mark: oneOf("point", "line", "bar", "area", "tick", "rect", "boxplot", "histogram"),
  aggregate: oneOf("mean", "median", "sum", "min", "max", "count"),
  bins: whole(1, 200),
  sort: oneOf("frame", "x", "-x", "y", "-y"),
  xScale: SCALE,
  yScale: SCALE,
  xDomain: domain(),
  yDomain: domain(),
  rules: ruleOf(
    'an array of lines, each at an x or a y, such as [{ y: 0, label: "zero" }]',
    (value) =>
      Array.isArray(value) &&
      value.every((rule) =>
        Object(rule) === rule && (rule.x === undefined) !== (rule.y === undefined)
      ),
  ),
  title: TEXT,
  footnote: TEXT,
  widthPx: PIXELS,
  heightPx: PIXELS,
};
const EXAMPLE = 'such as plot(frame, { x: "date", y: "ic" })';

/**
 * Refuses options of a plot that contradict each other.
 *
 * @throws {TypeError} If an option is unknown, or of another kind
 * @throws {RangeError} If a number is out of range
 */
export function assertPlotOptions(action: string, options: PlotOptions): void {
  if (typeof options !== "object" || options === null) {
    throw wrongKind(action, options, { expected: "an object of options", advice: EXAMPLE });
  }
  checkOptions(action, options, RULES);
  if (typeof options.y !== "object" || options.color === undefined) return;
  throw wrongKind(action, options.y, {
    expected: "several columns as y and no color, or one column",
    advice: EXAMPLE,
  });
}

/** Refuses a number of items that a picture cannot show. */
export function assertFew(
  action: string,
  count: number,
  { most, what, advice = "filter or aggregate them first" }: {
    readonly most: number;
    readonly what: string;
    readonly advice?: string;
  },
): void {
  if (count <= most) return;
  throw new RangeError(
    `Cannot ${action}: expected at most ${groupThousands(most)} ${what}, got ` +
      `${groupThousands(count)}; ${advice}`,
  );
}
