import { describe } from "../../contract/violation.ts";
import { frameHtml } from "./_frame_html.ts";
import { frameText } from "./_frame_text.ts";
import { readFrameView } from "./_frame_view.ts";
import type { MimeBundle } from "../display.ts";
import type { FrameLike } from "./frame_like.ts";

/** How much of a frame is shown. */
export interface FrameDisplayOptions {
  /**
   * Rows shown at each end.
   * @default 5
   */
  readonly edgeRows?: number;
  /**
   * Columns shown at most; provenance columns in the caption do not count.
   * @default 12
   */
  readonly maxColumns?: number;
  /**
   * Characters shown of a text at most.
   * @default 40, and 9 of the ids of sets and releases beside tickers
   */
  readonly maxTextLength?: number;
}

/**
 * What a notebook shows of a frame, as `text/html` and `text/plain`.
 *
 * Provenance columns with one value in all rows stand once, in the caption; the others stand behind the measurements.
 * Missing values are written `null`, scores with four decimals, other numbers with the digits that their column needs;
 * the whole value appears under the pointer. `application/vnd.dataresource+json` is left out: VS Code would prefer it and show nothing.
 */
export function frameBundle(frame: FrameLike, options: FrameDisplayOptions = {}): MimeBundle {
  const { edgeRows = 5, maxColumns = 12, maxTextLength } = options;
  for (const [name, value] of Object.entries({ edgeRows, maxColumns, maxTextLength })) {
    if (value !== undefined) assertAmount(name, value);
  }
  const view = readFrameView(frame, { edgeRows, maxColumns, maxTextLength });
  return { "text/html": frameHtml(view), "text/plain": frameText(view) };
}

function assertAmount(name: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && Number(value) >= 1)) return;
  throw new RangeError(
    `Cannot show the frame: expected a whole number of at least 1 or Infinity as ${name}, ` +
      `got ${describe(value)}`,
  );
}

/** What a terminal shows of a frame. */
export function formatFrame(frame: FrameLike, options: FrameDisplayOptions = {}): string {
  return String(frameBundle(frame, options)["text/plain"]);
}
