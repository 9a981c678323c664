import type { DataFrame } from "nodejs-polars";

/** Module of nodejs-polars that creates every frame. */
interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => DataFrame;
}

/** Loads the module that creates every frame, where a notebook adds its display. */
export async function loadFrameFactory(): Promise<FrameFactory> {
  const { default: factory } = await import("nodejs-polars/bin/dataframe.js");
  return factory as unknown as FrameFactory;
}
