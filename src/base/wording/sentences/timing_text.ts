import { countText, decimalText } from "../number_text.ts";

/**
 * When a score is known, and when what it says is traded.
 *
 * @internal
 */
export interface Timing {
  /** `next`: the first trade after a score is known; `same`: one at the same instant counts. */
  readonly entry: "next" | "same";
  /** Sessions from that trade to the entry. */
  readonly entryLag: number;
  /** Sessions (of scores that are dated by day) or milliseconds (of instants) between a score and its use. */
  readonly delay: number;
  /** Scores that are dated by day are known at a close; others at their instant. */
  readonly kind: "date" | "instant";
  readonly price: "close" | "open";
}

const MINUTE = 60_000;
const HOURS = 60;
const DAY = 24 * HOURS;

/** The entry of positions for a caption: `entered at the next close`. */
export function entryText(timing: Timing): string {
  const { entry, price } = timing;
  const at = entry === "next" ? `the next ${price}` : `the ${price} of the decision`;
  return `entered ${afterText(timing, at)}`;
}

/** The entry of positions in a sentence of assumptions. */
export function entrySentence(timing: Timing): string {
  const { entry, price, kind } = timing;
  const known = kind === "date" && entry === "next"
    ? "; a score dated by day is known at the close of that session"
    : "";
  const at = entry === "next"
    ? `the first ${price} after a score is known`
    : `the ${price} of the decision session itself`;
  return `Positions are entered ${afterText(timing, at)}${known}${
    entry === "same" ? " (entry: same)" : ""
  }.`;
}

function afterText({ entryLag, delay, kind }: Timing, at: string): string {
  const lag = entryLag === 0 ? `at ${at}` : `${countText(entryLag, "session")} after ${at}`;
  if (delay === 0) return lag;
  return `${lag} and a delay of ${kind === "date" ? countText(delay, "session") : spanText(delay)}`;
}

function spanText(ms: number): string {
  const minutes = ms / MINUTE;
  if (minutes < 2 * HOURS) return countText(minutes, "minute");
  const [size, unit] = minutes < 2 * DAY ? [HOURS, "hours"] : [DAY, "days"];
  const count = minutes / size;
  return `${Number.isInteger(count) ? count : decimalText(count, 1)} ${unit}`;
}
