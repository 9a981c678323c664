import { sha256Hex } from "../../base/store/layout.ts";
import { andText } from "../../base/wording/words.ts";
import { countText } from "../../base/wording/number_text.ts";
import { LOCK_HEAD } from "./lock.ts";

/** Sealed parts of a lock, each with its lines. */
export type SealedParts = Readonly<Record<string, readonly string[]>>;

/** A part of a lock whose seal does not match. */
export interface BrokenSeal {
  /** `head`, or the name of a list. */
  readonly part: string;
  /** Number of lines when it was sealed; `null` without a seal. */
  readonly written: number | null;
  /** Number of lines now. */
  readonly found: number;
}

const DIGITS = 16;

/** Seal of each part: the number of its lines and a hash over them in any order. */
export function sealsOf(parts: SealedParts): Readonly<Record<string, string>> {
  const hashOf = (lines: readonly string[]) =>
    sha256Hex(lines.toSorted().join("\n")).slice(0, DIGITS);
  return Object.fromEntries(
    Object.entries(parts).map(([part, lines]) => [part, `${lines.length} ${hashOf(lines)}`]),
  );
}

/** Parts whose seal is missing or does not match. */
export function brokenSeals(parts: SealedParts, seals: unknown): readonly BrokenSeal[] {
  const given = Object(seals) as Readonly<Record<string, unknown>>;
  return Object.entries(sealsOf(parts)).filter(([part, seal]) => given[part] !== seal)
    .map(([part]) => {
      const [, digits] = /^(\d+) [0-9a-f]+$/.exec(String(given[part])) ?? [];
      const written = digits === undefined ? null : Number(digits);
      return { part, written, found: parts[part]!.length };
    });
}

/** Description of a broken seal. */
export function brokenSealWords({ part, written, found }: BrokenSeal): string {
  if (part === "head") return `${andText(LOCK_HEAD.names)} as they were written`;
  if (written === null) return `a seal over the list ${part}`;
  const lines = (count: number) => countText(count, "line");
  const required = `the ${lines(written)} of the list ${part} as they were written`;
  return written === found ? required : `${required}, got ${lines(found)}`;
}
