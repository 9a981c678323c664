import {
  findKernel,
  findPublisher,
  isAdopted,
  type Kernel,
  type ResultPublisher,
  SETTLES,
} from "./kernel/kernel.ts";
import { valueBundle } from "./value_bundle.ts";
import { metadataOf, type MimeBundle } from "./mime_bundle.ts";
import { sendError, settle } from "./kernel/settle.ts";

const ANNOUNCE_NOW = Symbol.for("scoreframe.announceRejections");
const INTRODUCTION = "A promise failed and was not awaited; await it where it is created:";
// The display of a cell's result handles the failure, but starts some milliseconds after the cell's code has ended, and more
// than 250 on a busy machine. Remaining failures are announced at the end of the cell.
const PATIENCE_MS = 5_000;

adoptCells();

/**
 * Makes each cell of the current notebook wait until its output is sent, so that no output is lost or shown under another cell,
 * and show failures of promises that were not awaited. Importing this module has this effect, because cells before `connect()`
 * show results, too. Does nothing outside a kernel or with `SCOREFRAME_DISPLAY=polars`.
 */
export function adoptCells(): void {
  if (!isAdopted()) return;
  const beforeEnd = announceRejections();
  adoptResults((value) => valueBundle(value), { beforeEnd });
}

/** Options of {@link adoptResults}. */
interface AdoptResultsOptions {
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
      else await publish(bundle, kernel, executionCount);
      await settle(bundle ?? {});
      await beforeEnd?.();
    } catch (error) {
      await sendError(error, kernel);
    }
  };
  publisher.broadcastResult = Object.assign(broadcastResult, { [SETTLES]: true as const });
}

async function publish(bundle: MimeBundle, kernel: Kernel, executionCount: number): Promise<void> {
  if (Object.keys(bundle).length === 0) return;
  const metadata = metadataOf(bundle);
  await kernel.broadcast({ type: "execute_result", data: bundle, metadata, executionCount });
}

/** Options of {@link announceRejections}. */
interface AnnounceOptions {
  /**
   * The kernel to announce in; `null` announces nothing.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
  /**
   * Source of rejections.
   * @default this process
   */
  readonly target?: EventTarget;
}

/** Shows failures of promises that have not been awaited so far. */
type AnnounceNow = () => Promise<void>;

/**
 * Shows the failure of a promise that was not awaited under the cell; the Deno kernel does not. Outside a notebook such a
 * promise ends the program, as usual. Repeated calls change nothing.
 *
 * @returns Function that shows these failures at once, for the end of a cell
 */
export function announceRejections(options: AnnounceOptions = {}): AnnounceNow {
  const { kernel = findKernel(), target = globalThis } = options;
  if (kernel === null) return () => Promise.resolve();
  const marked = target as EventTarget & { [ANNOUNCE_NOW]?: AnnounceNow };
  return marked[ANNOUNCE_NOW] ??= listen(kernel, target);
}

function listen(kernel: Kernel, target: EventTarget): AnnounceNow {
  const open = new Map<Promise<unknown>, unknown>();
  const announceNow = async () => {
    for (const [promise, reason] of open) {
      open.delete(promise);
      await sendError(reason, kernel, INTRODUCTION).catch(() => {});
    }
  };
  target.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    const { promise, reason } = event as PromiseRejectionEvent;
    open.set(promise, reason);
    setTimeout(() => void announceNow(), PATIENCE_MS);
  });
  target.addEventListener("rejectionhandled", (event) => {
    open.delete((event as PromiseRejectionEvent).promise);
  });
  return announceNow;
}
