import faults from "./faults.json" with { type: "json" };
import reach from "./reach.json" with { type: "json" };

/** A fault of a released version that changed numbers. */
export interface KnownFault {
  /** Its name. */
  readonly name: string;
  /** Versions that have it, such as `<0.2.0`. */
  readonly versions: string;
  /** Functions and members that have it. */
  readonly functions: readonly string[];
  /** The fault, and the numbers that change. */
  readonly says: string;
}

/** Faults of released versions, as docs/faults.md lists them. */
export const FAULTS: readonly KnownFault[] = faults;
const REACHED: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(reach));
const NAMES = new Set([...REACHED.keys(), ...FAULTS.flatMap(({ functions }) => functions)]);

/** Tests if this library has, or in a version with a fault had, a function or member (`.panel`) of a name. */
export function isKnownName(name: string): boolean {
  return NAMES.has(name);
}

/** Everything that computes with a function, or else a member, of a name: itself, and what calls it directly or by way of others. */
export function callersOf(name: string): ReadonlySet<string> {
  const found = new Set([[name, `.${name}`].find(isKnownName) ?? name]);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const [caller, called] of REACHED) {
      if (called.some((one) => found.has(one))) found.add(caller);
    }
  }
  return found;
}
