import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";

/** Sentences under one topic. */
export interface Topic {
  /** Subject. */
  readonly topic: string;
  /** The sentences. */
  readonly text: string;
}

/** Key number at the top of a sheet. */
export interface KeyNumber {
  /** Name. */
  readonly label: string;
  /** The number with its unit. */
  readonly value: string;
  /** Its interval, or a note. */
  readonly note: string;
}

/** Content of a part of a sheet. */
export interface SheetContent {
  /** Name of the part, for `part()`. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** Paragraphs. */
  readonly paragraphs?: readonly string[];
  /** Numbers that are read first. */
  readonly numbers?: readonly KeyNumber[];
  /** Sentences under their topics. */
  readonly topics?: readonly Topic[];
  /** Small pictures, two beside each other, before everything that follows. */
  readonly small?: readonly Chart[];
  /** Pictures. */
  readonly charts?: readonly Chart[];
  /** True if two pictures stand beside each other wherever there is room for them. @default false */
  readonly isPair?: boolean;
  /** Tables with their captions. */
  readonly tables?: Readonly<Record<string, DataFrame>>;
}
