/** A Vega-Lite specification, in the schema of version 5, which notebooks know. */
export type ChartSpec = Readonly<Record<string, unknown>>;
