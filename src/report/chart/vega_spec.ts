import type { TopLevelSpec } from "vega-lite";

/** A Vega-Lite specification by Vega-Lite's own types: an unknown mark or channel does not compile. One that is read from a file is cast. */
export type VegaSpec = TopLevelSpec;

/** A layer of such a specification. */
export type VegaLayer = Extract<VegaSpec, { readonly layer: unknown }>["layer"][number];
