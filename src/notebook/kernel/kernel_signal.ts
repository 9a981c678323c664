import { findKernel } from "./kernel.ts";

/** Listens to an operating system signal and returns how to stop that. */
export type ListenToSignal = (listener: () => void) => () => void;

/** Listening to the signal of a notebook's stop button; `null` outside a notebook. */
export function kernelSignal(): ListenToSignal | null {
  if (findKernel() === null) return null;
  return (listener) => {
    Deno.addSignalListener("SIGINT", listener);
    return () => Deno.removeSignalListener("SIGINT", listener);
  };
}
