import {
  checkOptions,
  type OptionRules,
  PIXELS,
  TEXT,
} from "../../../base/arguments/check_options.ts";

/** Options of charts of one result. */
export interface ResultChartOptions {
  /**
   * Title.
   *
   * @default the finding, in a sentence
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
  /**
   * Origin of the numbers for the reader: set ids, a checksum, "synthetic".
   *
   * @default the provenance columns of a frame, or a note that the result does not state its origin
   */
  readonly footnote?: string;
}

/**
 * Reads the options of a chart of one result.
 *
 * @param rules Rules of the options that this chart has beside the common ones
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the width is not a number of pixels
 */
export function readResultOptions<Options extends ResultChartOptions>(
  action: string,
  options: Options,
  rules: OptionRules<Omit<Options, keyof ResultChartOptions>>,
): Options & { readonly footnote: string } {
  checkOptions(action, options, { title: TEXT, widthPx: PIXELS, footnote: TEXT, ...rules });
  return { footnote: "Origin of the scores unknown", ...options };
}
