import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";

/** Content of a part of a sheet. */
export interface SheetContent {
  /** Name of the part, for `part()`. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** Paragraphs. */
  readonly paragraphs?: readonly string[];
  /** Key numbers. */
  readonly numbers?: readonly {
    /** Name. */
    readonly label: string;
    /** The number with its unit. */
    readonly value: string;
    /** Its interval, or a note. */
    readonly note: string;
  }[];
  /** Sentences under their topics. */
  readonly topics?: readonly { readonly topic: string; readonly text: string }[];
  /** Small charts in pairs, before the rest. */
  readonly small?: readonly Chart[];
  /** Charts. */
  readonly charts?: readonly Chart[];
  /** Tables with their captions. */
  readonly tables?: Readonly<Record<string, DataFrame>>;
}

/** Key number at the top of a sheet. */
export type KeyNumber = NonNullable<SheetContent["numbers"]>[number];
