import { type DisplayOptions, findKernel, type Kernel } from "./kernel/kernel.ts";
import { settle } from "./kernel/settle.ts";
import { metadataOf, type MimeBundle } from "./mime_bundle.ts";

export type { MimeBundle } from "./mime_bundle.ts";

/** Symbol under which a Jupyter kernel looks up a value's own display. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as never;

/** Returns a value's own display, or `undefined` if it has none. */
export function ownDisplay(value: unknown): (() => MimeBundle | Promise<MimeBundle>) | undefined {
  const own = (value as { [DISPLAY]?: unknown } | null | undefined)?.[DISPLAY];
  return typeof own === "function" ? () => own.call(value) : undefined;
}

/**
 * Return value for a display hook: the bundle, if the kernel waits for it.
 *
 * A kernel that does not wait may publish the bundle after it reported "idle", and nbconvert stops reading there. For such a
 * kernel the bundle is sent at once, and the kernel shows nothing more. Outside a notebook the bundle is returned unchanged.
 * Never throws: an error in a display hook would hide the value.
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

/** Shows a bundle under the cell, and waits until it is sent. */
export async function sendBundle(bundle: MimeBundle, kernel: Kernel): Promise<void> {
  await kernel.broadcast({ type: "display_data", data: bundle, metadata: metadataOf(bundle) });
  await settle(bundle);
}
