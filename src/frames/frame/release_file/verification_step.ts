import type { Offence } from "./offence.ts";

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

/** Symbol of an outcome. */
export const OUTCOME_MARKS: Readonly<Record<VerificationOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  "not stated": "–",
  "not judged": "·",
};

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
