/** One line that breaks a rule. */
export interface Offence {
  /** The broken rule. */
  readonly rule: "header" | "line" | "date" | "ticker" | "score" | "duplicate";
  /** Number of the line in the decompressed file, from 1. */
  readonly line: number;
  /** The requirement. */
  readonly required: string;
  /** The line itself, shortened. */
  readonly found: string;
}

/** A rule that every line of a release file has to keep. */
export type LineRule = Offence["rule"];

/** Number of breaches of a rule, with the first lines. */
export interface BrokenRule {
  /** Number of offending lines. */
  readonly count: number;
  /** The first of them. */
  readonly first: readonly Offence[];
}

const SHOWN = 3;
const MAX_SHOWN_LENGTH = 60;

/** Counts all offences, and keeps the first ones of each rule. */
export class OffenceLog {
  readonly #rules = new Map<LineRule, { count: number; first: Offence[] }>();

  /** Number of offending lines of all rules. */
  get count(): number {
    return [...this.#rules.values()].reduce((sum, rule) => sum + rule.count, 0);
  }

  /** Notes an offence. */
  add(offence: Offence): void {
    const rule = this.#rules.get(offence.rule) ?? { count: 0, first: [] };
    this.#rules.set(offence.rule, rule);
    rule.count++;
    if (rule.first.length >= SHOWN) return;
    rule.first.push({ ...offence, found: shorten(offence.found) });
  }

  /** The rules that were broken, each with its first offences. */
  broken(): ReadonlyMap<LineRule, BrokenRule> {
    return this.#rules;
  }
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
