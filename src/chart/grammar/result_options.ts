import { assertKnownOptions } from "../../arguments/check_options.ts";
import { assertWidth } from "./analysis_subject.ts";

/** Options of charts of one result. */
export interface ResultChartOptions {
  /**
   * Title.
   *
   * @default what is shown
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
  /**
   * What the reader has to know of where the numbers come from: set ids, a checksum, "synthetic".
   *
   * @default that the result does not say it, or what the columns of a frame say
   */
  readonly footnote?: string;
}

/**
 * Reads the options of a chart of one result.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the width is no number of pixels
 */
export function readResultOptions(
  action: string,
  options: ResultChartOptions,
): ResultChartOptions & { readonly footnote: string } {
  assertKnownOptions(action, options, ["title", "widthPx", "footnote"]);
  if (options.widthPx !== undefined) assertWidth(action, options.widthPx);
  return { footnote: "The result does not say where its scores come from", ...options };
}
