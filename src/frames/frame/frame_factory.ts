import type { DataFrame } from "nodejs-polars";

/** Loads the module that creates every frame, where a notebook adds its display. */
export async function loadFrameFactory() {
  const { default: factory } = await import("nodejs-polars/bin/dataframe.js");
  return factory as unknown as { _DataFrame: (...native: never[]) => DataFrame };
}
