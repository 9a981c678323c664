import { display, type MimeBundle } from "./display.ts";
import { type DisplayOptions, findKernel } from "./kernel/kernel.ts";
import { sendError } from "./kernel/send_error.ts";
import { errorBundle, terminalText, valueBundle } from "./value_bundle.ts";

/**
 * Displays the value of a load, for `Symbol.for("Jupyter.display")`: a frame as a table, an error as the kernel shows one,
 * anything else by its own display. Never throws.
 */
export async function displayLoad(
  load: PromiseLike<unknown>,
  options: DisplayOptions = {},
): Promise<MimeBundle> {
  const { kernel = findKernel() } = options;
  try {
    const value = await load;
    const bundle = await valueBundle(value) ?? { "text/plain": terminalText(value) };
    return await display(bundle, { kernel });
  } catch (error) {
    if (kernel === null) return errorBundle(error);
    await sendError(error, kernel).catch(() => {});
    return {};
  }
}
