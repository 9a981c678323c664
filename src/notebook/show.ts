import process from "node:process";
import { assertKnownOptions } from "../arguments/check_options.ts";
import { describe } from "../contract/violation.ts";
import { display, type MimeBundle, ownDisplay } from "./display.ts";
import { frameBundle, type FrameDisplayOptions } from "./frame/frame_bundle.ts";
import { isFrame, isLazyFrame } from "./frame/frame_like.ts";
import { findKernel, type Kernel } from "./kernel/kernel.ts";

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
 * Shows a frame or a text in the middle of a cell: a frame as a table in a notebook and as text in a terminal.
 *
 * For more rows or columns than a cell's last expression shows, and for text that must not get lost: what a cell prints
 * after an `await` is missing from one of thirty executions by nbconvert, what is shown is not. Any Polars frame will do,
 * also one without provenance columns, and whatever displays itself as a cell's last expression. A load need not be
 * awaited before.
 *
 * @param content What to show
 * @param options How much of a frame is shown, and where
 * @throws {TypeError} If there is no display for it, or no such option
 * @throws {RangeError} If an amount is none
 * @example More rows of a frame
 * ```ts
 * import { show } from "scoreframe";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ ticker: ["BRK.B", "NA"], ecpnd_score: [0.5, null] });
 * await show(frame, { edgeRows: 20 });
 * ```
 */
export async function show(
  content: object | string,
  options: ShowOptions = {},
): Promise<void> {
  assertKnownOptions("show", options, OPTIONS);
  const { kernel = findKernel(), write = writeOutput, ...amount } = options;
  const shown = await content;
  if (typeof shown === "string") return await put({ "text/plain": shown });
  if (isFrame(shown)) return await put(frameBundle(shown, amount));
  const own = ownDisplay(shown);
  if (own === undefined) {
    throw new TypeError(
      "Cannot show it: a frame, a text or a result that displays itself is required, " +
        `got ${nameOf(shown)}`,
    );
  }
  if (kernel === null) return write(`${String(shown)}\n\n`);
  await put(await own());

  async function put(bundle: MimeBundle): Promise<void> {
    if (kernel === null) return write(`${String(bundle["text/plain"])}\n\n`);
    if (Object.keys(bundle).length > 0) await display(bundle, { kernel });
  }
}

function nameOf(value: unknown): string {
  if (isLazyFrame(value)) return "a lazy frame; await frame.collect() gives a frame";
  const { toFrame } = Object(value) as { toFrame?: unknown };
  if (typeof toFrame === "function") return "a Series; series.toFrame() gives a frame";
  return describe(value);
}

function writeOutput(text: string): void {
  process.stdout.write(text);
}
