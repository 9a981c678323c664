import { kernelSignal, type ListenToSignal } from "./kernel_signal.ts";

/** Work that the stop button of a notebook aborts. */
export interface Interrupt {
  /** Aborted by the next press of the stop button; take it anew for each load. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  dispose(): void;
}

/** Options of {@link watchInterrupt}. */
export interface InterruptOptions {
  /**
   * Listener to SIGINT; `null` if nothing listens, and a signal has its usual effect.
   * @default listens inside a notebook's kernel only
   */
  readonly listen?: ListenToSignal | null;
}

/**
 * Makes the stop button of a notebook abort what is in flight instead of ending the kernel.
 *
 * The stop button is SIGINT, which by default ends the Deno kernel with all its variables. With a listener the kernel
 * survives, and the waiting cell ends with an `AbortError`. Outside a notebook nothing listens, and Ctrl-C ends
 * the program.
 */
export function watchInterrupt(options: InterruptOptions = {}): Interrupt {
  const { listen = kernelSignal() } = options;
  let controller = new AbortController();
  const stop = listen?.(() => {
    const stopped = controller;
    controller = new AbortController();
    stopped.abort(new DOMException("Stopped by the notebook's stop button", "AbortError"));
  });
  return {
    get signal() {
      return controller.signal;
    },
    dispose: () => stop?.(),
  };
}
