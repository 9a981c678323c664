import type { DataFrame } from "nodejs-polars";

/** The module of nodejs-polars that makes every frame. */
interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => DataFrame;
}

/** Loads the module that makes every frame; a notebook gives its frames a display there. */
export async function loadFrameFactory(): Promise<FrameFactory> {
  const { default: factory } = await import("nodejs-polars/bin/dataframe.js");
  return factory as unknown as FrameFactory;
}
