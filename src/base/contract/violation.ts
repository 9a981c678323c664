import { maskKeys } from "./key.ts";

/** Received or given data that breaks the API document: the place, the requirement, and the value. */
export class ContractViolation extends Error {
  override readonly name = "ContractViolation";
  /** JSON path, header name or parameter name of the offending value. */
  readonly path: string;
  /** Requirement of the API document there. */
  readonly required: string;
  /** Value there, shortened. */
  readonly received: string;
  readonly #received: unknown;
  readonly #hint: string;

  /**
   * @param path JSON path, header name or parameter name
   * @param required Requirement of the API document there
   * @param received The offending value, which is described and shortened
   * @param hint End of the message, such as the name that was probably meant
   */
  constructor(path: string, required: string, received: unknown, hint = "") {
    const found = describe(received);
    const [place, rule] = [cut(path, MAX_WORDS), cut(required, MAX_WORDS)];
    super(`Cannot read ${place}: expected ${rule}, got ${found}${hint}`);
    this.path = place;
    this.required = rule;
    this.received = found;
    this.#received = received;
    this.#hint = hint;
  }

  /** The same offence in a value at a place within another one. */
  within(place: string): ContractViolation {
    const path = `${place}${this.path.replace(/^\$/, "")}`;
    return new ContractViolation(path, this.required, this.#received, this.#hint);
  }
}

const MAX_DESCRIPTION = 80;
// Enough for six names, a place, or a rule that quotes another value.
const MAX_WORDS = 400;
// Part that is masked before it is cut: longer than a key, so that a text of megabytes is not copied for its beginning.
const LOOKED_AT = 1_000;

/** Describes any value in at most about 80 characters, for an error message; keys are masked. */
export function describe(value: unknown): string {
  if (typeof value === "object") return cut(kindOf(value), MAX_WORDS);
  const text = typeof value === "string"
    ? JSON.stringify(maskKeys(value.slice(0, LOOKED_AT)))
    : kindOf(value);
  return cut(text, MAX_DESCRIPTION);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const { [Symbol.toStringTag]: tag, then } = value as {
      [Symbol.toStringTag]?: unknown;
      then?: unknown;
    };
    if (typeof then === "function") return "a promise; await it first";
    if (tag === "DataFrame") return describeFrame(value as { columns: readonly string[] });
    const fields = Object.keys(value).slice(0, 6).map((name) => name.slice(0, LOOKED_AT));
    return `an object with the fields ${maskKeys(fields.join(", ")) || "(none)"}`;
  }
  return String(value);
}

// Recognised by its tag: this layer does not import Polars.
function describeFrame({ columns }: { readonly columns: readonly string[] }): string {
  const shown = columns.slice(0, 6).map((name) => name.slice(0, LOOKED_AT)).join(", ");
  return `a DataFrame with the columns ${shown || "(none)"}${columns.length > 6 ? ", …" : ""}`;
}
