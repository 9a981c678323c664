/** Name of the header by which a relay says that it answered. */
export const RELAY_HEADER = "X-Scoreframe-Relay";

/** Facts of an answer of a relay, as its header tells them. */
export interface RelayMark {
  /** Requests that it sent to the service for this answer. */
  readonly spent: number;
  /** Age of the proof on which it rests, whole seconds; `null` if it rests on none. */
  readonly ageSeconds: number | null;
}

/** The value of the header. */
export function encodeRelayMark({ spent, ageSeconds }: RelayMark): string {
  return ageSeconds === null ? `spent=${spent}` : `spent=${spent}, age=${ageSeconds}`;
}

/** Reads the header; `null` without one, which no relay leaves out. */
export function parseRelayMark(headers: Headers): RelayMark | null {
  const value = headers.get(RELAY_HEADER);
  if (value === null) return null;
  const numberOf = (name: string) => {
    const found = new RegExp(`(?:^|[ ,])${name}=(\\d{1,12})(?:,|$)`).exec(value)?.[1];
    return found === undefined ? null : Number(found);
  };
  // A mark that cannot be read is that of a relay all the same; what it spent is not known to be nothing.
  return { spent: numberOf("spent") ?? 1, ageSeconds: numberOf("age") };
}
