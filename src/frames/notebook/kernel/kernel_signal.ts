import { findKernel } from "./kernel.ts";

/** Listens to an operating system signal, and returns a function that stops listening. */
export type ListenToSignal = (listener: () => void) => () => void;

/** Listener for a notebook's stop button; `null` outside a notebook. */
export function kernelSignal(): ListenToSignal | null {
  if (findKernel() === null) return null;
  return (listener) => {
    Deno.addSignalListener("SIGINT", listener);
    return () => Deno.removeSignalListener("SIGINT", listener);
  };
}
