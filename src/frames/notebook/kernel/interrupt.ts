import { kernelSignal, type ListenToSignal } from "./kernel_signal.ts";

/** Signal of a notebook's stop button. */
export interface Interrupt {
  /** Aborted by the next press of the stop button; read it again for each load. */
  readonly signal: AbortSignal;
  /** Stops listening. */
  dispose(): void;
}

/** Options of {@link watchInterrupt}. */
export interface InterruptOptions {
  /**
   * Listens to SIGINT; `null` leaves the signal its usual effect.
   * @default listens inside a notebook's kernel only
   */
  readonly listen?: ListenToSignal | null;
}

/**
 * Makes the stop button of a notebook abort running loads instead of ending the kernel.
 *
 * The stop button sends SIGINT, which by default ends the Deno kernel with all its variables. With a listener the kernel
 * survives, and the waiting cell ends with an `AbortError`. Outside a notebook there is no listener, and Ctrl-C ends the
 * program.
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
