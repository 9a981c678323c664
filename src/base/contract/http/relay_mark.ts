/** Name of the header that marks an answer of a relay. */
export const RELAY_HEADER = "X-Scoreframe-Relay";

/** Facts in the header of a relay's answer. */
export interface RelayMark {
  /** Requests that it sent to the service for this answer. */
  readonly spent: number;
  /** Age of the proof behind the answer, whole seconds; `null` without one. */
  readonly ageSeconds: number | null;
}

/** The value of the header. */
export function encodeRelayMark({ spent, ageSeconds }: RelayMark): string {
  return ageSeconds === null ? `spent=${spent}` : `spent=${spent}, age=${ageSeconds}`;
}

/** Reads the header; `null` without one, as every relay sends it. */
export function parseRelayMark(headers: Headers): RelayMark | null {
  const value = headers.get(RELAY_HEADER);
  if (value === null) return null;
  const numberOf = (name: string) => {
    const found = new RegExp(`(?:^|[ ,])${name}=(\\d{1,12})(?:,|$)`).exec(value)?.[1];
    return found === undefined ? null : Number(found);
  };
  // An unreadable mark is still that of a relay, which may have spent a request.
  return { spent: numberOf("spent") ?? 1, ageSeconds: numberOf("age") };
}
