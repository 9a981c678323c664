import { type DisplayOptions, findKernel, type Kernel } from "./kernel/kernel.ts";
import { settle } from "./kernel/settle.ts";
import { metadataOf, type MimeBundle, withMetadata } from "./mime_bundle.ts";
import { visibleText } from "../../base/wording/visible_text.ts";

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
  if (kernel === null || kernel.settlesCells === true) return visibly(bundle);
  try {
    await sendBundle(bundle, kernel);
    return {};
  } catch {
    return visibly(bundle);
  }
}

// A front end acts on escape sequences in a text; in HTML they are written out where a text is escaped.
function visibly(bundle: MimeBundle): MimeBundle {
  const text = bundle["text/plain"];
  if (typeof text !== "string" || visibleText(text) === text) return bundle;
  return withMetadata({ ...bundle, "text/plain": visibleText(text) }, metadataOf(bundle));
}

/** Shows a bundle under the cell, and waits until it is sent. */
export async function sendBundle(bundle: MimeBundle, kernel: Kernel): Promise<void> {
  await kernel.broadcast({
    type: "display_data",
    data: visibly(bundle),
    metadata: metadataOf(bundle),
  });
  await settle(bundle);
}
