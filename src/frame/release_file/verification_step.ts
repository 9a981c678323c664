import type { Offence } from "./offence.ts";

/** Outcome of one step of a verification; `not stated` if the metadata says nothing that can be compared. */
export type VerificationOutcome = "passed" | "failed" | "not stated" | "not judged";

/** One step of the verification of a release. */
export interface VerificationStep {
  /** Subject of the step. */
  readonly name: string;
  /** Outcome. */
  readonly outcome: VerificationOutcome;
  /** Requirement of the metadata or the API document. */
  readonly required: string;
  /** Value in the file. */
  readonly found: string;
  /** The first offending lines, if single lines offend. */
  readonly lines: readonly Offence[];
}

/** The sign that stands for an outcome. */
export const OUTCOME_MARKS: Readonly<Record<VerificationOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  "not stated": "–",
  "not judged": "·",
};

/** Value that a step found, and the required one if it failed or could not be compared. */
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
