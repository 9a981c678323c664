/** Finding about one thing. */
export interface DoctorFinding {
  /** Thing that was examined. */
  readonly subject: string;
  /** Verdict: `limited` things work, though not for everything. */
  readonly state: "good" | "limited" | "broken";
  /** Value that was found. */
  readonly found: string;
  /** Remedy; `null` if none is needed. */
  readonly remedy: string | null;
}

const MARKS = { good: "ok     ", limited: "limited", broken: "broken " } as const;

/** Something that serves. */
export function good(subject: string, found: string): DoctorFinding {
  return { subject, state: "good", found, remedy: null };
}

/** Something that works, though not for everything. */
export function limited(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "limited", found, remedy };
}

/** Something without which the library does not work. */
export function broken(subject: string, found: string, remedy: string): DoctorFinding {
  return { subject, state: "broken", found, remedy };
}

/** A finding as lines for people. */
export function describeFinding({ subject, state, found, remedy }: DoctorFinding): string {
  const line = `${MARKS[state]}  ${subject}: ${found}`;
  return remedy === null ? line : `${line}\n         ${remedy}`;
}
