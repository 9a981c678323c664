import type { Offence } from "./offence.ts";

/** How one step of a verification ended; `not stated` if the metadata says nothing that can be compared. */
export type VerificationOutcome = "passed" | "failed" | "not stated" | "not judged";

/** One step of the verification of a release. */
export interface VerificationStep {
  /** What was verified. */
  readonly name: string;
  /** How it ended. */
  readonly outcome: VerificationOutcome;
  /** What the metadata or the API document requires. */
  readonly required: string;
  /** What the file has. */
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

/** What a step found, and what it should have found if it failed or could not be compared. */
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
