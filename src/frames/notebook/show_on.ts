import { checkOptions } from "../../base/arguments/check_options.ts";
import { ownDisplay, sendBundle } from "./display.ts";
import { DISPLAY_RULES, type FrameDisplayOptions } from "./frame/frame_bundle.ts";
import { isFrame } from "./frame/frame_like.ts";
import type { Kernel } from "./kernel/kernel.ts";
import { textBundle, valueBundle } from "./value_bundle.ts";

/** Output for a shown value. */
export interface Output {
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
  if (kernel === null && hasOwnText(shown)) {
    return write(`${String(shown)}\n\n`);
  }
  const bundle = await valueBundle(shown, extent) ?? textBundle(shown);
  if (kernel === null) return write(`${String(bundle["text/plain"])}\n\n`);
  if (Object.keys(bundle).length > 0) await sendBundle(bundle, kernel);
}

/** True if a value has its own text form. */
function hasOwnText(value: unknown): boolean {
  return !isFrame(value) && ownDisplay(value) !== undefined &&
    String(value) !== "[object Object]";
}
