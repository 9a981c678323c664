import type { Offence } from "./offence.ts";

/** How one check of a release ended; `not stated` if the metadata says nothing that can be compared. */
export type ReleaseCheckOutcome = "passed" | "failed" | "not stated" | "not judged";

/** One check of a release. */
export interface ReleaseCheck {
  /** What was checked. */
  readonly name: string;
  /** How it ended. */
  readonly outcome: ReleaseCheckOutcome;
  /** What the metadata or the API document requires. */
  readonly required: string;
  /** What the file has. */
  readonly found: string;
  /** The first offending lines, if single lines offend. */
  readonly lines: readonly Offence[];
}

/** The sign that stands for an outcome. */
export const CHECK_MARKS: Readonly<Record<ReleaseCheckOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  "not stated": "–",
  "not judged": "·",
};

/** What a check found, and what it should have found if it failed or could not be compared. */
export function foundBy({ outcome, required, found }: ReleaseCheck): string {
  if (outcome === "failed") return `${required} is required, found ${found}`;
  if (outcome === "not judged") return outcome;
  if (outcome === "passed") return found;
  return required === "" ? `${found}, not stated` : `${found}, not comparable with ${required}`;
}

/** One check as lines of text. */
export function describeCheck(check: ReleaseCheck): readonly string[] {
  return [
    `  ${CHECK_MARKS[check.outcome]} ${check.name}: ${foundBy(check)}`,
    ...check.lines.map((offence) => `      line ${offence.line}: ${offence.found}`),
  ];
}
