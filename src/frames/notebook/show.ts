import process from "node:process";
import type { FrameDisplayOptions } from "./frame/frame_bundle.ts";
import { findKernel } from "./kernel/kernel.ts";
import { showOn } from "./show_on.ts";

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
  await showOn({ kernel: findKernel(), write: writeOutput }, value, options);
}

function writeOutput(text: string): void {
  process.stdout.write(text);
}
