import {
  either,
  exactly,
  numbers,
  type OptionRules,
} from "../../../base/arguments/check_options.ts";
import process from "node:process";
import { frameHtml } from "./_frame_html.ts";
import { frameText } from "./_frame_text.ts";
import { readFrameView } from "./_frame_view.ts";
import type { MimeBundle } from "../display.ts";
import { findKernel } from "../kernel/kernel.ts";
import type { FrameLike } from "./frame_like.ts";

/** Limits of a shown frame. */
export interface FrameDisplayOptions {
  /**
   * Rows shown at each end.
   * @default 5
   */
  readonly edgeRows?: number;
  /**
   * Largest number of shown columns; provenance columns in the caption do not count.
   * @default 12
   */
  readonly maxColumns?: number;
  /**
   * Longest text in characters.
   * @default 40, and 9 for ids of sets and releases beside tickers
   */
  readonly maxTextLength?: number;
  /**
   * Rows held in the output for sorting, searching and paging, half of them the first and half the last ones; 0 creates a table
   * without a script, as `SCOREFRAME_DISPLAY=static` in the environment does for all tables.
   * @default as many as fit into 64 kB, at most 5,000, of a frame of more than 10 rows
   */
  readonly heldRows?: number;
}

/** Options of {@link frameBundle}. */
export interface FrameBundleOptions extends FrameDisplayOptions {
  /**
   * Number of tables that share an output and its size.
   * @default 1
   */
  readonly tables?: number;
}

const ROWS = numbers(
  "a whole number of at least 1, or Infinity",
  (value) => value === Infinity || (Number.isInteger(value) && value >= 1),
);

/** Accepted limits of a shown frame. */
export const DISPLAY_RULES: OptionRules<FrameDisplayOptions> = {
  edgeRows: ROWS,
  maxColumns: ROWS,
  maxTextLength: ROWS,
  heldRows: either(exactly(0), ROWS),
};

const HELD_LENGTH = 64_000;

/**
 * Display of a frame in a notebook, as `text/html` and `text/plain`.
 *
 * Provenance columns with one value in all rows are in the caption; the others follow the measurements. Missing values are
 * written `null`, scores with four decimals, other numbers with the digits that their column needs; a tooltip shows the whole
 * value. A text that is empty, blank, or looks like `null` or `NaN` is quoted. Where scripts run, a table of more than ten rows
 * can be sorted, searched and paged. `application/vnd.dataresource+json` is omitted: VS Code would prefer it and show nothing.
 */
export function frameBundle(frame: FrameLike, options: FrameBundleOptions = {}): MimeBundle {
  const { edgeRows = 5, maxColumns = 12, maxTextLength, heldRows, tables = 1 } = options;
  const view = readFrameView(frame, {
    edgeRows,
    maxColumns,
    maxTextLength,
    heldRows: heldRows ?? (isStatic() ? 0 : undefined),
    heldLength: HELD_LENGTH / tables,
  });
  return { "text/html": frameHtml(view), "text/plain": frameText(view) };
}

function isStatic(): boolean {
  return findKernel() !== null && process.env["SCOREFRAME_DISPLAY"] === "static";
}

/** Display of a frame in a terminal. */
export function formatFrame(frame: FrameLike, options: FrameDisplayOptions = {}): string {
  return String(frameBundle(frame, options)["text/plain"]);
}
