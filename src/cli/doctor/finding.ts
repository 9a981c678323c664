/** What a doctor found out about one thing. */
export interface Finding {
  /** What was looked at. */
  readonly subject: string;
  /** Whether it serves: `limited` things work, though not for everything. */
  readonly state: "good" | "limited" | "broken";
  /** What is there. */
  readonly found: string;
  /** What to do about it; `null` if nothing is to be done. */
  readonly remedy: string | null;
}

const MARKS = { good: "ok     ", limited: "limited", broken: "broken " } as const;

/** Something that serves. */
export function good(subject: string, found: string): Finding {
  return { subject, state: "good", found, remedy: null };
}

/** Something that works, though not for everything. */
export function limited(subject: string, found: string, remedy: string): Finding {
  return { subject, state: "limited", found, remedy };
}

/** Something without which the library does not work. */
export function broken(subject: string, found: string, remedy: string): Finding {
  return { subject, state: "broken", found, remedy };
}

/** A finding as lines for people. */
export function describeFinding({ subject, state, found, remedy }: Finding): string {
  const line = `${MARKS[state]}  ${subject}: ${found}`;
  return remedy === null ? line : `${line}\n         ${remedy}`;
}
