import { findKernel, type Kernel } from "./kernel.ts";
import { sendError } from "./send_error.ts";

/** Options of {@link announceRejections}. */
export interface AnnounceOptions {
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
export type AnnounceNow = () => Promise<void>;

const ANNOUNCE_NOW = Symbol.for("scoreframe.announceRejections");
const INTRODUCTION = "A promise failed and was not awaited; await it where it is created:";
// The display of a cell's result handles the failure, but starts some milliseconds after the cell's code has ended, and more
// than 250 on a busy machine. Remaining failures are announced at the end of the cell.
const PATIENCE_MS = 5_000;

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
