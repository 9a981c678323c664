import type { Row, Value } from "../grammar/values.ts";
import type { PlotMark, PlotOptions } from "./plot_options.ts";

/** A table that gives its rows as objects, such as one of Arquero. */
export interface RowTable {
  /** Names of the columns. */
  columnNames(): string[];
  /** The rows. */
  objects(): object[];
}

/** Kind of a column on an axis. */
export type FieldType = "temporal" | "quantitative" | "nominal";

/** Column of a frame, as drawn. */
export interface PlotColumn {
  /** Its name, for the reader. */
  readonly name: string;
  /** Its name in the specification, without characters that Vega reads as paths or quotes. */
  readonly field: string;
  readonly type: FieldType;
  readonly values: readonly Value[];
  /** Rows whose value is infinite or NaN; it counts as null. */
  readonly broken: readonly number[];
}

/** Columns of a plot by role. */
export interface PlotColumns {
  readonly x: PlotColumn;
  /** `null` for a histogram and a count. */
  readonly y: PlotColumn | null;
  readonly color: PlotColumn | null;
  readonly size: PlotColumn | null;
  readonly facet: PlotColumn | null;
}

/** Rows of a picture, with facts about their selection. */
export interface PlotRows {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** Number of rows in a sample; `null` if all are drawn, or thinned without visible loss. */
  readonly sampled: number | null;
  /** True if rows have a confidence interval. */
  readonly hasInterval: boolean;
  /** True if bars or areas of several colours are stacked. */
  readonly isStacked: boolean;
}

/** An axis of a picture. */
export interface PlotAxis {
  readonly field: string;
  readonly name: string;
  readonly type: FieldType;
  /** Values of an axis of text, in their order. */
  readonly values: readonly Value[];
  /** True if the axis omits zero. */
  readonly isCut: boolean;
  /** True if all values are whole numbers, which are positions, not amounts. */
  readonly isWhole: boolean;
}

/** A picture with its axes. */
export interface PlotView {
  readonly prepared: PlotRows;
  readonly columns: PlotColumns;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly mark: PlotMark;
  readonly options: PlotOptions;
  /** True if it is turned: text on the vertical axis, amounts on the horizontal one. */
  readonly isFlat: boolean;
  /** Number of pictures side by side. */
  readonly side: number;
  readonly widthPx: number;
  readonly heightPx: number;
}
