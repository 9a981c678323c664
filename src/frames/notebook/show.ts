import process from "node:process";
import { DISPLAY_RULES, type FrameDisplayOptions } from "./frame/frame_bundle.ts";
import { findKernel, type Kernel } from "./kernel/kernel.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { ownDisplay, sendBundle } from "./display.ts";
import { isFrame } from "./frame/frame_like.ts";
import { visibleText } from "../../base/wording/visible_text.ts";
import { textBundle, valueBundle } from "./value_bundle.ts";

/**
 * Shows any value in the middle of a cell or in a script: a frame as a table, a chart as a picture, an array or an object of
 * frames one below the other, and everything else as text.
 *
 * Use it for more rows or columns than the last expression of a cell shows, and for output that must not be lost: printed lines
 * may be missing when a notebook is executed unattended, but a shown value is sent before the cell continues. A load need not
 * be awaited first.
 *
 * @param value Value to show
 * @param options Limits of a shown frame
 * @throws {TypeError} If an option does not exist
 * @throws {RangeError} If an amount is invalid
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
export async function show(value: unknown, options: FrameDisplayOptions = {}): Promise<void> {
  const write = (text: string) => void process.stdout.write(visibleText(text));
  await showOn({ kernel: findKernel(), write }, value, options);
}

/** Output for a shown value. */
interface Output {
  /** The kernel of a notebook; `null` writes text. */
  readonly kernel: Kernel | null;
  /** Output of the text outside a notebook. */
  readonly write: (text: string) => void;
}

/** Shows a value, or the value of a promise, on an output. */
export async function showOn(
  { kernel, write }: Output,
  value: unknown,
  extent: FrameDisplayOptions = {},
): Promise<void> {
  checkOptions("show", extent, DISPLAY_RULES);
  const shown = await value;
  const hasOwnText = !isFrame(shown) && ownDisplay(shown) !== undefined;
  if (kernel === null && hasOwnText && String(shown) !== "[object Object]") {
    return write(`${String(shown)}\n\n`);
  }
  const bundle = await valueBundle(shown, extent) ?? textBundle(shown);
  if (kernel === null) return write(`${String(bundle["text/plain"])}\n\n`);
  if (Object.keys(bundle).length > 0) await sendBundle(bundle, kernel);
}
