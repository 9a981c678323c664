import { wrongKind } from "../../../base/arguments/list_text.ts";
import * as rules from "../../../base/arguments/check_options.ts";

/** Options of {@link plot}. */
export interface PlotOptions {
  /** The column of the horizontal axis. */
  readonly x: string;
  /**
   * The column of the vertical axis, or several columns on one axis, each a series.
   *
   * @default none: a histogram of a column of numbers, a count of each value of a column of text
   */
  readonly y?: string | readonly string[];
  /** The column that sets the colour; of names at most 12. @default one colour */
  readonly color?: string;
  /**
   * Drawing of a row.
   *
   * @default "line" where x is a date or an instant, "bar" where it is text, else "point"
   */
  readonly mark?: "point" | "line" | "bar" | "histogram";
  /** Bins of a histogram, at most 200. @default at most 40, of a round width */
  readonly bins?: number;
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
}

const COLUMN = rules.ruleOf<string>("the name of one column", rules.TEXT.accepts);
const RULES: rules.OptionRules<PlotOptions> = {
  x: rules.needed(COLUMN, '"date"'),
  y: rules.either(COLUMN, rules.severalOf<string>("an array of names", rules.TEXT.accepts)),
  ...{ color: COLUMN, bins: rules.whole(1, 200), widthPx: rules.PIXELS },
  mark: rules.oneOf("point", "line", "bar", "histogram"),
  ...{ title: rules.TEXT, footnote: rules.TEXT },
};
const ADVICE = 'such as plot(frame, { x: "date", y: "ic" })';

/**
 * Refuses options of a plot that are unknown, or contradict each other.
 *
 * @throws {TypeError} If an option is unknown, or of another kind
 * @throws {RangeError} If a number is out of range
 */
export function assertPlotOptions(options: PlotOptions): void {
  if (typeof options !== "object" || options === null) {
    throw wrongKind("plot", options, { expected: "an object of options", advice: ADVICE });
  }
  rules.checkOptions("plot", options, RULES);
  if (typeof options.y !== "object" || options.color === undefined) return;
  const expected = "several columns as y and no color, or one column";
  throw wrongKind("plot", options.y, { expected, advice: ADVICE });
}
