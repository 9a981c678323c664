import { appendFileSync, readFileSync } from "node:fs";

/** A clock that several processes share through a file, and that stands still until one of them sleeps. */
export interface SleepClock {
  /** The time now, epoch milliseconds. */
  readonly now: () => number;
  /** Moves the clock to a time, unless it is later already. */
  readonly moveTo: (timeMs: number) => void;
}

/** Opens the clock of a file; every process that opens the same one has the same time. */
export function openSleepClock(path: string): SleepClock {
  // Times are only appended, each in one write, so that processes which move the clock at once cannot set it back.
  const now = () => Math.max(...readFileSync(path, "utf8").trimEnd().split("\n").map(Number));
  return { now, moveTo: (timeMs) => appendFileSync(path, `${timeMs}\n`) };
}
