import { display, type MimeBundle, ownDisplay } from "./display.ts";
import { errorBundle } from "./error_bundle.ts";
import { displayFrame } from "./frame/frame_display.ts";
import { isFrame, isLazyFrame } from "./frame/frame_like.ts";

const LAZY = "A lazy frame: await frame.collect() gives its rows";

/**
 * Displays the value of a load: a frame as a table, an error as its message, anything else as it displays itself.
 * For `Symbol.for("Jupyter.display")`; never throws.
 */
export async function displayLoad(load: PromiseLike<unknown>): Promise<MimeBundle> {
  try {
    return await displayValue(await load);
  } catch (error) {
    return await display(errorBundle(error));
  }
}

async function displayValue(value: unknown): Promise<MimeBundle> {
  if (isFrame(value)) return await displayFrame(value);
  const own = ownDisplay(value);
  if (own !== undefined) return await display(await own());
  return await display({ "text/plain": isLazyFrame(value) ? LAZY : String(value) });
}
