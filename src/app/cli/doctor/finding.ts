/** Result of one check. */
export interface DoctorFinding {
  /** Subject of the check. */
  readonly subject: string;
  /** State; `limited` means that some of it does not work. */
  readonly state: "good" | "limited" | "broken";
  /** Observation. */
  readonly found: string;
  /** Remedy; `null` if none is needed. */
  readonly remedy: string | null;
}

const MARKS = { good: "ok     ", limited: "limited", broken: "broken " } as const;

/** Finding that all is well. */
export function good(subject: string, found: string): DoctorFinding {
  return { subject, state: "good", found, remedy: null };
}

/** Finding that only a part works. */
export function limited(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "limited", found, remedy };
}

/** Finding that keeps the library from working. */
export function broken(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "broken", found, remedy };
}

/** Text of a finding: one line, and one for the remedy. */
export function describeFinding({ subject, state, found, remedy }: DoctorFinding): string {
  const line = `${MARKS[state]}  ${subject}: ${found}`;
  return remedy === null ? line : `${line}\n         ${remedy}`;
}
