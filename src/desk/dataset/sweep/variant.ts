import { createHash } from "node:crypto";
import type { Transform } from "../../../analysis/transform/transform_column.ts";

/** Recipe that makes a factor from the scores of a dataset. */
export interface Variant {
  /** Its name, which is also that of the folder of its parts. */
  readonly name: string;
  /** Its factors with their weights; a single factor has weight 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Transform that brings scores to one scale before they are weighted. */
  readonly transform: Transform;
  /** Additional sessions before a score is used. */
  readonly lag: number;
  /** Its tickers; `null` for all. */
  readonly universe: readonly DatedMember[] | null;
}

/** A ticker in a universe, for some days or always. */
export interface DatedMember {
  /** The ticker. */
  readonly ticker: string;
  /**
   * Its first day.
   *
   * @default unbounded
   */
  readonly from?: string;
  /**
   * Its last day, included.
   *
   * @default unbounded
   */
  readonly to?: string;
}

/** Identity of a variant in tables and trial logs. */
export interface VariantOptions {
  /** The factor, or the name of the combination. */
  readonly factor: string;
  /** Transform that brings scores to one scale. */
  readonly transform: Transform;
  /** Additional sessions before a score is used. */
  readonly lag: number;
  /** The name of the universe; `all` for no limit. */
  readonly universe: string;
}

/** The name of a variant: its factor, then what is not the default. */
export function variantName({ factor, transform, lag, universe }: VariantOptions): string {
  const parts = [factor];
  if (transform !== "none") parts.push(transform);
  if (lag > 0) parts.push(`lag${lag}`);
  if (universe !== "all") parts.push(universe);
  return parts.join("--");
}

/** Description of a variant; equal descriptions mean equal variants. */
export function variantText({ name, weights, transform, lag, universe }: Variant): string {
  const sum = Object.entries(weights).map(([factor, weight]) => `${weight} ${factor}`).join(" + ");
  const among = universe === null
    ? "all names"
    : `${universe.length} names ${hashOf(universe.map(memberText).toSorted().join("\0"))}`;
  return `${name} (${sum}, ${transform}, lag ${lag}, ${among})`;
}

/**
 * Key of a variant's ICs. Variants with equal keys, such as transforms of a single factor, rank the same stocks in the same
 * order and are one test.
 */
export function rankText({ weights, transform, lag, universe }: Variant): string {
  const [[factor, weight] = ["", 0], ...others] = Object.entries(weights);
  const ranked = others.length === 0
    ? `${weight > 0 ? "" : "-"}${factor}`
    : JSON.stringify([weights, transform]);
  return `${ranked} ${lag} ${universe?.map(memberText).toSorted().join("\0") ?? "all"}`;
}

// A ticker without days keeps its former text, so hashes stay the same.
function memberText({ ticker, from, to }: DatedMember): string {
  return from === undefined && to === undefined ? ticker : [ticker, from, to].join(" ");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
