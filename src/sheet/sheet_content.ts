import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";

/** Sentences under one topic. */
export interface Topic {
  /** What they are about. */
  readonly topic: string;
  /** The sentences. */
  readonly text: string;
}

/** A number that is read before everything else. */
export interface KeyNumber {
  /** What it is. */
  readonly label: string;
  /** The number with its unit. */
  readonly value: string;
  /** Its interval, or what has to be known of it. */
  readonly note: string;
}

/** What a part of a sheet holds. */
export interface SheetContent {
  /** Under which name the part is had alone. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** Paragraphs. */
  readonly paragraphs?: readonly string[];
  /** Numbers that are read first. */
  readonly numbers?: readonly KeyNumber[];
  /** Sentences under their topics. */
  readonly topics?: readonly Topic[];
  /** Pictures. */
  readonly charts?: readonly Chart[];
  /** Tables with their captions. */
  readonly tables?: Readonly<Record<string, DataFrame>>;
}
