import { countText } from "../number_text.ts";

/** Facts on a hold-out, for a sentence. */
export interface HeldOutFacts {
  /** Its first date. */
  readonly from: string;
  /** Number of its sessions so far. */
  readonly sessions: number;
  /** Number of looks at it. */
  readonly looks: number;
  /** `true` once it was opened. */
  readonly isOpen: boolean;
}

/** `212 sessions held out (from 2026-01-01 on)`, and how often they were looked at, without the last full stop. */
export function heldOutText({ from, sessions, looks, isOpen }: HeldOutFacts): string {
  const seen = `The hold-out was looked at ${timesText(looks)}`;
  if (isOpen) return `${seen} (sessions from ${from} on)`;
  const held = sessions === 0
    ? `Sessions from ${from} on are held out; none has closed by the study's time`
    : `${countText(sessions, "session")} held out (from ${from} on)`;
  // The first look is the one that was registered.
  return looks < 2 ? held : `${held}. ${seen}`;
}

/** `never`, `once`, `twice`, `3 times`. */
export function timesText(count: number): string {
  return ["never", "once", "twice"][count] ?? `${count} times`;
}
