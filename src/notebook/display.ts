import { findKernel, type Kernel } from "./kernel.ts";

/** The symbol under which a Jupyter kernel looks for a value's own display. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Media types and their content: what a frontend chooses from. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** Options of {@link display}. */
export interface DisplayOptions {
  /**
   * The kernel to send to; `null` sends nothing.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
}

// Larger bundles are still on their way after one macrotask: 300 kB need none, 8 MB about 50 ms.
const SETTLE_MS_PER_CHARACTER = 50 / 8_000_000;

/**
 * Sends a bundle to the notebook at once and returns what is left for the kernel to show: nothing.
 *
 * The kernel may publish a returned bundle after it reported "idle", and nbconvert stops reading there: of results
 * after an `await`, 37 % were lost. A bundle that was sent before the hook returns is never lost. Outside a notebook
 * the bundle comes back unchanged. Never throws: an error in a display hook would hide the value.
 */
export async function display(
  bundle: MimeBundle,
  options: DisplayOptions = {},
): Promise<MimeBundle> {
  const { kernel = findKernel() } = options;
  if (kernel === null) return bundle;
  try {
    await kernel.broadcast({ type: "display_data", data: bundle });
    await settle(bundle);
    return {};
  } catch {
    return bundle;
  }
}

function settle(bundle: MimeBundle): Promise<void> {
  let length = 0;
  for (const content of Object.values(bundle)) {
    if (typeof content === "string") length += content.length;
  }
  return new Promise((resolve) => setTimeout(resolve, length * SETTLE_MS_PER_CHARACTER));
}
