import { createHash } from "node:crypto";

/** The parts of a lock that are sealed, each with what its seal is made of. */
export type SealedParts = Readonly<Record<string, readonly string[]>>;

/** A part of a lock that is not as it was written. */
export interface BrokenSeal {
  /** `head`, or the name of a list. */
  readonly part: string;
  /** How many lines were written; `null` if no seal says so. */
  readonly written: number | null;
  /** How many lines there are. */
  readonly found: number;
}

const DIGITS = 16;

/** The seal of each part: the number of its lines and a hash over them, whatever order they stand in. */
export function sealsOf(parts: SealedParts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(parts).map(([part, lines]) => [part, `${lines.length} ${hashOf(lines)}`]),
  );
}

/** The parts whose seal does not fit; a part without one counts. */
export function brokenSeals(parts: SealedParts, seals: unknown): readonly BrokenSeal[] {
  const given = typeof seals === "object" && seals !== null
    ? seals as Readonly<Record<string, unknown>>
    : {};
  return Object.entries(sealsOf(parts))
    .filter(([part, seal]) => given[part] !== seal)
    .map(([part]) => {
      const [, written] = /^(\d+) [0-9a-f]+$/.exec(String(given[part])) ?? [];
      return {
        part,
        written: written === undefined ? null : Number(written),
        found: parts[part]!.length,
      };
    });
}

/** What is broken, in words. */
export function brokenSealWords({ part, written, found }: BrokenSeal): string {
  if (part === "head") return "as_of, service, world and synthetic as they were written";
  if (written === null) return `a seal over the list ${part}`;
  const lines = (count: number) => `${count} ${count === 1 ? "line" : "lines"}`;
  const required = `the ${lines(written)} of the list ${part} as they were written`;
  return written === found ? required : `${required}, got ${lines(found)}`;
}

function hashOf(lines: readonly string[]): string {
  const text = lines.toSorted().join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}
