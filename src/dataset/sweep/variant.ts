import { createHash } from "node:crypto";
import type { Transform } from "../../analysis/cross_section/transform_column.ts";

/** One way to make a factor of the scores of a dataset. */
export interface Variant {
  /** Its name among the variants: also that of the folder of its parts. */
  readonly name: string;
  /** The factors that it is made of, with their weights; a single factor has weight 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** How scores are brought to one scale, before they are weighted. */
  readonly transform: Transform;
  /** After how many sessions more a score is used. */
  readonly lag: number;
  /** The names that count; `null` for all. */
  readonly universe: readonly string[] | null;
}

/** What tells a variant apart, in the columns of a table and the options of a ledger. */
export interface VariantOptions {
  /** The factor, or the name of the combination. */
  readonly factor: string;
  /** How scores are brought to one scale. */
  readonly transform: Transform;
  /** After how many sessions more a score is used. */
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

/** What a variant is made of, in words: two variants of the same words are the same. */
export function variantText({ name, weights, transform, lag, universe }: Variant): string {
  const sum = Object.entries(weights).map(([factor, weight]) => `${weight} ${factor}`).join(" + ");
  const among = universe === null
    ? "all names"
    : `${universe.length} names ${hashOf(universe.toSorted().join("\0"))}`;
  return `${name} (${sum}, ${transform}, lag ${lag}, ${among})`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
