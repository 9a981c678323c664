import { metadataOf, type MimeBundle } from "../mime_bundle.ts";
import { findKernel, findPublisher, type Kernel, type ResultPublisher, SETTLES } from "./kernel.ts";
import { sendError } from "./send_error.ts";
import { settle } from "./settle.ts";

/** Options of {@link adoptResults}. */
export interface AdoptResultsOptions {
  /**
   * The kernel to show results in.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
  /**
   * Publisher of the results of cells; `null` leaves the kernel alone.
   * @default that of the kernel that runs this code, if any
   */
  readonly publisher?: ResultPublisher | null;
  /**
   * Called before a cell ends.
   * @default nothing
   */
  readonly beforeEnd?: () => Promise<void>;
}

/**
 * Makes each cell wait until its output is sent, and shows its result with `bundleOf` if that has a display for it.
 *
 * The Deno kernel passes the result of a cell to another thread and reports "idle" without waiting for it, so 4% of all results
 * are lost when a notebook is executed unattended. The kernel's function that publishes results is replaced by one that waits.
 * Repeated calls change nothing. A value that has displayed itself is not followed by an empty result.
 *
 * @param bundleOf Display of a value; `null` leaves it to the kernel
 * @param options The kernel
 */
export function adoptResults(
  bundleOf: (value: unknown) => Promise<MimeBundle | null>,
  options: AdoptResultsOptions = {},
): void {
  const { kernel = findKernel(), publisher = findPublisher(), beforeEnd } = options;
  if (kernel === null || publisher === null) return;
  const original = publisher.broadcastResult;
  if ((original as { readonly [SETTLES]?: true })[SETTLES] === true) return;
  const broadcastResult = async (executionCount: number, result: unknown): Promise<void> => {
    try {
      const bundle = await bundleOf(result);
      if (bundle === null) await original.call(publisher, executionCount, result);
      else await publish(bundle, { kernel, executionCount });
      await settle(bundle ?? {});
      await beforeEnd?.();
    } catch (error) {
      await sendError(error, kernel);
    }
  };
  publisher.broadcastResult = Object.assign(broadcastResult, { [SETTLES]: true as const });
}

async function publish(
  bundle: MimeBundle,
  { kernel, executionCount }: { readonly kernel: Kernel; readonly executionCount: number },
): Promise<void> {
  if (Object.keys(bundle).length === 0) return;
  const metadata = metadataOf(bundle);
  await kernel.broadcast({ type: "execute_result", data: bundle, metadata, executionCount });
}
