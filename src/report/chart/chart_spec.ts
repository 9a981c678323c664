import type { TopLevelSpec } from "vega-lite";

/** A Vega-Lite specification, in the schema of version 5, which notebooks know. */
export type ChartSpec = Readonly<Record<string, unknown>>;

/** A Vega-Lite specification by Vega-Lite's own types: an unknown mark or channel does not compile. One that is read from a file is cast. */
export type VegaSpec = TopLevelSpec;

/** A layer of such a specification. */
export type VegaLayer = Extract<VegaSpec, { readonly layer: unknown }>["layer"][number];
