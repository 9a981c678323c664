import process from "node:process";
import { assertKnownOptions } from "../arguments/check_options.ts";
import { ownDisplay, sendBundle } from "./display.ts";
import type { FrameDisplayOptions } from "./frame/frame_bundle.ts";
import { isFrame } from "./frame/frame_like.ts";
import { findKernel, type Kernel } from "./kernel/kernel.ts";
import { textBundle, valueBundle } from "./value_bundle.ts";

/** Options of {@link show}. */
export interface ShowOptions extends FrameDisplayOptions {
  /**
   * The kernel to show it in; `null` writes text.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
  /**
   * Where the text goes outside a notebook.
   * @default standard output
   */
  readonly write?: (text: string) => void;
}

const OPTIONS = ["kernel", "write", "edgeRows", "maxColumns", "maxTextLength"];

/**
 * Shows any value in the middle of a cell, and in a script: a frame as a table, a chart as a picture, an array or an
 * object of frames one below the other, and everything else as text.
 *
 * Use it for more rows or columns than the last expression of a cell shows, and for output that must not get lost: printed
 * lines may be missing where a notebook is executed unattended; a shown value is sent before the cell goes on. A load
 * need not be awaited first.
 *
 * @param value What to show
 * @param options How much of a frame is shown, and where
 * @throws {TypeError} If there is no such option
 * @throws {RangeError} If an amount is none
 * @example More rows of a frame
 * ```ts
 * import { show } from "scoreframe";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ ticker: ["BRK.B", "NA"], ecpnd_score: [0.5, null] });
 * await show(frame, { edgeRows: 20 });
 * await show({ rows: frame.height, frame });
 * ```
 */
export async function show(value: unknown, options: ShowOptions = {}): Promise<void> {
  assertKnownOptions("show", options, OPTIONS);
  const { kernel = findKernel(), write = writeOutput, ...amount } = options;
  const shown = await value;
  if (kernel === null && hasOwnText(shown)) {
    return write(`${String(shown)}\n\n`);
  }
  const bundle = await valueBundle(shown, amount) ?? textBundle(shown);
  if (kernel === null) return write(`${String(bundle["text/plain"])}\n\n`);
  if (Object.keys(bundle).length > 0) await sendBundle(bundle, kernel);
}

/** Whether a result writes itself as text, which its display need not have. */
function hasOwnText(value: unknown): boolean {
  return !isFrame(value) && ownDisplay(value) !== undefined &&
    String(value) !== "[object Object]";
}

function writeOutput(text: string): void {
  process.stdout.write(text);
}
