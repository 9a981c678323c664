/**
 * One line that breaks a rule.
 *
 * @internal
 */
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

const SHOWN = 3;
const MAX_SHOWN_LENGTH = 60;

/** Symbol of an outcome. */
export const OUTCOME_MARKS: Readonly<Record<VerificationOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  "not stated": "–",
  "not judged": "·",
};

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
    const { found } = offence;
    const isLong = found.length > MAX_SHOWN_LENGTH;
    rule.first.push({ ...offence, found: isLong ? `${found.slice(0, MAX_SHOWN_LENGTH)}…` : found });
  }

  /** The rules that were broken, each with its first offences. */
  broken(): ReadonlyMap<LineRule, { readonly count: number; readonly first: readonly Offence[] }> {
    return this.#rules;
  }
}

/** One step of the verification of a release. */
export interface VerificationStep {
  /** Subject of the step. */
  readonly name: string;
  /** Outcome. */
  readonly outcome: "passed" | "failed" | "not stated" | "not judged";
  /** Requirement of the metadata or the API document. */
  readonly required: string;
  /** Value in the file. */
  readonly found: string;
  /** First offending lines, for rules about single lines. */
  readonly lines: readonly Offence[];
}

/** Outcome of one step of a verification; `not stated` if the metadata has nothing to compare. */
type VerificationOutcome = VerificationStep["outcome"];

/** Observed value, and the required one if the step failed or was not compared. */
export function foundBy({ outcome, required, found }: VerificationStep): string {
  if (outcome === "failed") return `expected ${required}, got ${found}`;
  if (outcome === "not judged") return outcome;
  if (outcome === "passed") return found;
  return required === "" ? `${found}, not stated` : `${found}, not comparable with ${required}`;
}

/** One step as lines of text. */
export function describeStep(step: VerificationStep): readonly string[] {
  return [
    `  ${OUTCOME_MARKS[step.outcome]} ${step.name}: ${foundBy(step)}`,
    ...step.lines.map((offence) => `      line ${offence.line}: ${offence.found}`),
  ];
}
