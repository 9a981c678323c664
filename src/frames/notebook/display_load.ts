import { display, type MimeBundle } from "./display.ts";
import { errorBundle } from "./error_bundle.ts";
import { findKernel, type Kernel } from "./kernel/kernel.ts";
import { sendError } from "./kernel/send_error.ts";
import { terminalText, valueBundle } from "./value_bundle.ts";

/** Options of {@link displayLoad}. */
export interface DisplayLoadOptions {
  /**
   * Kernel that shows an error; `null` returns it as text.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
}

/**
 * Displays the value of a load, for `Symbol.for("Jupyter.display")`: a frame as a table, an error as the kernel shows one,
 * anything else by its own display. Never throws.
 */
export async function displayLoad(
  load: PromiseLike<unknown>,
  options: DisplayLoadOptions = {},
): Promise<MimeBundle> {
  const { kernel = findKernel() } = options;
  try {
    const value = await load;
    return await display(await valueBundle(value) ?? { "text/plain": terminalText(value) }, {
      kernel,
    });
  } catch (error) {
    if (kernel === null) return errorBundle(error);
    await sendError(error, kernel).catch(() => {});
    return {};
  }
}
