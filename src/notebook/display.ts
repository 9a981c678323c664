import { findKernel, type Kernel } from "./kernel/kernel.ts";
import { settle } from "./kernel/settle.ts";
import { metadataOf, type MimeBundle } from "./mime_bundle.ts";

export type { MimeBundle } from "./mime_bundle.ts";

/** The symbol under which a Jupyter kernel looks for a value's own display. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

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

/**
 * Return value of a display hook: the bundle, if the kernel waits for it.
 *
 * A kernel that does not wait may publish the bundle after it reported "idle", and nbconvert stops reading there. There
 * the bundle is sent at once, and nothing is left for the kernel to show. Outside a notebook the bundle comes back
 * unchanged. Never throws: an error in a display hook would hide the value.
 */
export async function display(
  bundle: MimeBundle,
  options: DisplayOptions = {},
): Promise<MimeBundle> {
  const { kernel = findKernel() } = options;
  if (kernel === null || kernel.settlesCells === true) return bundle;
  try {
    await sendBundle(bundle, kernel);
    return {};
  } catch {
    return bundle;
  }
}

/** Shows a bundle under the cell, and waits until it is on its way. */
export async function sendBundle(bundle: MimeBundle, kernel: Kernel): Promise<void> {
  await kernel.broadcast({ type: "display_data", data: bundle, metadata: metadataOf(bundle) });
  await settle(bundle);
}
